package diff

import (
	"fmt"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/trace"
	"metaroce/verification/trace/vcd"
	"metaroce/verification/verdict"
)

// idleCycles is the silence at the end of a dump after which the device has had its time: what it has not given then is
// missing. In a dump that ends earlier it may be on its way.
const idleCycles = 256

// waveDiff compares one unit of a dump with the model, edge by edge. The values just before a rising edge that samples
// rst low are the unit's cycle; the first such edge closes cycle 0 (spec: cycle.number).
type waveDiff struct {
	sampler  *sampler
	unit     *event.Unit
	options  Options
	config   profile.Config
	report   *verdict.Report
	comparer *compare.Comparer
	side     side
	checks   []portCheck
	found    *verdict.Difference // found here, not by the comparer
	times    edgeTimes
	cycle    uint64 // of the next edge
	active   uint64 // cycle after the device's last handshake or event
	wasReset bool
	assumed  bool // that the dump starts at cycle 0; until an input is ready
	running  bool
	beat     []byte
	seen     [engine.MaxPorts]observed
}

// side is the model's side of a comparison, at one level.
type side interface {
	// ports takes what the dump shows of all ports in one cycle, and closes the model's cycle.
	ports(cycle uint64, seen []observed)
	// end runs the model out.
	end()
	model() engine.Unit
	counters() []uint32
}

// observed is what a dump shows of one port in one cycle.
type observed struct {
	valid, ready bool
	beat         []byte // where valid
}

func waves(in Source, o Options, report *verdict.Report) error {
	if o.Setup != nil {
		return fmt.Errorf("--setup is for captures: a dump has its configuration beats")
	}
	if o.Level == "" {
		o.Level = compare.Cycle
	}
	reader, err := vcd.NewReader(in)
	if trace.IsTruncated(err) {
		_, err = ending(err, report)
		report.Verdict = verdict.Truncated
		report.Close()
		return err
	}
	if err != nil {
		return err
	}
	unit, scope, err := findUnit(reader.Header(), o)
	if err != nil {
		return err
	}
	sampler, err := newSampler(reader, unit, scope)
	if err != nil {
		return err
	}
	note(report, "unit %s is scope %s of the dump", unit.Name, scope.path)
	if !reader.Header().Unit.Known() {
		note(report, "the dump states no time scale: times are its steps")
	}
	d := &waveDiff{sampler: sampler, unit: unit, options: o, report: report, comparer: compare.New(unit, o.Level)}
	d.checks = make([]portCheck, len(unit.Ports))
	return d.run()
}

func (d *waveDiff) run() error {
	complete := true
	for d.comparer.First() == nil && d.found == nil {
		if err := d.sampler.next(); err != nil {
			if complete, err = ending(err, d.report); err != nil {
				return err
			}
			break
		}
		more, err := d.edge()
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if d.side == nil && complete {
		return fmt.Errorf("scope %s: no rising edge of clk with rst low is in the dump: nothing can be compared", d.sampler.path)
	}
	return d.finish(complete)
}

// edge takes one rising edge, and tells whether more are to be looked at.
func (d *waveDiff) edge() (more bool, err error) {
	switch rst := d.sampler.rst.bit(d.sampler.edge); {
	case rst == '1':
		return d.reset(), nil
	case rst != '0' && !d.running: // before the reset
		return true, nil
	case rst != '0':
		d.unknown(nil, d.sampler.rst, "0 or 1")
		return false, nil
	}
	if !d.running {
		if err := d.start(); err != nil {
			return false, err
		}
	}
	return true, d.closeCycle()
}

func (d *waveDiff) reset() (more bool) {
	d.wasReset = true
	if !d.running {
		return true
	}
	d.running = false
	if d.options.Level == compare.Order {
		note(d.report, "the unit is reset again @ %d: not compared from there on", d.sampler.edge)
		return false
	}
	note(d.report, "the unit is reset again @ %d: the model starts anew, cycles count on", d.sampler.edge)
	return true
}

// start makes the model at the first edge that samples rst low.
func (d *waveDiff) start() error {
	if !d.wasReset {
		if signal := d.notFresh(); signal != "" {
			return fmt.Errorf("the dump begins @ %d behind the reset, in the middle of a run (%s is not as in cycle 0): the unit's state "+
				"is not known; dump from the reset on", d.sampler.edge, signal)
		}
		note(d.report, "the dump begins behind the reset; ports and counters are as in cycle 0: taken as that")
		d.assumed = true
	}
	if d.side == nil {
		stated, err := d.sampler.statedConfig()
		if err != nil {
			return err
		}
		if d.config, err = chooseConfig(d.options.Config, stated, d.report); err != nil {
			return err
		}
	}
	model, err := engine.New(d.unit.Name, d.config)
	if err != nil {
		return err
	}
	if d.options.Level == compare.Order {
		d.side = newOrderSide(model, d.comparer)
	} else {
		d.side = &cycleSide{unit: model, comparer: d.comparer}
	}
	for i := range d.checks {
		d.checks[i].stalled = false
	}
	d.running = true
	return nil
}

// notFresh names a signal that says that the unit is past cycle 0: a ready or a valid of its own, or a counter
// (spec: cycle.reset). "" is none.
func (d *waveDiff) notFresh() string {
	at := d.sampler.edge
	for i := range d.sampler.ports {
		p := &d.sampler.ports[i]
		own := p.valid
		if p.port.Direction == event.In {
			own = p.ready
		}
		if own.bit(at) != '0' {
			return own.name
		}
	}
	for i, name := range d.unit.Counters {
		if v, ok := d.sampler.counter(i); d.sampler.counters[i] != nil && (!ok || v != 0) {
			return "count_" + name
		}
	}
	return ""
}

// closeCycle reads all ports, checks them, and gives them to both sides.
func (d *waveDiff) closeCycle() error {
	d.times.add(d.cycle, d.sampler.edge)
	seen := d.seen[:0]
	d.beat = d.beat[:0]
	for i := range d.sampler.ports {
		o, ok := d.observe(i)
		if !ok {
			return nil
		}
		seen = append(seen, o)
	}
	if err := d.doubtStart(seen); err != nil {
		return err
	}
	for i, o := range seen {
		if o.valid && (o.ready || d.unit.Ports[i].Style == event.Event) {
			d.active = d.cycle + 1
		}
	}
	d.side.ports(d.cycle, seen)
	d.cycle++
	return nil
}

// doubtStart checks the assumption that a dump without a reset starts at cycle 0: an input that is ready before the
// sweep can be over says that it starts later.
func (d *waveDiff) doubtStart(seen []observed) error {
	if !d.assumed {
		return nil
	}
	for i, o := range seen {
		if d.unit.Ports[i].Direction != event.In || !o.ready {
			continue
		}
		if !d.side.model().Ready(i) {
			return fmt.Errorf("the dump begins behind the reset and %s is ready @ %d, in its cycle %d, before cycle %d of a sweep from "+
				"cycle 0: it seems to begin later, so the unit's state is not known; dump from the reset on",
				d.unit.Ports[i].Name, d.sampler.edge, d.cycle, d.side.model().FirstReady())
		}
		d.assumed = false
	}
	return nil
}
