package diff

import (
	"strconv"
	"strings"

	"metaroce/golden/event"
	"metaroce/verification/compare"
	"metaroce/verification/verdict"
)

// finish settles the verdict of a dump.
func (d *waveDiff) finish(complete bool) error {
	if d.side == nil { // cut before the first cycle
		d.report.Unit, d.report.Level, d.report.Verdict = d.unit.Name, string(d.options.Level), verdict.Truncated
		d.report.Close()
		return nil
	}
	idle := d.cycle-d.active >= idleCycles && !d.stalled()
	if d.comparer.First() == nil && d.found == nil {
		d.side.end()
	}
	d.owed(idle)
	end := compare.End{Complete: true, Cycle: d.cycle, Counters: d.side.counters()}
	device := end
	if d.found == nil && d.comparer.First() == nil {
		device.Counters = d.deviceCounters(idle)
	}
	device.Complete, device.Busy = complete && d.found == nil, !idle
	d.comparer.Finish(d.report, end, device)
	if d.found != nil && (d.report.First == nil || d.found.Cycle < d.report.First.Cycle) {
		d.report.First, d.report.Verdict, d.report.Side = d.found, verdict.Different, ""
	}
	d.report.Cycles = d.cycle
	d.place()
	return nil
}

// stalled tells whether an output waits to be taken at the end.
func (d *waveDiff) stalled() bool {
	for i := range d.checks {
		if d.checks[i].stalled {
			return true
		}
	}
	return false
}

// owed notes, at order level, what the model has and the device had no time for.
func (d *waveDiff) owed(idle bool) {
	if n := d.comparer.Waiting(); !idle && n > 0 {
		note(d.report, "%d records of the model had not come when the dump ended, %d cycles after the device's last: not judged",
			n, d.cycle-d.active)
	}
}

// deviceCounters are the dump's counters, and the model's where the dump has none to compare.
func (d *waveDiff) deviceCounters(idle bool) []uint32 {
	values := append([]uint32(nil), d.side.counters()...)
	if d.options.Level == compare.Order && !idle {
		note(d.report, "counters: not compared, the dump ends while the unit is busy")
		return values
	}
	var missing []string
	for i, name := range d.unit.Counters {
		v, known := d.sampler.counter(i)
		switch {
		case d.sampler.counters[i] == nil:
			missing = append(missing, name)
		case known:
			values[i] = v
		case d.found == nil && d.comparer.First() == nil:
			d.unknown(nil, d.sampler.counters[i], strconv.FormatUint(uint64(values[i]), 10))
			d.found.Rule = "cycle.reset"
		}
	}
	if len(missing) > 0 {
		note(d.report, "counters that are not in the dump: %s", strings.Join(missing, ", "))
	}
	return values
}

// place says where in the dump the first difference is, in the forms that viewers link, and adds the model's state.
func (d *waveDiff) place() {
	f := d.report.First
	if f == nil {
		return
	}
	if time, ok := d.times.at(f.Cycle); ok {
		f.Time = strconv.FormatUint(time, 10)
	}
	if f.Signal == "" {
		f.Signal = d.sampler.path + "." + d.signalName(f)
	}
	if f != d.found {
		describe(f, d.side.model(), d.comparer.Subject())
	}
}

// signalName is the signal that shows a difference best: its field, else the valid of its port.
func (d *waveDiff) signalName(f *verdict.Difference) string {
	p, ok := d.unit.PortByName(f.Port)
	if !ok {
		return f.Port
	}
	if _, ok := p.FieldByName(f.Field); ok && f.Kind == verdict.KindField {
		return p.Name + "_" + f.Field
	}
	if p.Direction == event.In {
		return readyName(p)
	}
	return validName(p)
}
