package receive

import (
	"metaroce/golden/event"
	"metaroce/golden/wire"
)

// joinKind tells what a join entry waits for.
type joinKind uint8

const (
	joinHeader  joinKind = iota // the SACK unit's answer about a packet
	joinUnknown                 // nothing: the SACK unit was not asked
	joinOpen                    // the SACK unit's answer to OPEN
)

// joinEntry is a header, or an open of a path, that was admitted.
type joinEntry struct {
	kind    joinKind
	slot    *slot // of a header
	reason  wire.RefuseReason
	arrival uint64 // cycle
}

// join decides what becomes of the oldest header (spec: rx.join).
func (r *Rx) join() {
	r.UpdateValid = false
	if !r.joins.Has() || !r.Place.Room() || !r.moves.Room() || !r.acks.Room() {
		return
	}
	entry := r.joins.Front()
	var rsp *event.SackRsp
	if entry.kind != joinUnknown {
		if !r.Sack.Out.Has() {
			return
		}
		rsp = r.Sack.Out.Front()
		r.Sack.Out.Pop()
	}
	outcome := outcomeOf(entry, rsp)
	r.dispatch(entry, outcome)
	r.Counters.count(outcome)
	r.show(entry, rsp, outcome)
	if acknowledged(outcome) && rsp.AckNow {
		*r.acks.Push() = newAckEntry(entry, rsp, outcome)
	}
	r.joins.Pop()
}

// outcomeOf is the decision; rsp is nil if the SACK unit was not asked.
func outcomeOf(entry *joinEntry, rsp *event.SackRsp) event.RxOutcome {
	if rsp == nil || rsp.Class == event.SackClassClosed {
		return event.RxOutcomeUnknown
	}
	switch rsp.Class {
	case event.SackClassOpened:
		return event.RxOutcomeOpened
	case event.SackClassDuplicate, event.SackClassOld:
		return event.RxOutcomeRepeated
	case event.SackClassBeyond:
		return event.RxOutcomeBeyondWindow
	}
	if entry.reason != wire.RefuseReasonNone {
		return event.RxOutcomeRefused
	}
	return event.RxOutcomePlaced
}

// acknowledged tells whether headers of an outcome may be acknowledged at all.
func acknowledged(outcome event.RxOutcome) bool {
	return outcome != event.RxOutcomeUnknown && outcome != event.RxOutcomeOpened
}

// dispatch sends a header's payload where it belongs. All but placed packets are then finished.
func (r *Rx) dispatch(entry *joinEntry, outcome event.RxOutcome) {
	placed := outcome == event.RxOutcomePlaced
	if entry.kind != joinOpen {
		*r.moves.Push() = moveEntry{slot: entry.slot, discard: !placed}
	}
	if placed {
		*r.Place.Push() = placement(entry.slot)
	} else {
		r.inside.next--
	}
}

func placement(s *slot) event.RxPlace {
	base, data := &s.data.Base, &s.data.Data
	return event.RxPlace{
		Connection: base.Connection, Path: base.Path, Psn: base.Psn,
		Stream: data.Stream, Opcode: base.Opcode, Message: data.Message, Offset: data.Offset,
		Bytes: data.PayloadLength, Address: data.Address, Key: data.Key, Immediate: data.Immediate,
	}
}

func (c *Counters) count(outcome event.RxOutcome) {
	switch outcome {
	case event.RxOutcomePlaced:
		c.Placed++
	case event.RxOutcomeRepeated:
		c.Repeated++
	case event.RxOutcomeBeyondWindow:
		c.Beyond++
	case event.RxOutcomeRefused:
		c.Refused++
	case event.RxOutcomeUnknown:
		c.Unknown++
	}
}

// show sets dbg_update for the next cycle.
func (r *Rx) show(entry *joinEntry, rsp *event.SackRsp, outcome event.RxOutcome) {
	update := event.RxDbgUpdate{Outcome: outcome, Class: event.SackClassClosed}
	if rsp != nil {
		update.Connection, update.Path, update.Psn, update.Class = rsp.Connection, rsp.Path, rsp.Psn, rsp.Class
	}
	if entry.kind != joinOpen {
		base, data := &entry.slot.data.Base, &entry.slot.data.Data
		update.Connection, update.Path, update.Psn = base.Connection, base.Path, base.Psn
		update.Stream, update.Message = data.Stream, data.Message
	}
	if outcome == event.RxOutcomeRefused {
		update.Reason = entry.reason
	}
	r.Update, r.UpdateValid = update, true
}
