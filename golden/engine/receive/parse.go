package receive

import (
	"math/bits"

	"metaroce/golden/engine/queue"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
)

// Ways of dropping a frame.
const rejects = frame.Rejects

// slots is the frames that can be inside at once: one that arrives, those the parser holds a credit for, and those with an
// entry in the join or the move FIFO.
const slots = 1 + profile.RxHeaderFifoDepth + profile.RxJoinFifoDepth + profile.RxMoveFifoDepth

// slot is one frame, from its first beat to the last beat of its payload.
type slot struct {
	data  frame.Data // Payload is a part of bytes
	beats int        // popped so far
	kept  int        // of them in bytes: the first max_frame_beats
	last  int        // bytes of the last beat
	bad   bool       // tuser of the last beat
	moved int        // beats of the payload moved out
	bytes [profile.RxMaxFrameBeats * frame.BeatBytes]byte
}

// parser collects beats to frames and judges them a fixed time after their last beat (spec: rx.parse).
type parser struct {
	arriving *slot // frame whose beats come in; it has no beat yet between frames
	verdicts queue.Line[*slot]
	free     []*slot
}

func newParser() parser {
	p := parser{verdicts: queue.NewLine[*slot](profile.RxParseCycles)}
	frames := make([]slot, slots)
	for i := range frames {
		p.free = append(p.free, &frames[i])
	}
	p.arriving = p.take()
	return p
}

// take takes a free slot and clears what a frame counts in it.
func (p *parser) take() *slot {
	s := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	s.beats, s.kept, s.last, s.bad, s.moved = 0, 0, 0, false, 0
	return s
}

func (p *parser) release(s *slot) { p.free = append(p.free, s) }

// parse pops one beat and gives the verdict that is due (spec: rx.parse).
func (r *Rx) parse() {
	if s := r.parser.verdicts.Leave(); s != nil {
		r.judge(*s)
	}
	s := r.parser.arriving
	keeps := s.beats < profile.RxMaxFrameBeats
	room := r.buffer.start < profile.RxPayloadBufferBeats || !keeps
	if !r.Axis.Has() || r.credits.start >= profile.RxHeaderFifoDepth || !room {
		return
	}
	beat := r.Axis.Front()
	if keeps {
		copy(s.bytes[s.kept*frame.BeatBytes:], beat.Tdata[:])
		s.kept++
		r.buffer.next++
	}
	s.beats++
	if beat.Tlast {
		s.last, s.bad = bits.OnesCount64(beat.Tkeep), beat.Tuser
		*r.parser.verdicts.Enter() = s
		r.credits.next++
		r.parser.arriving = r.parser.take()
	}
	r.Axis.Pop()
}

// judge gives the verdict on a whole frame: a good header goes on, of anything else nothing stays.
func (r *Rx) judge(s *slot) {
	r.Counters.Frames++
	reject := s.check()
	if reject == frame.Accepted {
		r.buffer.next += s.data.Beats() - s.kept
		*r.headers.Push() = s
		return
	}
	r.Counters.Rejected[reject]++
	r.buffer.next -= s.kept
	r.credits.next--
	r.parser.release(s)
}

// check is rule rx.check.
func (s *slot) check() frame.Reject {
	switch {
	case s.bad:
		return frame.BadFrame
	case s.beats > profile.RxMaxFrameBeats:
		return frame.Oversize
	}
	return frame.Receive(s.bytes[:(s.beats-1)*frame.BeatBytes+s.last], &s.data)
}
