// Package receive is the cycle-exact receive engine: frames in; placement commands, payload, completions and ACK frames
// out. It is made of actions on FIFOs; each looks at the state at the start of the cycle only, so that the order in which
// Step carries them out does not matter but where it is said (spec: cycle.flow, rx.*).
//
//	s_axis -> parse -> headers -> admit -> SACK unit -> join -> m_place
//	                   buffer               joins        |-> moves -> move -> m_payload
//	s_cfg -> configure                                   |-> acks     |-> reorder buffer -> m_cqe
//	                                                            |-> build -> m_axis
package receive

import (
	"metaroce/golden/engine/pipeline"
	"metaroce/golden/engine/queue"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Rx is the receive engine.
type Rx struct {
	Axis        queue.Fifo[event.RxAxisIn]  // port s_axis
	Cfg         queue.Fifo[event.RxCfg]     // port s_cfg
	Place       queue.Fifo[event.RxPlace]   // port m_place
	Payload     queue.Fifo[event.RxPayload] // port m_payload
	AxisOut     queue.Fifo[event.RxAxisOut] // port m_axis; take with TakeAxis
	Update      event.RxDbgUpdate           // port dbg_update, if UpdateValid
	UpdateValid bool
	Counters    Counters
	Sack        *pipeline.Sack
	Rob         *pipeline.Rob // its Walker.Out is the port m_cqe

	now     uint64
	tables  tables
	parser  parser
	headers queue.Fifo[*slot]
	joins   queue.Fifo[joinEntry]
	moves   queue.Fifo[moveEntry]
	acks    queue.Fifo[ackEntry]
	builder builder
	buffer  gauge // beats of the payload buffer in use
	credits gauge // frames between the parser and admit
	inside  gauge // headers and opens admitted and not finished
}

// Counters are the unit's counters that are not named after a reason to drop a frame.
type Counters struct {
	Frames                                     uint32
	Unknown, Placed, Repeated, Beyond, Refused uint32
	Acks, RobStale, RobInconsistent            uint32
	CfgIgnored                                 uint32
	Rejected                                   [rejects]uint32
}

// New returns the receive engine at cycle 0, around rules of the SACK unit and the reorder buffer.
func New(c profile.Config, sack pipeline.SackRules, rob pipeline.RobRules) *Rx {
	return &Rx{
		Axis:    queue.NewFifo[event.RxAxisIn](profile.RxBeatFifoDepth),
		Cfg:     queue.NewFifo[event.RxCfg](profile.RxCfgFifoDepth),
		Place:   queue.NewFifo[event.RxPlace](profile.RxPlaceFifoDepth),
		Payload: queue.NewFifo[event.RxPayload](profile.RxPayloadFifoDepth),
		AxisOut: queue.NewFifo[event.RxAxisOut](profile.RxAxisFifoDepth),
		Sack:    pipeline.NewSack(sack),
		Rob:     pipeline.NewRob(c, rob),
		tables:  newTables(c),
		parser:  newParser(),
		headers: queue.NewFifo[*slot](profile.RxHeaderFifoDepth),
		joins:   queue.NewFifo[joinEntry](profile.RxJoinFifoDepth),
		moves:   queue.NewFifo[moveEntry](profile.RxMoveFifoDepth),
		acks:    queue.NewFifo[ackEntry](profile.RxAckFifoDepth),
		builder: newBuilder(),
	}
}

// Step closes a cycle in which the surroundings have done their pushes and pops.
func (r *Rx) Step() {
	r.build() // reads the connection table, which configure writes for the next cycle
	r.parse()
	r.admit() // reads the floors, which configure and follow write for the next cycle
	r.configure()
	r.join()
	r.move()
	r.finish()
	r.follow()
	r.Sack.Step()
	r.Rob.Step()
	r.close()
}

// finish takes the reorder buffer's responses as they come (spec: rx.move).
func (r *Rx) finish() {
	if !r.Rob.Out.Has() {
		return
	}
	switch r.Rob.Out.Front().Verdict {
	case event.RobVerdictStale, event.RobVerdictBeyond:
		r.Counters.RobStale++
	case event.RobVerdictInconsistent:
		r.Counters.RobInconsistent++
	}
	r.Rob.Out.Pop()
	r.inside.next--
}

// follow copies the floor that the reorder buffer shows (spec: rx.tables).
func (r *Rx) follow() {
	if r.Rob.Walker.FloorValid {
		f := &r.Rob.Walker.Floor
		r.tables.follow(f.Connection, f.Stream, f.Floor)
	}
}

// drained tells whether nothing is inside and the reorder buffer was quiet in the cycle before (spec: rx.tables).
func (r *Rx) drained() bool { return r.inside.start == 0 && r.Rob.Quiet }

func (r *Rx) close() {
	r.Axis.Close()
	r.Cfg.Close()
	r.Place.Close()
	r.Payload.Close()
	r.AxisOut.Close()
	r.headers.Close()
	r.joins.Close()
	r.moves.Close()
	r.acks.Close()
	r.parser.verdicts.Close()
	r.builder.close()
	r.buffer.close()
	r.credits.close()
	r.inside.close()
	r.now++
}

// gauge is a number that shows its value at the start of the cycle, whatever is added to next in it.
type gauge struct{ start, next int }

func (g *gauge) close() { g.start = g.next }
