// Package pipeline has the cycle-exact units that are one pipeline each: sack, rob and rate. Their rules are those of the
// rule packages, carried out wholly in the cycle of issue; what comes of it is delayed (spec: cycle.pipeline). A composite
// unit builds on them: it pushes into In, pops from Out, and calls Step once a cycle.
package pipeline

import (
	"metaroce/golden/engine/queue"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// SackRules carries out one operation of the SACK unit wholly; *sack.Table is the one that is right.
type SackRules interface {
	Apply(req *event.SackReq, rsp *event.SackRsp)
}

// Sack is the SACK unit.
type Sack struct {
	In          queue.Fifo[event.SackReq] // port s_req
	Out         queue.Fifo[event.SackRsp] // port m_rsp
	Update      event.SackDbgUpdate       // port dbg_update, if UpdateValid
	UpdateValid bool
	Counters    SackCounters

	rules SackRules
	line  queue.Line[sackOp]
}

// SackCounters are the unit's counters.
type SackCounters struct {
	Class   [event.SackClassClosed + 1]uint32 // packets and opens of each class but OPENED
	Refused uint32                            // packets of class NEW_* that must not be SACKed
}

// sackOp is an operation between its issue and the output FIFO.
type sackOp struct {
	rsp     event.SackRsp
	refused bool
}

// NewSack returns the unit at cycle 0.
func NewSack(rules SackRules) *Sack {
	return &Sack{
		In:    queue.NewFifo[event.SackReq](profile.SackInputFifoDepth),
		Out:   queue.NewFifo[event.SackRsp](profile.SackOutputFifoDepth),
		rules: rules,
		line:  queue.NewLine[sackOp](profile.SackPipelineCycles),
	}
}

// Step closes a cycle in which the surroundings have done their pushes and pops.
func (s *Sack) Step() {
	mayIssue := s.In.Has() && s.line.Len()+s.Out.Len() < profile.SackOutputFifoDepth
	s.arrive()
	if mayIssue {
		op := s.line.Enter()
		req := s.In.Front()
		s.rules.Apply(req, &op.rsp)
		op.refused = req.Refused
		s.In.Pop()
	}
	s.line.Close()
	s.In.Close()
	s.Out.Close()
}

// arrive moves what leaves the pipeline into the output FIFO, counts it and shows it.
func (s *Sack) arrive() {
	op := s.line.Leave()
	s.UpdateValid = op != nil
	if op == nil {
		return
	}
	rsp := &op.rsp
	*s.Out.Push() = *rsp
	s.Counters.count(rsp.Class, op.refused)
	s.Update = event.SackDbgUpdate{
		Connection: rsp.Connection, Path: rsp.Path, Psn: rsp.Psn,
		Class: rsp.Class, Cumulative: rsp.Cumulative, Next: rsp.Next,
	}
}

func (c *SackCounters) count(class event.SackClass, refused bool) {
	if int(class) < len(c.Class) {
		c.Class[class]++
	}
	isNew := class == event.SackClassNewInOrder || class == event.SackClassNewOutOfOrder
	if isNew && refused {
		c.Refused++
	}
}

// InFlight is the number of operations issued whose response is not in the output FIFO.
func (s *Sack) InFlight() int { return s.line.Len() }
