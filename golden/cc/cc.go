// Package cc is the congestion-control rate limiter: AIMD windows of paths and connections, RTT of paths, and the pacing
// time of connections, all in fixed point without a division at run time (spec: rate.*).
//
// The rules are pure: time comes in with the request, nothing is allocated after New. The cycle-exact unit and a network
// simulation of thousands of connections call the same Apply.
package cc

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

// Table holds the contexts of all connections and their paths. Make it with New; the zero Table has no context, so that it
// answers CLOSED to everything.
type Table struct {
	connections, paths uint32
	conns              []connection
	all                []path // path p of connection c is all[c*paths+p]
}

// connection is the state of one connection (spec: rate.context).
type connection struct {
	aimd             aimd
	nextTime         seq.Time // when the next packet is due at the pace
	inFlight         uint32   // packets, over all paths
	cap, hint        uint16   // rate codes
	hintSequence     uint16
	hintValid        bool
	lossIsCongestion bool
	open             bool
}

// path is the state of one path (spec: rate.context).
type path struct {
	aimd         aimd
	rtt          rtt
	lastReceived uint32 // the receiver's cumulative counters at the last ACK that was not stale
	lastCe       uint32
	inFlight     uint16 // packets
	open         bool
}

// Notes is what an operation tells besides its response: events for the unit's counters, and the RTT state that its debug
// port shows.
type Notes struct {
	IllegalRate bool   // a rate code with mantissa 0 was ignored
	StaleAck    bool   // the ACK's counters were behind those already seen
	Srtt        uint64 // of the path, 2^-3 ns, after the operation; 0 for OPEN_CONNECTION and CLOSED
	Rttvar      uint64 // of the path, 2^-2 ns, likewise
}

// New makes a table in which everything is closed (spec: rate.context). It panics if a size is not positive.
func New(connections, paths int) *Table {
	if connections <= 0 || paths <= 0 {
		panic("cc.New: connections and paths must be positive")
	}
	return &Table{
		connections: uint32(connections),
		paths:       uint32(paths),
		conns:       make([]connection, connections),
		all:         make([]path, connections*paths),
	}
}

// Apply carries out one operation wholly and writes every field of the response (spec: rate.open, rate.closed, rate.ack,
// rate.send). Bits of Now above the 48th are ignored.
func (t *Table) Apply(req *event.RateReq, rsp *event.RateRsp) Notes {
	*rsp = event.RateRsp{Op: req.Op, Connection: req.Connection, Path: req.Path, Status: event.RateStatusClosed}
	if req.Connection >= t.connections {
		return Notes{}
	}
	c := &t.conns[req.Connection]
	if req.Op == event.RateOpOpenConnection { // its path is ignored
		return c.reset(req, rsp)
	}
	if uint32(req.Path) >= t.paths {
		return Notes{}
	}
	p := &t.all[req.Connection*t.paths+uint32(req.Path)]
	if req.Op == event.RateOpOpenPath { // of an open connection or not
		return p.reset(req, rsp)
	}
	if !c.open || !p.open {
		return Notes{}
	}
	return carryOut(c, p, req, rsp)
}

// carryOut is ACK or SEND with both contexts open.
func carryOut(c *connection, p *path, req *event.RateReq, rsp *event.RateRsp) Notes {
	var notes Notes
	if req.Op == event.RateOpAck {
		notes = ack(c, p, req)
		rsp.Status = event.RateStatusDone
	} else {
		rsp.Status, rsp.Departure = send(c, p, req)
	}
	c.show(rsp)
	p.show(rsp)
	notes.Srtt, notes.Rttvar = p.rtt.srtt, p.rtt.rttvar
	return notes
}

// reset is OPEN_CONNECTION (spec: rate.open).
func (c *connection) reset(req *event.RateReq, rsp *event.RateRsp) Notes {
	illegal := !legal(req.Rate)
	*c = connection{
		aimd: newAIMD(profile.ConnectionWindowInitial, req.Now), nextTime: pacing(req.Now),
		cap: req.Rate, hint: profile.HintNoLimit, lossIsCongestion: req.LossIsCongestion, open: true,
	}
	if illegal {
		c.cap = profile.HintNoLimit
	}
	rsp.Status = event.RateStatusDone
	c.show(rsp)
	return Notes{IllegalRate: illegal}
}

// reset is OPEN_PATH (spec: rate.open).
func (p *path) reset(req *event.RateReq, rsp *event.RateRsp) Notes {
	*p = path{aimd: newAIMD(profile.PathWindowInitial, req.Now), open: true}
	rsp.Status = event.RateStatusDone
	p.show(rsp)
	return Notes{}
}

func (c *connection) show(rsp *event.RateRsp) {
	rsp.ConnectionWindow, rsp.ConnectionInFlight = c.aimd.window, c.inFlight
}

func (p *path) show(rsp *event.RateRsp) {
	rsp.PathWindow, rsp.PathInFlight, rsp.PathAlpha = p.aimd.window, p.inFlight, p.aimd.alpha
}
