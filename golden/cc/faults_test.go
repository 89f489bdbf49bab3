package cc

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

// faults are mistakes that implementations make. Each must be found, or the comparison proves nothing against it.
var faults = map[string]faulty{
	"first RTT sample smoothed": {before: func(s *scene) { s.p.rtt.valid = true }},
	"fraction of srtt lost":     {after: func(s *scene) { s.p.rtt.srtt &^= 7 }},
	"rttvar without rounding": {after: func(s *scene) {
		if s.acked() && s.req.Rtt != 0 && s.wasP.rtt.rttvar%4 == 3 {
			s.p.rtt.rttvar--
		}
	}},
	"half the range of counters is not stale": {before: func(s *scene) {
		if s.is(event.RateOpAck) && s.delta() == 1<<31 {
			s.req.Received--
		}
	}},
	"stale ACK moves the counters": {after: func(s *scene) {
		if s.acked() && s.delta() >= 1<<31 {
			s.p.lastReceived, s.p.lastCe = s.req.Received, s.req.CeMarked
		}
	}},
	"loss on a stale ACK dropped": {before: func(s *scene) { s.req.Lost = s.req.Lost && s.delta() < 1<<31 }},
	"loss counted although it is not congestion": {before: func(s *scene) {
		if s.is(event.RateOpAck) {
			s.c.lossIsCongestion = true
		}
	}},
	"marks not limited to packets": {before: func(s *scene) {
		if s.is(event.RateOpAck) && s.req.CeMarked-s.p.lastCe > s.delta() && s.delta() < 65535 {
			s.req.Lost, s.c.lossIsCongestion = true, true
		}
	}},
	"round counters wrap": {after: func(s *scene) {
		if s.acked() && s.p.aimd.roundReceived == roundLimit && s.wasP.aimd.roundReceived != 0 {
			s.p.aimd.roundReceived = 0
		}
	}},
	"two steps of the window in one ACK": {after: func(s *scene) {
		if s.acked() && s.p.aimd.roundCE == 0 && s.p.aimd.ackedSum >= s.p.aimd.packets() {
			s.p.aimd.increase(0, profile.PathWindowMax)
		}
	}},
	"window grows in a round with marks": {after: func(s *scene) {
		if s.acked() && s.p.aimd.roundCE > 0 {
			s.p.aimd.increase(uint32(s.req.Acked), profile.PathWindowMax)
		}
	}},
	"acknowledgements kept over a decrease": {after: func(s *scene) {
		if s.acked() && s.p.aimd.window < s.wasP.aimd.window {
			s.p.aimd.ackedSum = s.wasP.aimd.ackedSum
		}
	}},
	"alpha never reaches zero": {after: func(s *scene) {
		if s.wasP.aimd.alpha > 0 && s.p.aimd.alpha == 0 && s.p.open {
			s.p.aimd.alpha = s.wasP.aimd.alpha
		}
	}},
	"decrease by the alpha of before": {after: func(s *scene) {
		if a := &s.wasP.aimd; s.acked() && s.p.aimd.window < a.window {
			s.p.aimd.window = max(a.window-uint32(uint64(a.window)*uint64(a.alpha)>>17), windowMin)
		}
	}},
	"window below one packet": {after: func(s *scene) {
		if s.acked() && s.p.aimd.window == windowMin && s.wasP.aimd.window > windowMin {
			s.p.aimd.window--
		}
	}},
	"round ends one ns early": {before: func(s *scene) {
		if a := &s.p.aimd; s.is(event.RateOpAck) && seq.Since48(s.req.Now, a.roundStart)+1 == s.p.rtt.ns() {
			a.roundStart = (a.roundStart - 1) & nanoseconds
		}
	}},
	"round ends one ns late": {before: func(s *scene) {
		if a := &s.p.aimd; s.is(event.RateOpAck) && s.req.Rtt == 0 && seq.Since48(s.req.Now, a.roundStart) == s.p.rtt.ns() {
			a.roundStart = (a.roundStart + 1) & nanoseconds
		}
	}},
	"connection's window limited as a path's": {after: func(s *scene) {
		s.c.aimd.window = min(s.c.aimd.window, profile.PathWindowMax*windowOne)
	}},
	"in-flight count below zero": {after: func(s *scene) {
		if s.acked() && s.req.Acked > s.wasP.inFlight {
			s.p.inFlight = s.wasP.inFlight - s.req.Acked
		}
	}},
	"hint sequence compared without the wrap": {after: func(s *scene) {
		if s.acked() && s.wasC.hintValid && s.req.HintSequence < s.wasC.hintSequence {
			s.c.hint, s.c.hintSequence = s.wasC.hint, s.wasC.hintSequence
		}
	}},
	"hint of the same sequence ignored": {after: func(s *scene) {
		if s.acked() && s.wasC.hintValid && s.req.HintSequence == s.wasC.hintSequence {
			s.c.hint = s.wasC.hint
		}
	}},
	"illegal hint taken": {after: func(s *scene) {
		if s.acked() && !legal(s.req.Rate) {
			s.c.hint = profile.HintNoLimit
		}
	}},
	"codes compared as integers": {before: func(s *scene) {
		if s.is(event.RateOpSend) {
			s.c.hint = min(s.c.hint, s.c.cap)
			s.c.cap = s.c.hint
		}
	}, after: func(s *scene) {
		if s.is(event.RateOpSend) {
			s.c.hint, s.c.cap = s.wasC.hint, s.wasC.cap
		}
	}},
	"cap wins a tie": {after: func(s *scene) {
		if s.granted() && value(s.c.hint) == value(s.c.cap) {
			s.c.nextTime += seq.Time(Interval(s.c.cap, s.req.Bytes)) - s.interval()
		}
	}},
	"interval rounded down": {after: func(s *scene) {
		if s.granted() && s.interval() > 0 {
			s.c.nextTime = seq.Add58(s.c.nextTime, ^seq.Time(0))
		}
	}},
	"interval beyond the horizon": {after: func(s *scene) {
		if s.granted() && s.interval() == horizon {
			s.c.nextTime = seq.Add58(s.c.nextTime, 1)
		}
	}},
	"departure in the past": {after: func(s *scene) {
		if s.granted() {
			s.rsp.Departure = uint64(early(s.wasC.nextTime))
		}
	}},
	"idle time earns credit": {after: func(s *scene) {
		if s.granted() {
			s.c.nextTime = seq.Add58(s.wasC.nextTime, s.interval())
		}
	}},
	"no burst": {after: func(s *scene) {
		if s.granted() {
			s.rsp.Departure = uint64(pacing(s.req.Now))
			if !seq.Before58(s.wasC.nextTime, pacing(s.req.Now)) {
				s.rsp.Departure = uint64(s.wasC.nextTime)
			}
		}
	}},
	"times compared without the wrap": {after: func(s *scene) {
		if s.granted() {
			s.rsp.Departure = uint64(max(early(s.wasC.nextTime), pacing(s.req.Now)))
		}
	}},
	"refused packet counted in flight": {after: func(s *scene) {
		if s.rsp.Status == event.RateStatusConnectionWindow {
			s.p.inFlight++
		}
	}},
	"window rounded up": {before: func(s *scene) {
		if s.is(event.RateOpSend) {
			s.p.aimd.window = (s.p.aimd.window + windowOne - 1) &^ (windowOne - 1)
		}
	}, after: func(s *scene) {
		if s.is(event.RateOpSend) {
			s.p.aimd.window = s.wasP.aimd.window
			s.rsp.PathWindow = s.wasP.aimd.window
		}
	}},
	"OPEN_CONNECTION empties its paths": {after: func(s *scene) {
		if s.req.Op == event.RateOpOpenConnection {
			s.p.inFlight = 0
		}
	}},
	"OPEN_CONNECTION keeps the hint": {after: func(s *scene) {
		if s.req.Op == event.RateOpOpenConnection && s.wasC.open {
			s.c.hint = s.wasC.hint
		}
	}},
	"OPEN_PATH shows the connection": {after: func(s *scene) {
		if s.req.Op == event.RateOpOpenPath {
			s.c.show(s.rsp)
		}
	}},
}
