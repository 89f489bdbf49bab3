package cc

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

// roundLimit is where the counters of a round, and what one ACK adds to them, saturate (16 bits).
const roundLimit = 1<<16 - 1

// ack is ACK; the numbers are the steps of the rule (spec: rate.ack).
func ack(c *connection, p *path, req *event.RateReq) Notes {
	var notes Notes
	p.rtt.sample(req.Rtt) // 1
	srtt := p.rtt.ns()
	received, ce, stale := p.deltas(req) // 2
	notes.StaleAck = stale
	if req.Lost && c.lossIsCongestion {
		received++
		ce++
	}
	acked := uint32(req.Acked)
	p.aimd.update(req.Now, srtt, acked, received, ce, profile.PathWindowMax) // 3
	c.aimd.update(req.Now, srtt, acked, received, ce, profile.ConnectionWindowMax)
	p.inFlight -= min(req.Acked, p.inFlight) // 4
	c.inFlight -= min(acked, c.inFlight)
	notes.IllegalRate = !c.takeHint(req.Rate, req.HintSequence) // 5
	return notes
}

// deltas is what the path's counters moved by since the last ACK that was not stale, each at most 65535 packets and ce at
// most received; both are 0 for a stale ACK, which leaves the path as it is (spec: rate.ack, step 2).
func (p *path) deltas(req *event.RateReq) (received, ce uint32, stale bool) {
	if seq.Before32(req.Received, p.lastReceived) {
		return 0, 0, true
	}
	received = min(seq.Offset32(req.Received, p.lastReceived), roundLimit)
	ce = min(seq.Offset32(req.CeMarked, p.lastCe), received)
	p.lastReceived, p.lastCe = req.Received, req.CeMarked
	return received, ce, false
}

// takeHint stores a hint unless a newer one is known; false if the code is illegal (spec: rate.ack, step 5).
func (c *connection) takeHint(rate, sequence uint16) bool {
	if !legal(rate) {
		return false
	}
	if !c.hintValid || !seq.Before16(sequence, c.hintSequence) {
		c.hint, c.hintSequence, c.hintValid = rate, sequence, true
	}
	return true
}

// rtt is a path's smoothed round-trip time and its variation (spec: rate.ack, step 1).
type rtt struct {
	srtt   uint64 // 2^-3 ns, 35 bits
	rttvar uint64 // 2^-2 ns, 34 bits
	valid  bool   // there was a sample
}

// ns is the smoothed RTT in ns; 0 while there was no sample.
func (r *rtt) ns() uint64 { return r.srtt >> profile.SrttShift }

// sample takes one RTT in ns; 0 is no sample.
func (r *rtt) sample(ns uint32) {
	switch {
	case ns == 0:
	case !r.valid:
		*r = rtt{srtt: uint64(ns) << profile.SrttShift, rttvar: uint64(ns) << (profile.RttvarShift - 1), valid: true}
	default:
		err := int64(ns) - int64(r.ns())
		r.srtt += uint64(err) // two's complement: the sum stays positive, because err >= -srtt/8
		r.rttvar += uint64(max(err, -err)) - r.rttvar>>profile.RttvarShift
	}
}
