// Package compare judges two streams of records of one unit while they run: the model's and the device's. It keeps no
// more than one side is ahead of the other, and stops at the first difference.
package compare

import (
	"bytes"
	"fmt"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/verdict"
)

// Level is how much two sides must agree on.
type Level string

// The levels of agreement.
const (
	Cycle Level = "cycle" // every handshake and event in the same cycle, every field
	Order Level = "order" // per group of an output port the same sequence; cycles and fields decided by the device are free
)

// ParseLevel reads a level's name.
func ParseLevel(name string) (Level, error) {
	switch l := Level(name); l {
	case Cycle, Order:
		return l, nil
	}
	return "", fmt.Errorf("level %q: must be cycle or order", name)
}

// Depths of what is kept for a report, in records.
const (
	goodDepth  = 6    // last records that agreed
	eventDepth = 4096 // last debug events of each side: more than one side is ahead of the other
	lookahead  = 1024 // records waited for to tell a late record from a missing one
)

// Comparer takes records of both sides in any interleaving, each side's in order.
type Comparer struct {
	unit     *event.Unit
	level    Level
	trail    trail    // cycle level, while both sides agree
	pair     pair     // cycle level
	groups   []groups // order level, by port
	frames   [2]assembler
	compared []uint64 // by port
	good     *history
	events   [2]*history // model, device
	first    *verdict.Difference
	subject  *engine.Record // model's record at the difference, else the device's
}

// pair holds what one side has and the other not yet.
type pair struct{ want, got queue }

// New makes a comparer for a unit.
func New(unit *event.Unit, level Level) *Comparer {
	c := &Comparer{
		unit: unit, level: level, compared: make([]uint64, len(unit.Ports)), good: newHistory(goodDepth),
		events: [2]*history{newHistory(eventDepth), newHistory(eventDepth)},
	}
	c.trail.given = level != Cycle
	if level == Order {
		c.groups = make([]groups, len(unit.Ports))
		for i := range c.groups {
			c.groups[i] = groups{port: &unit.Ports[i], byKey: map[string]*group{}}
		}
	}
	return c
}

// Model takes the model's next record; the beat is copied.
func (c *Comparer) Model(r engine.Record) {
	if !c.trail.given {
		if c.trail.mayClear() {
			c.settle()
			c.trail.clear()
		}
		if int(r.Port) < len(c.unit.Ports) && c.trail.add(&r) {
			return
		}
		c.giveUp()
	}
	c.take(0, r)
}

// Device takes the device's next record; the beat is copied if it must be.
func (c *Comparer) Device(r engine.Record) {
	if !c.trail.given {
		if c.trail.agrees(&r) {
			c.compared[r.Port]++
			return
		}
		c.giveUp()
	}
	c.take(1, r)
}

// First is the first difference, or nil while all agrees.
func (c *Comparer) First() *verdict.Difference { return c.first }

// Subject is the record that the first difference is about, for looking up states: the model's where it has one.
func (c *Comparer) Subject() *engine.Record { return c.subject }

// Compared is the number of records that agreed.
func (c *Comparer) Compared() uint64 {
	var n uint64
	for _, p := range c.compared {
		n += p
	}
	return n
}

// Ports says what was compared on each port, in the unit's order.
func (c *Comparer) Ports() []verdict.Port {
	ports := make([]verdict.Port, len(c.unit.Ports))
	for i := range c.unit.Ports {
		ports[i] = verdict.Port{Name: c.unit.Ports[i].Name, Compared: c.compared[i]}
	}
	return ports
}

func (c *Comparer) take(side int, r engine.Record) {
	if c.first != nil {
		return
	}
	if int(r.Port) >= len(c.unit.Ports) {
		c.unknownPort(side, r)
		return
	}
	port := &c.unit.Ports[r.Port]
	if port.Style == event.Event {
		c.events[side].add(&r)
	}
	if c.level == Cycle {
		c.push(side, r)
		return
	}
	if port.Direction == event.In {
		return
	}
	if isFrames(port) {
		if r, whole := c.frames[side].add(port, r); whole {
			c.order(side, &r)
		}
		return
	}
	c.order(side, &r)
}

func (c *Comparer) push(side int, r engine.Record) {
	p := &c.pair
	if side == 0 {
		p.want.push(r)
	} else {
		p.got.push(r)
	}
	c.match(p, false)
}

// match compares, at cycle level, what both sides have. With final set no more will come, so a record that is not there is missing.
func (c *Comparer) match(p *pair, final bool) {
	for c.first == nil && !p.want.empty() && !p.got.empty() {
		want, got := p.want.peek(), p.got.peek()
		switch {
		case want.Cycle != got.Cycle || want.Port != got.Port:
			if !c.displaced(p, final) {
				return
			}
		case bytes.Equal(want.Beat, got.Beat):
			c.compared[want.Port]++
			c.good.add(want)
			p.want.pop()
			p.got.pop()
		default:
			c.fieldDiffers(want, got)
		}
	}
}

// displaced reports a record that the other side does not have in that cycle: as late or early where the other side's
// next record of the port is the same, else as missing. It waits, and returns false, while more may still come.
func (c *Comparer) displaced(p *pair, final bool) bool {
	want, got := p.want.peek(), p.got.peek()
	modelFirst := want.Cycle < got.Cycle || want.Cycle == got.Cycle && want.Port < got.Port
	other, odd := &p.got, want
	if !modelFirst {
		other, odd = &p.want, got
	}
	twin := other.next(odd.Port)
	if twin == nil && !final && other.len() < lookahead {
		return false
	}
	switch {
	case twin != nil && bytes.Equal(twin.Beat, odd.Beat) && modelFirst:
		c.cycleDiffers(odd, twin)
	case twin != nil && bytes.Equal(twin.Beat, odd.Beat):
		c.cycleDiffers(twin, odd)
	case modelFirst:
		c.missing(odd, twin)
	default:
		c.unexpected(odd, twin)
	}
	return true
}
