package diff

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"metaroce/golden/profile"
	"metaroce/verification/verdict"
)

// spoil changes a trace in a few places: bytes, bits, digits, pieces cut out, pieces doubled.
func spoil(r *rand.Rand, b []byte) []byte {
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b) - 20)
		end := at + r.IntN(20)
		switch r.IntN(5) {
		case 0:
			b[at] = byte(r.IntN(256))
		case 1:
			b[at] ^= 1 << r.IntN(8)
		case 2:
			b[at] = '0' + byte(r.IntN(10))
		case 3:
			b = append(b[:at:at], b[end:]...)
		case 4:
			b = append(append(b[:end:end], b[at:end]...), b[end:]...)
		}
	}
	return b
}

// TestSpoiltTraces: whatever a file says, a diff ends soon with a report or an error, and never calls nothing the same.
func TestSpoiltTraces(t *testing.T) {
	good := [][]byte{
		captureOf(t, "sack", profile.Small, modelRun(t, "sack", profile.Small, 5)),
		captureOf(t, "rx", profile.Small, modelRun(t, "rx", profile.Small, 3)),
		newPins("rob", false, false).run(t, profile.Small, 3, 1).bytes(t),
		pcapOf(exchange(t)),
	}
	for seed := range uint64(240) {
		b := spoil(rand.New(rand.NewPCG(seed, 7)), bytes.Clone(good[seed%4]))
		done := make(chan struct{})
		go func() {
			defer close(done)
			report, err := Run(bytes.NewReader(b), Options{})
			assert.True(t, (report == nil) != (err == nil), "seed %d: report %v, error %v", seed, report, err)
			if report != nil && report.Verdict == verdict.Same {
				assert.Positive(t, report.Compared, "seed %d", seed)
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			require.Fail(t, "a diff does not end", "seed %d", seed)
		}
	}
}
