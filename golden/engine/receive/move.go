package receive

import (
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/wire"
)

// moveEntry is the payload of a packet that is to be moved out or thrown away.
type moveEntry struct {
	slot    *slot
	discard bool
}

// move works on the oldest payload (spec: rx.move).
func (r *Rx) move() {
	if !r.moves.Has() {
		return
	}
	entry := r.moves.Front()
	s := entry.slot
	if entry.discard {
		r.buffer.next -= s.data.Beats()
		r.leave(s)
		return
	}
	beats := s.data.Beats()
	last := s.moved+1 >= beats
	if beats > 0 && !r.Payload.Room() || last && !r.Rob.In.Room() {
		return
	}
	if beats > 0 {
		r.moveBeat(s, last)
	}
	if last {
		*r.Rob.In.Push() = counting(s)
		r.leave(s)
	}
}

func (r *Rx) leave(s *slot) {
	r.moves.Pop()
	r.parser.release(s)
}

// moveBeat puts the next beat of a payload into the payload FIFO.
func (r *Rx) moveBeat(s *slot, last bool) {
	rest := s.data.Payload[s.moved*frame.BeatBytes:]
	n := min(len(rest), frame.BeatBytes)
	beat := r.Payload.Push()
	*beat = event.RxPayload{Tkeep: frame.Keep(n), Tlast: last}
	copy(beat.Tdata[:], rest[:n])
	s.moved++
	r.buffer.next--
}

// counting asks the reorder buffer to count a packet's bytes.
func counting(s *slot) event.RobReq {
	base, data := &s.data.Base, &s.data.Data
	ordinal := uint32(0)
	if base.Opcode == wire.OpcodeSend || base.Opcode == wire.OpcodeSendImm {
		ordinal = data.Key
	}
	return event.RobReq{
		Op: event.RobOpPacket, Connection: base.Connection, Stream: data.Stream, Message: data.Message,
		Length: data.MessageLength, Bytes: data.PayloadLength, Opcode: base.Opcode, Ordinal: ordinal, Immediate: data.Immediate,
	}
}
