package cc

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

const (
	mantissaMask = 1<<profile.HintMantissaBits - 1
	horizon      = profile.PacingHorizonNs << profile.TimeFractionBits // longest interval, 2^-10 ns
	burst        = profile.PacingBurstNs << profile.TimeFractionBits   // how far ahead of the pace, 2^-10 ns
)

// mantissa and exponent of a rate code (spec: rate.code).
func mantissa(code uint16) uint32 { return uint32(code) & mantissaMask }
func exponent(code uint16) uint32 { return uint32(code) >> profile.HintMantissaBits }

// legal tells whether a code is a rate or no limit (spec: rate.code).
func legal(code uint16) bool { return mantissa(code) != 0 }

// value is what a code is compared by, in units of 64 kb/s; no limit, being all ones, is above every other by itself
// (spec: rate.code).
func value(code uint16) uint64 { return uint64(mantissa(code)) << exponent(code) }

// slower is the smaller of two codes by value, a if they are equal (spec: rate.send).
func slower(a, b uint16) uint16 {
	if value(b) < value(a) {
		return b
	}
	return a
}

// pacing is a time in ns as a pacing time (spec: rate.send).
func pacing(ns uint64) seq.Time { return seq.Add58(seq.Time(ns)<<profile.TimeFractionBits, 0) }

// Interval is the time that so many bytes take at a rate code, in 2^-10 ns: 0 for no limit, at most the pacing horizon, and
// never shorter than the exact time below it (spec: rate.interval). For an illegal code, which no context ever holds, it
// is 0.
func Interval(code uint16, bytes uint16) uint64 {
	if code == profile.HintNoLimit {
		return 0
	}
	e := exponent(code)
	product := uint64(bytes) * uint64(rateReciprocal(mantissa(code))) // below 2^43
	return min((product+1<<e-1)>>e, horizon)
}

// send is SEND: the outcome and, if granted, the departure time in 2^-10 ns (spec: rate.send).
func send(c *connection, p *path, req *event.RateReq) (event.RateStatus, uint64) {
	if uint32(p.inFlight) >= p.aimd.packets() {
		return event.RateStatusPathWindow, 0
	}
	if c.inFlight >= c.aimd.packets() {
		return event.RateStatusConnectionWindow, 0
	}
	p.inFlight++
	c.inFlight++
	return event.RateStatusGranted, uint64(c.pace(pacing(req.Now), req.Bytes))
}

// pace moves the next-eligible time on by one packet and returns when this one may leave: up to the burst ahead of the
// pace, never before now. Idle time earns nothing, because the pace starts again at now (spec: rate.send).
//
//	------- now ------ nextTime - burst ------- nextTime ------- nextTime + interval
//	                   departs here             then              is due next
func (c *connection) pace(now seq.Time, bytes uint16) seq.Time {
	departure := seq.Add58(c.nextTime, ^seq.Time(burst)+1)
	if seq.Before58(departure, now) {
		departure = now
	}
	start := c.nextTime
	if seq.Before58(start, now) {
		start = now
	}
	c.nextTime = seq.Add58(start, seq.Time(Interval(slower(c.hint, c.cap), bytes)))
	return departure
}
