package compare

import (
	"fmt"
	"strings"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/verdict"
)

// Records shown of each side's debug events at a difference.
const stateEvents = 4

func (c *Comparer) fieldDiffers(want, got *engine.Record) {
	port := &c.unit.Ports[want.Port]
	d := c.difference(verdict.KindField, want, got)
	if c.level == Order && isFrames(port) {
		d.Field, d.Want, d.Got = frameDifference(want.Beat, got.Beat)
	} else if f := firstDifferentField(port, want.Beat, got.Beat, c.level == Cycle); f != nil {
		d.Field, d.Want, d.Got = f.Name, FormatField(f, want.Beat), FormatField(f, got.Beat)
	} else {
		d.Field, d.Want, d.Got = "beat", fmt.Sprintf("%d bytes", len(want.Beat)), fmt.Sprintf("%d bytes", len(got.Beat))
	}
	d.Rule = ruleOf(c.unit, port, d.Field)
}

func (c *Comparer) cycleDiffers(want, got *engine.Record) {
	d := c.difference(verdict.KindCycle, want, got)
	d.Cycle = min(want.Cycle, got.Cycle)
	d.Field, d.Want, d.Got = "cycle", fmt.Sprint(want.Cycle), fmt.Sprint(got.Cycle)
	d.Rule = timingRuleOf(c.unit, &c.unit.Ports[want.Port])
}

// missing reports a record of the model that the device does not have; next is the device's next one of the port.
func (c *Comparer) missing(want, next *engine.Record) {
	d := c.difference(verdict.KindMissing, want, next)
	d.Cycle = want.Cycle
	d.Want, d.Got = c.describe(want), "none"
	if next != nil {
		d.Got = "none in this cycle; next: " + c.describe(next)
	}
	d.Rule = timingRuleOf(c.unit, &c.unit.Ports[want.Port])
}

func (c *Comparer) unexpected(got, next *engine.Record) {
	d := c.difference(verdict.KindUnexpected, next, got)
	d.Want, d.Got = "none", c.describe(got)
	if next != nil {
		d.Want = "none in this cycle; next: " + c.describe(next)
	}
	d.Rule = timingRuleOf(c.unit, &c.unit.Ports[got.Port])
}

func (c *Comparer) unknownPort(side int, r engine.Record) {
	c.subject = cloneRecord(&r)
	text := fmt.Sprintf("port %d", r.Port)
	c.first = &verdict.Difference{Kind: verdict.KindUnexpected, Cycle: r.Cycle, Port: text, Want: "a port of unit " + c.unit.Name, Got: text}
	if side == 0 {
		c.first.Kind, c.first.Want, c.first.Got = verdict.KindMissing, text, "a port of unit "+c.unit.Name
	}
}

// difference starts the report of the first difference; either record may be nil, not both.
func (c *Comparer) difference(kind verdict.Kind, want, got *engine.Record) *verdict.Difference {
	c.subject = cloneRecord(want)
	if want == nil || kind == verdict.KindUnexpected {
		c.subject = cloneRecord(got)
	}
	port := &c.unit.Ports[c.subject.Port]
	d := &verdict.Difference{Kind: kind, Cycle: c.subject.Cycle, Port: port.Name, Record: c.compared[port.ID]}
	if d.Key = formatGroup(port, c.subject.Beat); !c.framed(port) {
		d.Key = formatKey(port, c.subject.Beat)
	}
	if got != nil {
		d.Cycle, d.GotRecord = got.Cycle, c.describe(got)
	}
	if want != nil {
		d.WantRecord = c.describe(want)
	}
	d.LastGood = c.lastGood()
	until := c.subject.Cycle
	if want != nil && got != nil {
		until = max(want.Cycle, got.Cycle)
	}
	d.ModelState, d.DeviceState = c.state(0, until), c.state(1, until)
	c.first = d
	return d
}

// lastGood are the last records that agreed, oldest first.
func (c *Comparer) lastGood() []string {
	var lines []string
	for _, r := range c.good.last(goodDepth, func(*engine.Record) bool { return true }) {
		lines = append(lines, c.describe(r))
	}
	return lines
}

func (c *Comparer) framed(port *event.Port) bool { return c.level == Order && isFrames(port) }

// describe is a record on one line.
func (c *Comparer) describe(r *engine.Record) string {
	port := &c.unit.Ports[r.Port]
	if c.framed(port) {
		return fmt.Sprintf("cycle %d %s %s", r.Cycle, port.Name, describeFrame(r.Beat))
	}
	return fmt.Sprintf("cycle %d %s %s", r.Cycle, port.Name, FormatBeat(port, r.Beat))
}

// state shows a side's last debug events up to a cycle, of the context that the subject names, or of any where it names
// none.
func (c *Comparer) state(side int, until uint64) string {
	port, beat := &c.unit.Ports[c.subject.Port], c.subject.Beat
	same := func(r *engine.Record) bool {
		return r.Cycle <= until && sameContext(port, beat, &c.unit.Ports[r.Port], r.Beat)
	}
	found := c.events[side].last(stateEvents, same)
	title := "last events of the context"
	if len(found) == 0 {
		title = "last events"
		found = c.events[side].last(stateEvents, func(r *engine.Record) bool { return r.Cycle <= until })
	}
	if len(found) == 0 {
		return ""
	}
	lines := []string{title + ":"}
	for _, r := range found {
		lines = append(lines, c.describe(r))
	}
	return strings.Join(lines, "\n")
}

func cloneRecord(r *engine.Record) *engine.Record {
	if r == nil {
		return nil
	}
	copied := *r
	copied.Beat = append([]byte(nil), r.Beat...)
	return &copied
}
