package oracle

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// illegal tells whether a code is none (spec: rate.code).
func illegal(code uint16) bool { return code%2048 == 0 }

// speed is a code's value in units of 64 kb/s; false for no limit (spec: rate.code).
func speed(code uint16) (num, bool) {
	return n(uint64(code % 2048)).times(pow2(uint(code / 2048))), code != 0xffff
}

// slower is the smaller code by value, a on a tie (spec: rate.send).
func slower(a, b uint16) uint16 {
	va, limitA := speed(a)
	vb, limitB := speed(b)
	if limitB && (!limitA || vb.below(va)) {
		return b
	}
	return a
}

// Interval is rate.interval for a legal code, in 2^-10 ns.
func Interval(code uint16, bytes uint16) uint64 {
	if _, limited := speed(code); !limited {
		return 0
	}
	reciprocal := n(125000).times(pow2(10)).overUp(n(uint64(code % 2048)))
	exact := n(uint64(bytes)).times(reciprocal).overUp(pow2(uint(code / 2048)))
	return least(exact, n(profile.PacingHorizonNs).times(pow2(10))).fits("interval", 41)
}

// send is rate.send.
func send(c *rateConnection, p *ratePath, req event.RateReq) (event.RateStatus, num) {
	if !p.inFlight.below(p.aimd.window.over(n(256))) {
		return event.RateStatusPathWindow, n(0)
	}
	if !c.inFlight.below(c.aimd.window.over(n(256))) {
		return event.RateStatusConnectionWindow, n(0)
	}
	p.inFlight, c.inFlight = p.inFlight.plus(n(1)), c.inFlight.plus(n(1))
	now := n(req.Now).times(pow2(10)).mod(58)
	burst := n(profile.PacingBurstNs).times(pow2(10))
	departure := c.nextTime.minus(burst).mod(58)
	if before(departure, now, 58) {
		departure = now
	}
	base := c.nextTime
	if before(base, now, 58) {
		base = now
	}
	c.nextTime = base.plus(n(Interval(slower(c.hint, c.cap), req.Bytes))).mod(58)
	return event.RateStatusGranted, departure
}
