package sack

import (
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/oracle"
	"metaroce/golden/seq"
)

// faulty is a Table with one planted fault: before and after see the request and the context around the operation.
type faulty struct {
	*Table
	before func(c *context, req *event.SackReq)
	after  func(old, c *context, req *event.SackReq, rsp *event.SackRsp)
}

func (f *faulty) Apply(req *event.SackReq, rsp *event.SackRsp) {
	c := f.at(req.Connection, req.Path)
	if c == nil {
		f.Table.Apply(req, rsp)
		return
	}
	changed, old := *req, *c
	if f.before != nil {
		f.before(c, &changed)
	}
	f.Table.Apply(&changed, rsp)
	rsp.Psn = req.Psn
	if f.after != nil {
		f.after(&old, c, req, rsp)
	}
}

// faults are mistakes that implementations make. Each must be found, or the comparison proves nothing against it.
var faults = map[string]faulty{
	"sequence numbers compared without the wrap": {before: func(c *context, req *event.SackReq) {
		if req.Op == event.SackOpPacket && req.Psn < uint32(c.base) {
			req.Psn = uint32(c.base) - 1
		}
	}},
	"half the range is beyond, not old": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassOld && req.Psn-uint32(old.base) == 1<<31 {
			rsp.Class = event.SackClassBeyond
		}
	}},
	"window one packet too long": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassBeyond && req.Psn-uint32(old.base) == 256 {
			rsp.Class = event.SackClassNewOutOfOrder
		}
	}},
	"bit 255 of the vector lost": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		rsp.Vector[3] &^= 1 << 63
	}},
	"last bit of a word not cleared when base passes it": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if last := uint32(c.base) - 1; c.base != old.base && last%64 == 63 && old.next != old.base {
			c.ring.set(last)
		}
	}},
	"OPEN keeps the set": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassOpened {
			c.ring = old.ring
		}
	}},
	"refused packet put into the set": {before: func(c *context, req *event.SackReq) { req.Refused = false }},
	"refused packet raises next": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if psn := seq.PSN(req.Psn); req.Refused && isNew(rsp.Class) && psn+1-c.base > c.next-c.base {
			c.next = psn + 1
		}
	}},
	"CE change does not ask for an ACK": {before: func(c *context, req *event.SackReq) { c.lastCe = req.Ce }},
	"packets after an ACK counted from one": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.AckNow {
			c.pending = 1
		}
	}},
	"no ACK for the packet that closes the hole": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassNewInOrder && old.next != old.base && c.next == c.base && !req.AckRequest && !req.Tail {
			rsp.AckNow = false
		}
	}},
	"duplicates not counted as received": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassDuplicate {
			c.received--
		}
	}},
	"next falls back": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassNewOutOfOrder && !req.Refused {
			c.next = seq.PSN(req.Psn) + 1
		}
	}},
	"old packets not counted as marked": {after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
		if rsp.Class == event.SackClassOld {
			c.ceMarked = old.ceMarked
		}
	}},
}

// plantedSeeds is how many fixed histories a fault may take to show.
const plantedSeeds = 200

func TestOracleFindsPlantedFaults(t *testing.T) {
	for _, name := range names(faults) {
		fault := faults[name]
		t.Run(name, func(t *testing.T) {
			for seed := range plantedSeeds {
				f := fault
				f.Table = New(testConnections, testPaths)
				if _, err := judge(&f, stimulus().Example(seed)); err != nil {
					t.Logf("found with seed %d: %v", seed, err)
					return
				}
			}
			t.Errorf("not found in %d histories", plantedSeeds)
		})
	}
}

func TestOracleSeesEveryFieldOfTheResponse(t *testing.T) {
	for field := range oracle.Fields(&event.SackRsp{}) {
		var name string
		f := faulty{Table: New(testConnections, testPaths), after: func(old, c *context, req *event.SackReq, rsp *event.SackRsp) {
			name = oracle.Flip(rsp, field)
		}}
		if _, err := judge(&f, []step{open(7)}); err == nil {
			t.Errorf("a changed %s was not seen", name)
		}
	}
}
