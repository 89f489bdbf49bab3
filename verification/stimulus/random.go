package stimulus

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// random is the run's one source of chance: PCG seeded by hash(run seed, name), so that units and configurations of
// one run seed differ, and seed 0 is a seed like any other.
type random struct{ *rand.Rand }

func newRandom(seed uint64, name string) *random {
	key := binary.LittleEndian.AppendUint64(nil, seed)
	sum := sha256.Sum256(append(key, name...))
	return &random{rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:8]), binary.LittleEndian.Uint64(sum[8:16])))}
}

// chance is true in n of d cases.
func (r *random) chance(n, d int) bool { return r.IntN(d) < n }

// between is uniform in low..high, both included.
func (r *random) between(low, high int) int { return low + r.IntN(high-low+1) }

// weighted picks an index with a probability in proportion to its weight. All weights 0 is a programmer's mistake.
func (r *random) weighted(weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	at := r.IntN(total)
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	panic("stimulus: weights changed while picking")
}

func pick[T any](r *random, from []T) T { return from[r.IntN(len(from))] }

// starts32 are first sequence numbers around each wrap of a counter that a design may keep narrower than 32 bits.
func starts32() []uint32 {
	starts := []uint32{0}
	for _, k := range []uint{8, 16, 31, 32} {
		for d := -2; d <= 2; d++ {
			starts = append(starts, uint32(int64(1)<<k+int64(d)))
		}
	}
	return starts
}

// start32 is a first sequence number: near a wrap more often than not, far enough before it that traffic crosses it.
func (r *random) start32() uint32 {
	if r.chance(1, 4) {
		return r.Uint32()
	}
	start := pick(r, starts32())
	if r.chance(1, 3) {
		start -= uint32(r.IntN(300))
	}
	return start
}
