package vectors

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// sackStarts is where the PSNs of the paths begin: before the wrap, at half the range, and elsewhere.
var sackStarts = [...]uint32{1<<32 - 40, 1<<31 - 20, 0, 1<<32 - 300, 1<<24 - 3}

// sackPath follows one path as its sender does.
type sackPath struct {
	next uint32 // the sender's next PSN
	held []uint32
}

// sackStimulus opens every path but the last, and sends on all of them: in order, reordered, repeated, before and beyond
// the window; at times without a pause on one path, at times with pauses.
func sackStimulus() []engine.Stimulus {
	l := newList(1)
	connections, paths := configuration.Connections, configuration.Paths
	state := make([]sackPath, connections*paths)
	for i := range len(state) - 1 {
		state[i].next = sackStarts[i%len(sackStarts)]
		l.add(0, event.SackReq{Op: event.SackOpOpen, Connection: uint32(i / paths), Path: uint16(i % paths), Psn: state[i].next})
	}
	for range 130 {
		at := l.IntN(len(state))
		for range 1 + l.IntN(6) { // a run on one path, back to back
			l.sackPacket(&state[at], at, paths)
		}
		if l.chance(40) {
			l.pause(0, l.IntN(40))
		}
	}
	l.sackEdges(paths)
	l.add(0, event.SackReq{Op: event.SackOpOpen, Connection: uint32(connections), Path: 0, Psn: 7})
	l.add(0, event.SackReq{Op: event.SackOpPacket, Connection: 0, Path: uint16(paths), Psn: 7})
	return l.beats
}

// sackPacket sends one packet of a path.
func (l *list) sackPacket(p *sackPath, at, paths int) {
	psn := p.next
	switch k := l.IntN(16); {
	case k < 8: // in order
		p.next++
	case k < 10: // the packet is held back, a later one goes first
		p.held = append(p.held, psn)
		p.next++
		psn = p.next
		p.next++
	case k < 13 && len(p.held) == 0:
		p.next++
	case k < 13: // one that was held back
		i := l.IntN(len(p.held))
		psn = p.held[i]
		p.held = append(p.held[:i], p.held[i+1:]...)
	case k < 15: // seen before, perhaps
		psn -= uint32(1 + l.IntN(20))
	default: // far away on either side
		psn += uint32(l.IntN(1024)) - 512
	}
	refused := l.chance(12)
	if refused {
		p.held = append(p.held, psn) // it comes again, else the window would stand still
	}
	l.add(0, event.SackReq{
		Op: event.SackOpPacket, Connection: uint32(at / paths), Path: uint16(at % paths), Psn: psn, Ce: l.chance(30),
		AckRequest: l.chance(20), Tail: l.chance(20), Refused: refused,
	})
}

// sackEdges fills a window from its last bit to its first, on a path opened again.
func (l *list) sackEdges(paths int) {
	base := ^uint32(127) // 128 before the wrap
	at := func(op event.SackOp, psn uint32) {
		l.add(0, event.SackReq{Op: op, Connection: 1, Path: uint16(paths - 1), Psn: psn})
	}
	at(event.SackOpOpen, base)
	const window = profile.WindowPackets
	for _, d := range []uint32{window - 1, window, 1<<31 - 1, 1 << 31, 1<<32 - 1, window - 1} {
		at(event.SackOpPacket, base+d)
	}
	for d := uint32(window - 2); d < window; d-- {
		at(event.SackOpPacket, base+d)
	}
	at(event.SackOpPacket, base+window)
}
