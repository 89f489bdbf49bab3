package receive

import (
	"metaroce/golden/engine/queue"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// ackEntry is an ACK that waits for the builder.
type ackEntry struct {
	network frame.Network // of the packet that triggered it
	base    wire.Base
	rsp     event.SackRsp
	flags   wire.AckFlag
	arrival uint64 // cycle
}

func newAckEntry(entry *joinEntry, rsp *event.SackRsp, outcome event.RxOutcome) ackEntry {
	return ackEntry{
		network: entry.slot.data.Network, base: entry.slot.data.Base, rsp: *rsp,
		flags: ackFlags(outcome, entry.reason), arrival: entry.arrival,
	}
}

// ackFlags is the flags of the ACK of a packet with an outcome (spec: rx.ack).
func ackFlags(outcome event.RxOutcome, reason wire.RefuseReason) wire.AckFlag {
	switch outcome {
	case event.RxOutcomeBeyondWindow:
		return wire.AckFlagOutOfWindow
	case event.RxOutcomeRepeated:
		return wire.AckFlagDuplicateSeen
	case event.RxOutcomeRefused:
		return wire.AckFlagRefused | wire.AckFlag(reason)<<8
	}
	return 0
}

// beatsMost is the beats of the longest ACK frame.
const beatsMost = (frame.AckBytesMost + frame.BeatBytes - 1) / frame.BeatBytes

// builder makes ACK frames and sends their beats (spec: rx.ack).
type builder struct {
	ready  uint64 // first cycle in which the next frame may start: the last start and that frame's beats later
	beats  gauge  // beats of started frames not yet taken from the output port
	frames queue.Fifo[started]
}

// started is a frame whose beats are not all in the output FIFO.
type started struct {
	start  uint64 // cycle
	sent   int    // beats
	bytes  []byte // of buffer
	buffer [beatsMost * frame.BeatBytes]byte
}

// newBuilder sizes the started frames by their credit: each has at least one beat.
func newBuilder() builder {
	return builder{frames: queue.NewFifo[started](profile.RxAxisFifoDepth)}
}

func (b *builder) close() {
	b.frames.Close()
	b.beats.close()
}

// TakeAxis takes the oldest beat from the port m_axis in this cycle.
func (r *Rx) TakeAxis() {
	r.AxisOut.Pop()
	r.builder.beats.next--
}

// build starts a frame and sends a beat of an earlier one.
func (r *Rx) build() {
	r.send()
	b := &r.builder
	if !r.acks.Has() || r.now < b.ready || b.beats.start+beatsMost > profile.RxAxisFifoDepth {
		return
	}
	f := b.frames.Push()
	f.start, f.sent = r.now, 0
	ack := r.ackOf(r.acks.Front())
	f.bytes = ack.Append(f.buffer[:0])
	n := (len(f.bytes) + frame.BeatBytes - 1) / frame.BeatBytes
	b.ready = r.now + uint64(n)
	b.beats.next += n
	r.Counters.Acks++
	r.acks.Pop()
}

// ackOf is the frame that answers an entry in this cycle.
func (r *Rx) ackOf(e *ackEntry) frame.Ack {
	c := r.tables.connection(e.rsp.Connection)
	ack := frame.Ack{
		Network: e.network.Reply(),
		Base: wire.Base{
			Path: e.base.Path, Epoch: e.base.Epoch, Connection: c.peer, Psn: e.rsp.Cumulative, Stamp: e.base.Stamp,
		},
		Ack: wire.Ack{
			Trigger: e.base.Psn, Hold: uint16(min(0xFFFF, r.now-e.arrival)), SackOffset: profile.SackOffset, Flags: e.flags,
			Credit: c.credit, Received: e.rsp.Received, CeMarked: e.rsp.CeMarked,
			Hint: c.hint, HintSequence: c.hintSequence, Vector: e.rsp.Vector,
		},
	}
	ack.Complete()
	return ack
}

// send puts the beat that is due into the output FIFO; frames start far enough apart for one beat a cycle.
func (r *Rx) send() {
	if !r.builder.frames.Has() {
		return
	}
	f := r.builder.frames.Front()
	if r.now < f.start+profile.RxAckCycles+uint64(f.sent) {
		return
	}
	rest := f.bytes[f.sent*frame.BeatBytes:]
	n := min(len(rest), frame.BeatBytes)
	beat := r.AxisOut.Push()
	*beat = event.RxAxisOut{Tkeep: frame.Keep(n), Tlast: n == len(rest)}
	copy(beat.Tdata[:], rest[:n])
	f.sent++
	if beat.Tlast {
		r.builder.frames.Pop()
	}
}
