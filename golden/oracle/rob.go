package oracle

import (
	"math/big"

	"metaroce/golden/event"
)

// Rob is the oracle of the rules rob.context, rob.open and rob.packet. Make it with NewRob.
type Rob struct {
	connections, streams uint32
	depth                position
	open                 map[key]*robStream
}

type robStream struct {
	head     position
	messages map[position]*robMessage // those started and not retired
}

type robMessage struct {
	first    event.RobReq // the packet that started it
	received *big.Int     // bytes
}

// NewRob makes an oracle in which every stream is closed.
func NewRob(connections, streams, depth int) *Rob {
	return &Rob{uint32(connections), uint32(streams), position(depth), map[key]*robStream{}}
}

// Apply carries out one operation; the completions are in order, the update is what the debug port shows (spec: rob.open,
// rob.packet).
func (r *Rob) Apply(req event.RobReq) (event.RobRsp, []event.RobCqe, event.RobDbgUpdate) {
	rsp := event.RobRsp{
		Op: req.Op, Connection: req.Connection, Stream: req.Stream, Message: req.Message, Verdict: event.RobVerdictClosed,
	}
	update := event.RobDbgUpdate{Connection: req.Connection, Stream: req.Stream, Message: req.Message}
	var cqes []event.RobCqe
	k := key{req.Connection, uint32(req.Stream)}
	if k[0] < r.connections && k[1] < r.streams && req.Op == event.RobOpOpen {
		r.open[k] = &robStream{head: start(req.Message), messages: map[position]*robMessage{}}
		rsp.Verdict = event.RobVerdictOpened
	} else if s := r.open[k]; s != nil {
		rsp.Verdict = s.packet(req, r.depth)
		cqes = s.retire()
	}
	if s := r.open[k]; s != nil {
		update.Head = s.head.number()
	}
	rsp.Retired, update.Verdict = uint16(len(cqes)), rsp.Verdict
	return rsp, cqes, update
}

func (s *robStream) packet(req event.RobReq, depth position) event.RobVerdict {
	at := place(req.Message, s.head)
	m := s.messages[at]
	switch {
	case at < s.head:
		return event.RobVerdictStale
	case at >= s.head+depth:
		return event.RobVerdictBeyond
	case m == nil:
		m = &robMessage{first: req, received: new(big.Int)}
	case m.complete():
		return event.RobVerdictStale
	case m.first.Length != req.Length || m.first.Opcode != req.Opcode:
		return event.RobVerdictInconsistent
	}
	sum := new(big.Int).Add(m.received, big.NewInt(int64(req.Bytes)))
	if sum.Cmp(big.NewInt(int64(req.Length))) > 0 {
		return event.RobVerdictInconsistent
	}
	m.received = sum
	s.messages[at] = m
	if m.complete() {
		return event.RobVerdictCompleted
	}
	return event.RobVerdictCounted
}

func (m *robMessage) complete() bool { return m.received.Cmp(big.NewInt(int64(m.first.Length))) == 0 }

// retire finds nothing to do unless the packet before it completed the head's message: that is the rule's "in every other
// case".
func (s *robStream) retire() []event.RobCqe {
	var cqes []event.RobCqe
	for s.messages[s.head] != nil && s.messages[s.head].complete() {
		f := s.messages[s.head].first
		cqes = append(cqes, event.RobCqe{
			Connection: f.Connection, Stream: f.Stream, Message: s.head.number(),
			Length: f.Length, Opcode: f.Opcode, Ordinal: f.Ordinal, Immediate: f.Immediate,
		})
		delete(s.messages, s.head)
		s.head++
	}
	return cqes
}
