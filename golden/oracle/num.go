package oracle

import (
	"fmt"
	"math/big"
)

// num is an unbounded integer; no operation changes its operands.
type num struct{ v *big.Int }

func n(x uint64) num { return num{new(big.Int).SetUint64(x)} }

func bit(b bool) num {
	if b {
		return n(1)
	}
	return n(0)
}

func pow2(bits uint) num { return num{new(big.Int).Lsh(big.NewInt(1), bits)} }

func (a num) plus(b num) num    { return num{new(big.Int).Add(a.v, b.v)} }
func (a num) minus(b num) num   { return num{new(big.Int).Sub(a.v, b.v)} }
func (a num) times(b num) num   { return num{new(big.Int).Mul(a.v, b.v)} }
func (a num) abs() num          { return num{new(big.Int).Abs(a.v)} }
func (a num) mod(bits uint) num { return num{new(big.Int).Mod(a.v, pow2(bits).v)} }

// over is floor(a / b), for b > 0.
func (a num) over(b num) num { return num{new(big.Int).Div(a.v, b.v)} }

// overUp is ceil(a / b), for b > 0.
func (a num) overUp(b num) num { return a.plus(b).minus(n(1)).over(b) }

func (a num) below(b num) bool { return a.v.Cmp(b.v) < 0 }
func (a num) zero() bool       { return a.v.Sign() == 0 }

func least(a, b num) num {
	if b.below(a) {
		return b
	}
	return a
}

func greatest(a, b num) num {
	if a.below(b) {
		return b
	}
	return a
}

// before is seq.compare on numbers of so many bits: a - b, as the representative in [-half, half), is negative.
func before(a, b num, bits uint) bool { return !a.minus(b).mod(bits).below(pow2(bits - 1)) }

// fits returns a as a machine integer. A value wider than the spec says is a mistake of the spec that no comparison of two
// equally narrow programs would show, so the oracle stops.
func (a num) fits(what string, bits uint) uint64 {
	if a.v.Sign() < 0 || uint(a.v.BitLen()) > bits {
		panic(fmt.Sprintf("oracle: %s is %v, which is not within the %d bits that the spec gives it", what, a.v, bits))
	}
	return a.v.Uint64()
}
