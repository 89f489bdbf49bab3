package compare

import (
	"bytes"
	"math"

	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// settleAt is how many records that agreed are let lie before what a report may want of them is put aside.
const settleAt = 1024

// trail is how a comparison at cycle level goes as long as both sides agree: the model's records wait in it, packed and
// without a pointer; the device's are compared where they lie. At the first record that does not agree it is given up
// for the queues.
type trail struct {
	marks []mark
	beats []byte
	head  int // the oldest record that has not been compared
	given bool
}

// mark is a record but for its beat, which is beats[start:start+length].
type mark struct {
	cycle  uint64
	start  uint32
	length uint16
	port   uint8
}

// add takes a record of the model; it returns false for one that it cannot hold.
func (t *trail) add(r *engine.Record) bool {
	if len(r.Beat) > math.MaxUint16 || len(t.beats) > math.MaxUint32-math.MaxUint16 {
		return false
	}
	t.marks = append(t.marks, mark{r.Cycle, uint32(len(t.beats)), uint16(len(r.Beat)), r.Port})
	t.beats = append(t.beats, r.Beat...)
	return true
}

// agrees compares a record of the device with the model's oldest and passes over it if they are the same.
func (t *trail) agrees(r *engine.Record) bool {
	if t.head == len(t.marks) {
		return false
	}
	m := &t.marks[t.head]
	if m.cycle != r.Cycle || m.port != r.Port || !bytes.Equal(t.beat(m), r.Beat) {
		return false
	}
	t.head++
	return true
}

// mayClear tells whether all has agreed, and enough of it.
func (t *trail) mayClear() bool { return t.head == len(t.marks) && t.head >= settleAt }

func (t *trail) clear() { t.marks, t.beats, t.head = t.marks[:0], t.beats[:0], 0 }

func (t *trail) beat(m *mark) []byte { return t.beats[m.start : m.start+uint32(m.length)] }

func (t *trail) record(i int) engine.Record {
	m := &t.marks[i]
	return engine.Record{Cycle: m.cycle, Port: m.port, Beat: t.beat(m)}
}

// settle puts aside what a report may want of the records that agreed: the events, under the model's, and the last.
func (c *Comparer) settle() {
	t := &c.trail
	for i := range t.head {
		if c.unit.Ports[t.marks[i].port].Style == event.Event {
			r := t.record(i)
			c.events[0].add(&r)
		}
	}
	for i := max(0, t.head-goodDepth); i < t.head; i++ {
		r := t.record(i)
		c.good.add(&r)
	}
}

// giveUp leaves the trail: what it knows goes where the comparison of records one by one looks for it.
func (c *Comparer) giveUp() {
	t := &c.trail
	if t.given {
		return
	}
	t.given = true
	c.settle()
	c.events[1] = c.events[0].clone()
	for i := t.head; i < len(t.marks); i++ {
		c.take(0, t.record(i))
	}
	t.marks, t.beats = nil, nil
}
