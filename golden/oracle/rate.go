package oracle

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Rate is the oracle of the rules rate.*. Make it with NewRate.
type Rate struct {
	connections, paths uint32
	conns              map[uint32]*rateConnection
	open               map[key]*ratePath
}

type rateConnection struct {
	cap, hint        uint16
	hintSequence     num
	hintValid        bool
	lossIsCongestion bool
	nextTime         num
	inFlight         num
	aimd             rateAIMD
}

type ratePath struct {
	rttValid             bool
	srtt, rttvar         num
	lastReceived, lastCe num
	inFlight             num
	aimd                 rateAIMD
}

// RateResult is all that one operation shows: the response, the debug port and the conditions that have counters of their
// own.
type RateResult struct {
	Rsp         event.RateRsp
	Update      event.RateDbgUpdate
	IllegalRate bool
	StaleAck    bool
}

// NewRate makes an oracle in which everything is closed.
func NewRate(connections, paths int) *Rate {
	return &Rate{uint32(connections), uint32(paths), map[uint32]*rateConnection{}, map[key]*ratePath{}}
}

// Apply carries out one operation (spec: rate.open, rate.closed, rate.ack, rate.send).
func (r *Rate) Apply(req event.RateReq) RateResult {
	res := RateResult{Rsp: event.RateRsp{
		Op: req.Op, Connection: req.Connection, Path: req.Path, Status: event.RateStatusClosed,
	}}
	inRange := req.Connection < r.connections
	k := key{req.Connection, uint32(req.Path)}
	switch req.Op {
	case event.RateOpOpenConnection:
		if inRange {
			res.IllegalRate = illegal(req.Rate)
			r.conns[req.Connection] = newConnection(req)
			res.show(event.RateStatusDone, r.conns[req.Connection], nil)
		}
	case event.RateOpOpenPath:
		if inRange && k[1] < r.paths {
			r.open[k] = newPath(req)
			res.show(event.RateStatusDone, nil, r.open[k])
		}
	default:
		if c, p := r.conns[req.Connection], r.open[k]; c != nil && p != nil {
			res.carryOut(c, p, req)
		}
	}
	res.Update.Op, res.Update.Connection, res.Update.Path = req.Op, req.Connection, req.Path
	res.Update.Status = res.Rsp.Status
	return res
}

func newConnection(req event.RateReq) *rateConnection {
	c := &rateConnection{
		cap: req.Rate, hint: profile.HintNoLimit, hintSequence: n(0), lossIsCongestion: req.LossIsCongestion,
		nextTime: n(req.Now).times(pow2(10)).mod(58), inFlight: n(0),
		aimd: newRateAIMD(profile.ConnectionWindowInitial, req.Now),
	}
	if illegal(req.Rate) {
		c.cap = profile.HintNoLimit
	}
	return c
}

func newPath(req event.RateReq) *ratePath {
	return &ratePath{
		srtt: n(0), rttvar: n(0), lastReceived: n(0), lastCe: n(0), inFlight: n(0),
		aimd: newRateAIMD(profile.PathWindowInitial, req.Now),
	}
}

func (res *RateResult) carryOut(c *rateConnection, p *ratePath, req event.RateReq) {
	if req.Op == event.RateOpAck {
		res.ack(c, p, req)
		res.show(event.RateStatusDone, c, p)
		return
	}
	status, departure := send(c, p, req)
	res.show(status, c, p)
	res.Rsp.Departure = departure.fits("departure", 58)
}

// show fills in the response and the debug fields from the contexts that the operation names, in the widths of the spec.
func (res *RateResult) show(status event.RateStatus, c *rateConnection, p *ratePath) {
	res.Rsp.Status = status
	if c != nil {
		res.Rsp.ConnectionWindow = uint32(c.aimd.window.fits("window", 24))
		res.Rsp.ConnectionInFlight = uint32(c.inFlight.fits("in_flight of the connection", 24))
		c.nextTime.fits("next_time", 58)
		c.aimd.fits()
	}
	if p != nil {
		res.Rsp.PathWindow = uint32(p.aimd.window.fits("window", 24))
		res.Rsp.PathInFlight = uint16(p.inFlight.fits("in_flight of the path", 16))
		res.Rsp.PathAlpha = uint16(p.aimd.alpha.fits("alpha", 16))
		res.Update.Srtt = p.srtt.fits("srtt", 35)
		res.Update.Rttvar = p.rttvar.fits("rttvar", 34)
		p.aimd.fits()
	}
}

// ack is ACK, step by step (spec: rate.ack).
func (res *RateResult) ack(c *rateConnection, p *ratePath, req event.RateReq) {
	p.sample(n(uint64(req.Rtt))) // 1
	srtt := p.srtt.over(n(8))

	received := n(uint64(req.Received)).minus(p.lastReceived).mod(32) // 2
	ce := n(uint64(req.CeMarked)).minus(p.lastCe).mod(32)
	if res.StaleAck = !received.below(pow2(31)); res.StaleAck {
		received, ce = n(0), n(0)
	} else {
		received = least(received, n(65535))
		ce = least(ce, received)
		p.lastReceived, p.lastCe = n(uint64(req.Received)), n(uint64(req.CeMarked))
	}
	loss := bit(req.Lost && c.lossIsCongestion)
	received, ce = received.plus(loss), ce.plus(loss)

	acked := n(uint64(req.Acked))
	p.aimd.update(n(req.Now), srtt, acked, received, ce, n(profile.PathWindowMax)) // 3
	c.aimd.update(n(req.Now), srtt, acked, received, ce, n(profile.ConnectionWindowMax))
	p.inFlight = p.inFlight.minus(least(acked, p.inFlight)) // 4
	c.inFlight = c.inFlight.minus(least(acked, c.inFlight))

	sequence := n(uint64(req.HintSequence)) // 5
	if res.IllegalRate = illegal(req.Rate); !res.IllegalRate {
		if !c.hintValid || !before(sequence, c.hintSequence, 16) {
			c.hint, c.hintSequence, c.hintValid = req.Rate, sequence, true
		}
	}
}

// sample takes an RTT (spec: rate.ack, step 1).
func (p *ratePath) sample(rtt num) {
	if rtt.zero() {
		return
	}
	if !p.rttValid {
		p.srtt, p.rttvar, p.rttValid = rtt.times(n(8)), rtt.times(n(2)), true
		return
	}
	err := rtt.minus(p.srtt.over(n(8)))
	p.srtt = p.srtt.plus(err)
	p.rttvar = p.rttvar.minus(p.rttvar.over(n(4))).plus(err.abs())
}
