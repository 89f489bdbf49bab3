package pipeline

import (
	"metaroce/golden/engine/queue"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

// RobRules carries out one operation of the reorder buffer wholly and appends the completions it lets retire; *rob.Table
// is the one that is right.
type RobRules interface {
	Apply(req *event.RobReq, rsp *event.RobRsp, retired []event.RobCqe) []event.RobCqe
	Head(connection uint32, stream uint16) (message uint32, open bool)
}

// Rob is the reorder buffer. The rules retire messages at issue, in no time; the walker then shows each retirement in
// its cycle, and the floors follow it.
type Rob struct {
	In          queue.Fifo[event.RobReq] // port s_req
	Out         queue.Fifo[event.RobRsp] // port m_rsp
	Update      event.RobDbgUpdate       // port dbg_update, if UpdateValid
	UpdateValid bool
	Quiet       bool // stat_quiet: the unit was quiet in the cycle before
	Counters    RobCounters
	Walker      Walker // ports m_cqe and dbg_floor

	rules   RobRules
	floors  floors
	line    queue.Line[robOp]
	scratch []event.RobCqe // completions of one operation
}

// RobCounters are the unit's counters; retired is the walker's.
type RobCounters struct {
	Verdict [event.RobVerdictClosed + 1]uint32 // operations of each verdict but OPENED
}

// robOp is an operation between its issue and the output FIFO.
type robOp struct {
	rsp   event.RobRsp
	head  uint32 // first message not yet complete in order, after the operation
	index int    // the stream's number, if messages retired
	first uint32 // the first of them
}

// NewRob returns the unit at cycle 0.
func NewRob(c profile.Config, rules RobRules) *Rob {
	return &Rob{
		In:      queue.NewFifo[event.RobReq](profile.RobInputFifoDepth),
		Out:     queue.NewFifo[event.RobRsp](profile.RobOutputFifoDepth),
		Walker:  newWalker(c.ReorderDepth),
		rules:   rules,
		floors:  newFloors(c),
		line:    queue.NewLine[robOp](profile.RobPipelineCycles),
		scratch: make([]event.RobCqe, 0, c.ReorderDepth),
	}
}

// Floor is the first message of a stream not yet retired by the walker, and whether the stream is open.
func (r *Rob) Floor(connection uint32, stream uint16) (message uint32, open bool) {
	return r.floors.get(connection, stream)
}

// Step closes a cycle in which the surroundings have done their pushes and pops.
func (r *Rob) Step() {
	quiet := r.line.Len() == 0 && r.Walker.idle()
	issue := r.mayIssue(quiet)
	r.arrive()
	r.Walker.step(&r.floors)
	if issue {
		r.issue()
	}
	r.Quiet = quiet
	r.line.Close()
	r.In.Close()
	r.Out.Close()
	r.Walker.close()
}

// mayIssue is rule rob.issue, besides cycle.pipeline.
func (r *Rob) mayIssue(quiet bool) bool {
	if !r.In.Has() || r.line.Len()+r.Out.Len() >= profile.RobOutputFifoDepth {
		return false
	}
	if r.line.Len()+r.Walker.runs.Len() >= profile.RobRunFifoDepth {
		return false
	}
	return quiet || !r.mustWait(r.In.Front())
}

// mustWait tells whether an operation issues only while the unit is quiet: it may touch ring entries that are not
// retired yet.
func (r *Rob) mustWait(req *event.RobReq) bool {
	if req.Op == event.RobOpOpen {
		return true
	}
	floor, open := r.floors.get(req.Connection, req.Stream)
	return open && !seq.Before32(req.Message, floor) && seq.Offset32(req.Message, floor) >= r.floors.depth
}

func (r *Rob) issue() {
	req, op := r.In.Front(), r.line.Enter()
	retired := r.rules.Apply(req, &op.rsp, r.scratch[:0])
	op.head, _ = r.rules.Head(req.Connection, req.Stream)
	if len(retired) > 0 {
		op.index, op.first = r.floors.index(req.Connection, req.Stream), retired[0].Message
		r.Walker.wait(retired)
	}
	if op.rsp.Verdict == event.RobVerdictOpened {
		r.floors.open(r.floors.index(req.Connection, req.Stream), req.Message)
	}
	r.In.Pop()
}

// arrive moves what leaves the pipeline into the output and run FIFOs, counts it and shows it.
func (r *Rob) arrive() {
	op := r.line.Leave()
	r.UpdateValid = op != nil
	if op == nil {
		return
	}
	rsp := &op.rsp
	*r.Out.Push() = *rsp
	if rsp.Retired > 0 {
		*r.Walker.runs.Push() = run{index: op.index, next: op.first, left: int(rsp.Retired)}
	}
	if int(rsp.Verdict) < len(r.Counters.Verdict) {
		r.Counters.Verdict[rsp.Verdict]++
	}
	r.Update = event.RobDbgUpdate{
		Connection: rsp.Connection, Stream: rsp.Stream, Message: rsp.Message, Verdict: rsp.Verdict, Head: op.head,
	}
}

// InFlight is the number of operations issued whose response is not in the output FIFO.
func (r *Rob) InFlight() int { return r.line.Len() }
