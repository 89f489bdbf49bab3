package compare

import (
	"fmt"

	"metaroce/golden/event"
	"metaroce/verification/verdict"
)

// End is how one side's run ended.
type End struct {
	Complete bool     // the side said so itself; false: it was cut off
	Busy     bool     // order level, of the device: it ended in the middle of its work, so what it lacks is not missing
	Hang     bool     // it stopped with work left (spec: bench.end)
	Cycle    uint64   // the cycle in which it ended
	Counters []uint32 // the unit's counters, in the order of the spec
}

// Finish compares what is left, the ends and the counters, and fills the verdict, the first difference and what was
// compared into a report. No record may come after it.
func (c *Comparer) Finish(report *verdict.Report, model, device End) {
	c.giveUp()
	c.match(&c.pair, true)
	switch {
	case c.first != nil:
		report.Verdict = verdict.Different
	case !model.Complete || !device.Complete:
		report.Verdict = verdict.Truncated
		report.Side = cutOff(model, device)
	default:
		c.ends(report, model, device)
	}
	report.First, report.Compared, report.Ports = c.first, c.Compared(), c.Ports()
	report.Unit, report.Level = c.unit.Name, string(c.level)
	report.Cycles = max(report.Cycles, min(model.Cycle, device.Cycle))
	report.Close()
}

// ends judges two complete runs whose common records agree.
func (c *Comparer) ends(report *verdict.Report, model, device End) {
	c.leftOver(device.Busy)
	switch {
	case model.Hang && device.Hang:
		report.Verdict, report.Side = verdict.Hang, fmt.Sprintf("both sides stopped with work left, in cycle %d", device.Cycle)
	case device.Hang:
		report.Verdict, report.Side = verdict.Hang, fmt.Sprintf("device: stopped with work left, in cycle %d", device.Cycle)
	case model.Hang:
		report.Verdict, report.Side = verdict.Hang, fmt.Sprintf("model: stopped with work left, in cycle %d", model.Cycle)
	case c.first != nil:
		report.Verdict = verdict.Different
	default:
		c.counters(model, device)
	}
}

// leftOver reports the first record that only one side has. A device that was busy may still have given what it lacks.
func (c *Comparer) leftOver(busy bool) {
	none, model := -1, 0
	switch {
	case c.level == Order && busy:
		c.orderLeftOver(model)
	case c.level == Order:
		c.orderLeftOver(none)
	case !c.pair.want.empty():
		c.missing(c.pair.want.peek(), nil)
	case !c.pair.got.empty():
		c.unexpected(c.pair.got.peek(), nil)
	}
}

func (c *Comparer) counters(model, device End) {
	for i, name := range c.unit.Counters {
		want, got := counterAt(model.Counters, i), counterAt(device.Counters, i)
		if want == got {
			continue
		}
		c.first = &verdict.Difference{
			Kind: verdict.KindCounter, Cycle: device.Cycle, Port: "count_" + name, Want: want, Got: got,
			Rule: counterRuleOf(c.unit), LastGood: c.lastGood(),
		}
		return
	}
}

func counterAt(values []uint32, i int) string {
	if i >= len(values) {
		return "none"
	}
	return fmt.Sprint(values[i])
}

func cutOff(model, device End) string {
	switch {
	case model.Complete:
		return fmt.Sprintf("device: cut off after cycle %d", device.Cycle)
	case device.Complete:
		return fmt.Sprintf("model: cut off after cycle %d", model.Cycle)
	}
	return fmt.Sprintf("both sides cut off, model after cycle %d, device after cycle %d", model.Cycle, device.Cycle)
}

// counterRuleOf is the rule that says when a unit's counters count.
func counterRuleOf(unit *event.Unit) string {
	switch unit.Name {
	case "rob":
		return "cycle.pipeline, rob.walker"
	case "rx":
		return "rx.check, rx.join, rx.ack"
	}
	return "cycle.pipeline"
}
