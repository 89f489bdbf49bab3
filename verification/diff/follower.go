package diff

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
)

const (
	// patienceCycles is how long the model waits with a beat for the device to show one on that port. The device may be
	// slower than the model; a device that has lost the beat must not stop the model for good.
	patienceCycles = 4096
	// quietCycles is how long nothing must happen for the model to be done; longer than any latency of a unit.
	quietCycles = 2048
)

// follower runs the model beside a device at order level: the device's inputs are offered to the model no earlier than
// the device took them, and the model's outputs are taken no earlier than the device's were. So what depends on time
// (a table that is changed in mid-run) meets the model as it met the device, as closely as order level knows it.
type follower struct {
	unit    engine.Unit
	ports   []event.Port
	inputs  []lane // beats to offer, with their earliest cycles
	due     []lane // cycles of the device's outputs
	watched []bool // out ports that the trace has
	since   []uint64
	emit    func(engine.Record)
	drive   engine.Inputs
	beat    []byte
	now     uint64
	active  uint64 // cycle after the last one in which something happened
	newest  uint64 // latest cycle of an input
	drained bool   // the trace has ended: every output is taken at once
}

func newFollower(unit engine.Unit, emit func(engine.Record)) *follower {
	ports := unit.Info().Ports
	return &follower{
		unit: unit, ports: ports, emit: emit, inputs: make([]lane, len(ports)), due: make([]lane, len(ports)),
		watched: make([]bool, len(ports)), since: make([]uint64, len(ports)),
	}
}

// offer gives the model a beat that the device took in cycle; earliest cycles of one port must not decrease.
func (f *follower) offer(port uint8, cycle uint64, beat []byte) {
	f.newest = max(f.newest, cycle)
	f.inputs[port].push(cycle, beat)
}

// expect tells that the device gave a beat on an out port in cycle.
func (f *follower) expect(port uint8, cycle uint64) { f.due[port].push(cycle, nil) }

// advance runs the cycles before until. Cycles in which the model has nothing to do are not run: units have no timers.
func (f *follower) advance(until uint64) {
	for f.now < until {
		if f.asleep() {
			f.now = until
			return
		}
		f.step()
	}
}

// asleep tells whether nothing can happen in the model before the next input.
func (f *follower) asleep() bool {
	if f.now < max(f.active, f.unit.FirstReady())+quietCycles || !f.idle() {
		return false
	}
	for i := range f.ports {
		if f.ports[i].Direction == event.Out && f.unit.Valid(i) {
			return false
		}
	}
	return true
}

// drain runs on after the trace's end until the model has nothing left to do, or stops doing it.
func (f *follower) drain() {
	f.drained = true
	for f.now < max(f.active, f.unit.FirstReady(), f.newest)+quietCycles {
		f.step()
	}
}

func (f *follower) step() {
	f.drive.Valid, f.drive.Ready = 0, 0
	for i := range f.ports {
		switch {
		case f.ports[i].Direction == event.In:
			f.source(i)
		case f.unit.Valid(i):
			f.sink(i)
		}
	}
	f.unit.Step(&f.drive)
	f.now++
}

func (f *follower) source(port int) {
	l := &f.inputs[port]
	if l.empty() || l.front().cycle > f.now {
		return
	}
	f.drive.Valid |= 1 << port
	f.drive.Beat[port] = l.front().beat
	if f.unit.Ready(port) {
		l.pop() // the memory stays as it is until the next push, behind this step
		f.active = f.now + 1
	}
}

func (f *follower) sink(port int) {
	if f.ports[port].Style != event.Event {
		if !f.takes(port) {
			return
		}
		f.drive.Ready |= 1 << port
		if !f.due[port].empty() {
			f.due[port].pop()
		}
	}
	f.active, f.since[port] = f.now+1, 0
	if f.watched[port] {
		f.beat = f.unit.AppendBeat(port, f.beat[:0])
		f.emit(engine.Record{Cycle: f.now, Port: uint8(port), Beat: f.beat})
	}
}

// takes tells whether a valid beat is taken in this cycle.
func (f *follower) takes(port int) bool {
	if f.drained || !f.watched[port] {
		return true
	}
	if !f.due[port].empty() && f.due[port].front().cycle <= f.now {
		return true
	}
	f.since[port]++
	return f.since[port] > patienceCycles
}

// idle tells whether the model has taken all its inputs.
func (f *follower) idle() bool {
	for i := range f.inputs {
		if !f.inputs[i].empty() {
			return false
		}
	}
	return true
}
