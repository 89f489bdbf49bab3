package vectors

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// ratePath follows one path as its sender does.
type ratePath struct {
	inFlight, received, marked uint32
}

// rateStimulus opens connections and paths and sends until windows are full, with ACKs that carry marks, losses, RTTs and
// hints between; time starts shortly before it wraps.
func rateStimulus() []engine.Stimulus {
	l := newList(3)
	connections, paths := configuration.Connections, configuration.Paths
	now := uint64(1<<48 - 200_000)
	for c := range connections - 1 {
		l.add(0, event.RateReq{
			Op: event.RateOpOpenConnection, Connection: uint32(c), Now: now, LossIsCongestion: c&1 == 1,
			Rate: []uint16{profile.HintNoLimit, 0x4c35, 0}[c%3], // no limit; 64 Mb/s and more; illegal
		})
		for p := range paths - 1 {
			l.add(0, event.RateReq{Op: event.RateOpOpenPath, Connection: uint32(c), Path: uint16(p), Now: now})
		}
	}
	state := make([]ratePath, (connections+1)*(paths+1))
	hint := uint16(65530)
	for range 260 {
		c, p := l.mostly(connections-1), l.mostly(paths-1)
		now = (now + uint64(l.IntN(2000))) & (1<<48 - 1)
		path := &state[c*paths+p]
		for range 1 + l.IntN(4) {
			l.rateSend(path, c, p, now)
		}
		if l.chance(140) {
			hint += uint16(l.IntN(3))
			l.rateAck(path, c, p, now, hint)
		}
		if l.chance(20) {
			l.pause(0, l.IntN(50))
		}
	}
	return l.beats
}

func (l *list) rateSend(p *ratePath, connection, path int, now uint64) {
	l.add(0, event.RateReq{
		Op: event.RateOpSend, Connection: uint32(connection), Path: uint16(path), Now: now & (1<<48 - 1),
		Bytes: uint16(64 + l.IntN(4200)),
	})
	p.inFlight++
}

func (l *list) rateAck(p *ratePath, connection, path int, now uint64, hint uint16) {
	acked := uint32(l.IntN(int(p.inFlight) + 1))
	p.inFlight -= acked
	p.received += acked
	if l.chance(60) {
		p.marked += uint32(l.IntN(int(acked) + 1))
	}
	r := event.RateReq{
		Op: event.RateOpAck, Connection: uint32(connection), Path: uint16(path), Now: now & (1<<48 - 1), Acked: uint16(acked),
		Received: p.received, CeMarked: p.marked, Lost: l.chance(20), HintSequence: hint,
		Rate: uint16(l.IntN(12))<<11 | uint16(1+l.IntN(2047)),
	}
	if !l.chance(30) {
		r.Rtt = uint32(500 + l.IntN(20_000))
	}
	switch l.IntN(24) {
	case 0:
		r.Received -= 5 // an older ACK than one before
	case 1:
		r.Rate &= 0xf800 // illegal
	case 2:
		r.HintSequence -= 3 // an older hint
	case 3:
		r.Rate = profile.HintNoLimit
	}
	l.add(0, r)
}
