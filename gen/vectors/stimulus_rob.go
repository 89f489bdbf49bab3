package vectors

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/wire"
)

// robMessage is a message whose packets are being sent.
type robMessage struct {
	number, length, sent uint32
	opcode               wire.Opcode
}

// robStream follows one stream as its sender does.
type robStream struct {
	next uint32
	open []robMessage
}

// robStimulus opens every stream but the last and sends messages of several packets on all of them, the packets mixed;
// some are zero bytes long, some beyond the ring, repeated, or contradict themselves.
func robStimulus() []engine.Stimulus {
	l := newList(2)
	streams := configuration.Streams
	state := make([]robStream, configuration.Connections*streams)
	for i := range len(state) - 1 {
		state[i].next = []uint32{0, 1<<32 - 10, 1<<31 - 5}[i%3]
		l.add(0, event.RobReq{Op: event.RobOpOpen, Connection: uint32(i / streams), Stream: uint16(i % streams), Message: state[i].next})
	}
	for range 600 {
		at := l.IntN(len(state))
		l.robPacket(&state[at], at)
		if l.chance(20) {
			l.pause(0, l.IntN(60))
		}
	}
	l.robRing()
	l.add(0, event.RobReq{Op: event.RobOpOpen, Connection: 0, Stream: uint16(streams), Message: 1})
	l.add(0, event.RobReq{Op: event.RobOpPacket, Connection: uint32(configuration.Connections), Message: 1})
	return l.beats
}

// robPacket sends the next packet of one of the stream's messages, or something that a sender must not send.
func (l *list) robPacket(s *robStream, at int) {
	if len(s.open) == 0 || len(s.open) < 6 && l.chance(120) {
		length := uint32(0)
		if !l.chance(40) {
			length = uint32(1 + l.IntN(3000))
		}
		s.open = append(s.open, robMessage{number: s.next, length: length, opcode: wire.Opcode(1 + l.IntN(4))})
		s.next++
	}
	i := l.IntN(len(s.open))
	m := &s.open[i]
	bytes := min(m.length-m.sent, uint32(1+l.IntN(1024)))
	r := event.RobReq{
		Op: event.RobOpPacket, Connection: uint32(at / configuration.Streams), Stream: uint16(at % configuration.Streams),
		Message: m.number, Length: m.length, Bytes: uint16(bytes), Opcode: m.opcode, Ordinal: m.number * 3, Immediate: l.Uint32(),
	}
	switch k := l.IntN(32); k {
	case 0:
		r.Length++ // INCONSISTENT, unless it is the first packet
		l.add(0, r)
		return
	case 1:
		r.Message -= 40 // STALE
		l.add(0, r)
		return
	case 2:
		r.Message += uint32(configuration.ReorderDepth + l.IntN(4)) // BEYOND, mostly
		l.add(0, r)
		return
	case 3:
		r.Bytes = 65535 // more than the message has
		l.add(0, r)
		return
	}
	l.add(0, r)
	if m.sent += bytes; m.sent == m.length {
		s.open = append(s.open[:i], s.open[i+1:]...)
	}
}

// robRing fills a ring from its last entry to its first, on a stream opened again, and retires it at once.
func (l *list) robRing() {
	const first = 1<<32 - 3
	depth := uint32(configuration.ReorderDepth)
	at := func(op event.RobOp, message uint32) {
		l.add(0, event.RobReq{Op: op, Connection: 2, Stream: 1, Message: message, Length: 5, Bytes: 5, Opcode: wire.OpcodeSend, Ordinal: message})
	}
	at(event.RobOpOpen, first)
	at(event.RobOpPacket, first+depth)
	for d := depth - 1; d < depth; d-- {
		at(event.RobOpPacket, first+d)
	}
	at(event.RobOpPacket, first+depth)
	at(event.RobOpPacket, first)
}
