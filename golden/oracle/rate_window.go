package oracle

import "metaroce/golden/profile"

// rateAIMD is the AIMD state of a path or a connection (spec: rate.context).
type rateAIMD struct {
	window, alpha, ackedSum, roundReceived, roundCe, roundStart num
}

func newRateAIMD(packets, now uint64) rateAIMD {
	return rateAIMD{
		window: n(packets).times(n(256)), alpha: n(profile.AlphaInitial),
		ackedSum: n(0), roundReceived: n(0), roundCe: n(0), roundStart: n(now).mod(48),
	}
}

func (a *rateAIMD) fits() {
	a.ackedSum.fits("acked_sum", 32)
	a.roundReceived.fits("round_received", 16)
	a.roundCe.fits("round_ce", 16)
	a.roundStart.fits("round_start", 48)
}

// update is rate.aimd, step by step.
func (a *rateAIMD) update(now, srtt, acked, received, ce, limit num) {
	a.roundReceived = least(a.roundReceived.plus(received), n(65535)) // 1
	a.roundCe = least(a.roundCe.plus(ce), n(65535))

	if packets := a.window.over(n(256)); a.roundCe.zero() { // 2
		a.ackedSum = a.ackedSum.plus(acked).mod(32)
		if !a.ackedSum.below(packets) {
			a.ackedSum = a.ackedSum.minus(packets)
			a.window = least(a.window.plus(n(profile.WindowIncrease*256)), limit.times(n(256)))
		}
	}

	elapsed := now.minus(a.roundStart).mod(48) // 3
	if a.roundReceived.zero() || elapsed.below(srtt) {
		return
	}
	f := fraction(a.roundCe, a.roundReceived)
	g := a.alpha.over(n(16))
	if g.zero() && !a.alpha.zero() {
		g = n(1)
	}
	a.alpha = least(n(65535), a.alpha.minus(g).plus(f.over(n(16))))
	if !a.roundCe.zero() {
		cut := a.window.times(a.alpha).over(pow2(17))
		a.window = greatest(a.window.minus(cut), n(profile.WindowMin*256))
		a.ackedSum = n(0)
	}
	a.roundReceived, a.roundCe, a.roundStart = n(0), n(0), now.mod(48)
}

// fraction is rate.fraction: ce / received in units of 2^-16.
func fraction(ce, received num) num {
	s := uint(max(0, received.v.BitLen()-8))
	whole := received.over(pow2(s))
	part := least(ce.over(pow2(s)), whole)
	reciprocal := pow2(24).over(whole)
	return least(n(65535), part.times(reciprocal).over(pow2(8)))
}
