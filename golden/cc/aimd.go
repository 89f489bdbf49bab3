package cc

import (
	"math/bits"

	"metaroce/golden/profile"
	"metaroce/golden/seq"
)

// aimd is the window of a path or a connection: additive increase while a round has no marks, at most one multiplicative
// decrease a round (spec: rate.context, rate.aimd).
type aimd struct {
	roundStart    uint64 // ns, 48 bits
	window        uint32 // 16.8 packets, window_min .. limit
	ackedSum      uint32 // packets towards the next increase, wrapping
	alpha         uint16 // mark fraction estimate, 2^-16
	roundReceived uint16 // packets, saturating
	roundCE       uint16 // packets, saturating; at most roundReceived
}

const (
	windowOne   = 1 << profile.WindowFractionBits // one packet
	windowMin   = profile.WindowMin * windowOne
	nanoseconds = 1<<48 - 1 // mask of a time in ns
)

func newAIMD(packets uint32, now uint64) aimd {
	return aimd{roundStart: now & nanoseconds, window: packets * windowOne, alpha: profile.AlphaInitial}
}

// packets is the window in whole packets.
func (a *aimd) packets() uint32 { return a.window >> profile.WindowFractionBits }

// update is one ACK's effect; the numbers are the steps of the rule (spec: rate.aimd). now and srtt are ns, acked, received
// and ce are packets, limit is the largest window in packets. received and ce are at most 2^16.
func (a *aimd) update(now, srtt uint64, acked, received, ce, limit uint32) {
	a.roundReceived = uint16(min(uint32(a.roundReceived)+received, roundLimit)) // 1
	a.roundCE = uint16(min(uint32(a.roundCE)+ce, roundLimit))
	if a.roundCE == 0 { // 2
		a.increase(acked, limit)
	}
	if a.roundReceived > 0 && seq.Since48(now, a.roundStart) >= srtt { // 3
		a.endRound(now)
	}
}

// increase opens the window by one step when a window of packets has been acknowledged; at most one step an ACK, the rest
// is kept for the next.
func (a *aimd) increase(acked, limit uint32) {
	a.ackedSum += acked
	if a.ackedSum < a.packets() {
		return
	}
	a.ackedSum -= a.packets()
	a.window = min(a.window+profile.WindowIncrease*windowOne, limit*windowOne)
}

// endRound takes the round's mark fraction into alpha and, if there were marks, closes the window by half of alpha.
func (a *aimd) endRound(now uint64) {
	a.alpha = nextAlpha(a.alpha, Fraction(a.roundCE, a.roundReceived))
	if a.roundCE > 0 {
		cut := uint64(a.window) * uint64(a.alpha) >> 17
		a.window = max(a.window-uint32(cut), windowMin)
		a.ackedSum = 0
	}
	a.roundReceived, a.roundCE, a.roundStart = 0, 0, now&nanoseconds
}

// nextAlpha moves the estimate by 1/16 towards the fraction, both in units of 2^-16. It goes down by at least 1, so that it
// reaches 0 (spec: rate.aimd, step 3).
func nextAlpha(alpha, fraction uint16) uint16 {
	down := alpha >> profile.AlphaShift
	if down == 0 && alpha > 0 {
		down = 1
	}
	return uint16(min(uint32(alpha-down)+uint32(fraction>>profile.AlphaShift), 1<<16-1))
}

// Fraction is ce/n in units of 2^-16, at most 65535, for 0 <= ce <= n and n > 0, by a reciprocal of n's upper eight bits
// (spec: rate.fraction). Against the exact quotient of the counts as normalised it is low by less than 2 units; normalising
// adds less than 2^16/128 = 512 units either way, and nothing for n < 256.
func Fraction(ce, n uint16) uint16 {
	shift := max(0, bits.Len16(n)-8)
	whole := uint64(n >> shift)
	part := min(uint64(ce>>shift), whole)
	return uint16(min(part*uint64(markReciprocal(uint32(whole)))>>8, 1<<16-1))
}
