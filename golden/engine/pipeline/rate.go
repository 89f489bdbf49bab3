package pipeline

import (
	"metaroce/golden/cc"
	"metaroce/golden/engine/queue"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// RateRules carries out one operation of the rate unit wholly; *cc.Table is the one that is right.
type RateRules interface {
	Apply(req *event.RateReq, rsp *event.RateRsp) cc.Notes
}

// Rate is the rate unit.
type Rate struct {
	In          queue.Fifo[event.RateReq] // port s_req
	Out         queue.Fifo[event.RateRsp] // port m_rsp
	Update      event.RateDbgUpdate       // port dbg_update, if UpdateValid
	UpdateValid bool
	Counters    RateCounters

	rules RateRules
	line  queue.Line[rateOp]
}

// RateCounters are the unit's counters.
type RateCounters struct {
	Status      [event.RateStatusClosed + 1]uint32 // operations of each status
	IllegalRate uint32
	StaleAck    uint32
}

// rateOp is an operation between its issue and the output FIFO.
type rateOp struct {
	rsp   event.RateRsp
	notes cc.Notes
}

// NewRate returns the unit at cycle 0.
func NewRate(rules RateRules) *Rate {
	return &Rate{
		In:    queue.NewFifo[event.RateReq](profile.RateInputFifoDepth),
		Out:   queue.NewFifo[event.RateRsp](profile.RateOutputFifoDepth),
		rules: rules,
		line:  queue.NewLine[rateOp](profile.RatePipelineCycles),
	}
}

// Step closes a cycle in which the surroundings have done their pushes and pops.
func (r *Rate) Step() {
	mayIssue := r.In.Has() && r.line.Len()+r.Out.Len() < profile.RateOutputFifoDepth
	r.arrive()
	if mayIssue {
		op := r.line.Enter()
		op.notes = r.rules.Apply(r.In.Front(), &op.rsp)
		r.In.Pop()
	}
	r.line.Close()
	r.In.Close()
	r.Out.Close()
}

// arrive moves what leaves the pipeline into the output FIFO, counts it and shows it.
func (r *Rate) arrive() {
	op := r.line.Leave()
	r.UpdateValid = op != nil
	if op == nil {
		return
	}
	rsp := &op.rsp
	*r.Out.Push() = *rsp
	r.Counters.count(op)
	r.Update = event.RateDbgUpdate{
		Op: rsp.Op, Connection: rsp.Connection, Path: rsp.Path, Status: rsp.Status,
		Srtt: op.notes.Srtt, Rttvar: op.notes.Rttvar,
	}
}

func (c *RateCounters) count(op *rateOp) {
	c.Status[op.rsp.Status]++
	if op.notes.IllegalRate {
		c.IllegalRate++
	}
	if op.notes.StaleAck {
		c.StaleAck++
	}
}

// InFlight is the number of operations issued whose response is not in the output FIFO.
func (r *Rate) InFlight() int { return r.line.Len() }
