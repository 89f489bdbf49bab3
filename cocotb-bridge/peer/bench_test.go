package peer

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/protocol"
)

// BenchmarkBridge puts the clock rate through the bridge beside that of the bare bench, with the same program, stimulus
// and sinks. Of the fixture nearly all time is the bench's own, so this is the worst case.
func BenchmarkBridge(b *testing.B) {
	o := options(b, nil)
	j := job(1_000_000, 2, protocol.Pattern{Kind: protocol.Random, A: 200, Seed: 1})
	j.Setup.MaxCycles = 10_000_000
	for _, shape := range []struct {
		name   string
		window uint64
		ahead  int
	}{{"windows of 2048", 2048, 3}, {"windows of 256", 256, 3}, {"no overlap", 2048, 1}, {"lock-step", 1, 1}} {
		b.Run(shape.name, func(b *testing.B) {
			j.Window, j.Ahead = shape.window, shape.ahead
			if shape.window == 1 {
				j.Stimulus = j.Stimulus[:20_000]
			}
			for b.Loop() {
				bare, err := Bare(context.Background(), o.Binary, o.Dir, j)
				require.NoError(b, err)
				result, err := Run(context.Background(), o, j, nil)
				require.NoError(b, err)
				require.Equal(b, bare.Cycles, result.End.Cycle)
				require.Equal(b, bare.Records, result.Records)
				through := float64(result.End.Cycle) / result.Stats.Wall.Seconds() / 1000
				b.ReportMetric(bare.KHz(), "bare-kHz")
				b.ReportMetric(through, "bridge-kHz")
				b.ReportMetric(through/bare.KHz(), "ratio")
				b.ReportMetric(bare.CPU.Seconds()/result.Stats.CPU.Seconds(), "cpu-ratio") // says more on a busy machine
			}
		})
	}
}
