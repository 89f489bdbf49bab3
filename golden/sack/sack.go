// Package sack is the receiver's SACK bitmap: it classifies each packet of a path, keeps the 256-packet window and decides
// when an ACK is due (spec: sack.*).
//
// The rules are pure: no clock, no input or output, no allocation after New. The cycle-exact unit and a network simulation
// of thousands of connections call the same Apply.
package sack

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

// Table holds the contexts of all paths. Make it with New; the zero Table has no path, so that it answers CLOSED to
// everything.
type Table struct {
	connections, paths uint32
	contexts           []context
}

// context is one path. It is padded to 64 bytes: with thousands of paths visited at random an operation then costs one
// cache line, not two.
type context struct {
	ring     ring
	base     seq.PSN // next PSN expected
	next     seq.PSN // highest PSN seen + 1; 0 .. 256 behind base
	received uint32  // packets, wrapping
	ceMarked uint32  // packets, wrapping
	pending  uint8   // packets since the last ACK, below profile.AckEvery
	open     bool
	lastCe   bool
	_        [13]byte
}

// New makes a table in which every path is closed (spec: sack.context). It panics if a size is not positive.
func New(connections, paths int) *Table {
	if connections <= 0 || paths <= 0 {
		panic("sack.New: connections and paths must be positive")
	}
	return &Table{
		connections: uint32(connections),
		paths:       uint32(paths),
		contexts:    make([]context, connections*paths),
	}
}

// Apply carries out one operation wholly and writes every field of the response (spec: sack.open, sack.packet). An op that
// the spec does not name is taken as PACKET.
func (t *Table) Apply(req *event.SackReq, rsp *event.SackRsp) {
	*rsp = event.SackRsp{Op: req.Op, Connection: req.Connection, Path: req.Path, Psn: req.Psn}
	c := t.at(req.Connection, req.Path)
	switch {
	case c == nil:
		rsp.Class = event.SackClassClosed
	case req.Op == event.SackOpOpen:
		c.reset(req, rsp)
	case !c.open:
		rsp.Class = event.SackClassClosed
	default:
		c.packet(req, rsp)
	}
}

// at finds the context of a path, or nil where there is none (spec: sack.context).
func (t *Table) at(connection uint32, path uint16) *context {
	if connection >= t.connections || uint32(path) >= t.paths {
		return nil
	}
	return &t.contexts[connection*t.paths+uint32(path)]
}

// reset is OPEN (spec: sack.open).
func (c *context) reset(req *event.SackReq, rsp *event.SackRsp) {
	psn := seq.PSN(req.Psn)
	*c = context{open: true, base: psn, next: psn}
	rsp.Class = event.SackClassOpened
	rsp.Cumulative, rsp.Next = req.Psn, req.Psn
}

// packet is PACKET on an open path; the numbers are the steps of the rule (spec: sack.packet).
func (c *context) packet(req *event.SackReq, rsp *event.SackRsp) {
	holeBefore := c.next != c.base
	class := c.classify(seq.PSN(req.Psn)) // 1
	c.received++
	if req.Ce {
		c.ceMarked++
	}
	if isNew(class) && !req.Refused { // 2
		c.accept(seq.PSN(req.Psn))
	}
	hole := c.next != c.base
	due := class != event.SackClassNewInOrder || req.Refused || holeBefore || hole || // 3
		req.Ce != c.lastCe || req.AckRequest || req.Tail || c.pending+1 >= profile.AckEvery
	c.pending++ // 4
	if due {
		c.pending = 0
	}
	c.lastCe = req.Ce

	rsp.Class, rsp.AckNow = class, due
	rsp.Cumulative, rsp.Next = uint32(c.base), uint32(c.next)
	rsp.Received, rsp.CeMarked = c.received, c.ceMarked
	if hole { // without a hole the set is empty
		rsp.Vector = c.ring.from(uint32(c.base))
	}
}

// classify names what a packet is to the window, before it changes anything (spec: sack.classify).
func (c *context) classify(psn seq.PSN) event.SackClass {
	switch {
	case seq.Before32(psn, c.base):
		return event.SackClassOld
	case seq.Offset32(psn, c.base) >= profile.WindowPackets:
		return event.SackClassBeyond
	case psn == c.base: // base itself is never in the set
		return event.SackClassNewInOrder
	case c.ring.has(uint32(psn)):
		return event.SackClassDuplicate
	}
	return event.SackClassNewOutOfOrder
}

func isNew(class event.SackClass) bool {
	return class == event.SackClassNewInOrder || class == event.SackClassNewOutOfOrder
}

// accept puts a new packet into the set and moves base over what is then complete (spec: sack.packet, step 2).
func (c *context) accept(psn seq.PSN) {
	if psn == c.base && c.next == c.base { // in order without a hole: the set stays empty
		c.base++
		c.next++
		return
	}
	if seq.Offset32(psn+1, c.base) > seq.Offset32(c.next, c.base) {
		c.next = psn + 1
	}
	c.ring.set(uint32(psn))
	c.base += seq.PSN(c.ring.takeRun(uint32(c.base)))
}

// Context is a copy of one path's state, for reports and tests (spec: sack.context).
type Context struct {
	Open               bool
	Base, Next         uint32
	Received, CeMarked uint32
	Pending            uint32
	LastCe             bool
	Vector             [4]uint64 // bit i of the 256: Base + i is in the set
}

// Context returns the state of a path; false if the table has no such path.
func (t *Table) Context(connection uint32, path uint16) (Context, bool) {
	c := t.at(connection, path)
	if c == nil {
		return Context{}, false
	}
	return Context{
		Open: c.open, Base: uint32(c.base), Next: uint32(c.next),
		Received: c.received, CeMarked: c.ceMarked,
		Pending: uint32(c.pending), LastCe: c.lastCe,
		Vector: c.ring.from(uint32(c.base)),
	}, true
}
