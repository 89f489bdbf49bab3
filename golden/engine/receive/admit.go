package receive

import (
	"metaroce/golden/event"
	"metaroce/golden/seq"
	"metaroce/golden/wire"
)

// ecnCe is the ECN field of a packet that experienced congestion (RFC 3168).
const ecnCe = 3

// admit asks the SACK unit about the oldest header, and refuses what must be refused before it is marked
// (spec: rx.admit).
func (r *Rx) admit() {
	if !r.headers.Has() || r.Cfg.Has() || !r.joins.Room() || !r.Sack.In.Room() {
		return
	}
	s := *r.headers.Front()
	known, reason, mayMove := r.look(&s.data.Base, &s.data.Data)
	if mayMove && !r.drained() {
		return // held
	}
	entry := joinEntry{kind: joinUnknown, slot: s, reason: reason, arrival: r.now}
	if known {
		entry.kind = joinHeader
		*r.Sack.In.Push() = request(s, reason)
	}
	*r.joins.Push() = entry
	r.headers.Pop()
	r.credits.next--
	r.inside.next++
}

// look finds a header's connection, path and stream in the tables. The reason of a header that is not known is NONE.
// mayMove tells that the reason may change while what is inside moves the ring on, by at most its depth.
func (r *Rx) look(base *wire.Base, data *wire.Data) (known bool, reason wire.RefuseReason, mayMove bool) {
	c := r.tables.connection(base.Connection)
	if c == nil || !c.open || !r.tables.hasPath(base.Connection, base.Path) {
		return false, wire.RefuseReasonNone, false
	}
	s := r.tables.stream(base.Connection, data.Stream)
	if s == nil || !s.open {
		return true, wire.RefuseReasonStream, false
	}
	depth := uint32(r.tables.size.ReorderDepth)
	reason = wire.RefuseReasonNone
	if !seq.Before32(data.Message, s.floor) && seq.Offset32(data.Message, s.floor) >= depth {
		reason = wire.RefuseReasonRing
	}
	return true, reason, !seq.Before32(data.Message, s.floor+depth)
}

func request(s *slot, reason wire.RefuseReason) event.SackReq {
	base := &s.data.Base
	return event.SackReq{
		Op: event.SackOpPacket, Connection: base.Connection, Path: base.Path, Psn: base.Psn,
		Ce:         s.data.Ecn() == ecnCe,
		AckRequest: base.Flags&wire.BaseFlagAckRequest != 0,
		Tail:       base.Flags&wire.BaseFlagTail != 0,
		Refused:    reason != wire.RefuseReasonNone,
	}
}
