package peer

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/builder"
	"metaroce/cocotb-bridge/internal/fixture"
	"metaroce/cocotb-bridge/protocol"
)

// job offers n beats, one every gap cycles from cycle 0, each fourth one the last of a packet.
func job(n int, gap uint64, sink protocol.Pattern) Job {
	j := Job{Setup: protocol.Setup{QuietCycles: 50, MaxCycles: 1_000_000, FirstReady: 4, Initial: protocol.InitialZero, Sinks: make([]protocol.Pattern, 3)}}
	j.Setup.Sinks[fixture.PortOut] = sink
	for i := range n {
		j.Stimulus = append(j.Stimulus, protocol.Stimulus{Port: fixture.PortIn, Cycle: uint64(i) * gap, Beat: fixture.Beat(uint64(i)*1000, i%4 == 3)})
	}
	return j
}

func options(t testing.TB, change func(*builder.Options)) Options {
	return Options{Binary: fixture.Build(t, change), Dir: t.TempDir(), Unit: fixture.Unit()}
}

// collect runs a job and returns all its records.
func collect(t testing.TB, o Options, j Job) (Result, []protocol.Record) {
	var all []protocol.Record
	result, err := Run(context.Background(), o, j, func(w Window) error {
		all = appendCopies(all, w.Records)
		return nil
	})
	require.NoError(t, err)
	require.NotNil(t, result.End)
	require.EqualValues(t, len(all), result.Records)
	return result, all
}

// appendCopies keeps records beyond their window.
func appendCopies(dst, records []protocol.Record) []protocol.Record {
	for _, r := range records {
		r.Beat = bytes.Clone(r.Beat)
		dst = append(dst, r)
	}
	return dst
}

// reference is the fixture and its bench again, written from the rules and the fixture's header comment.
func reference(j Job) (records []protocol.Record, end uint64) {
	type entry struct {
		data uint64
		last bool
	}
	var fifo []entry
	var tag uint16
	var taken, given uint32
	var wide [13]byte
	seen, quiet, stalled := false, uint64(0), uint64(0)
	sink := j.Setup.Sinks[fixture.PortOut]
	next := 0
	for t := uint64(0); ; t++ {
		late := next == len(j.Stimulus) || j.Stimulus[len(j.Stimulus)-1].Cycle+j.Setup.QuietCycles <= t
		if t >= j.Setup.FirstReady+j.Setup.QuietCycles && t >= quiet+j.Setup.QuietCycles && late || t == j.Setup.MaxCycles {
			return records, t
		}
		ready := t >= 4 && len(fifo) < 2
		take := ready && next < len(j.Stimulus) && j.Stimulus[next].Cycle <= t
		valid := len(fifo) > 0
		give := valid
		switch sink.Kind {
		case protocol.After:
			give = valid && t >= sink.A
		case protocol.Duty:
			give = valid && t%(sink.A+sink.B) < sink.A
		case protocol.Random:
			z := sink.Seed + t*0x9E3779B97F4A7C15
			z ^= z >> 30
			z *= 0xBF58476D1CE4E5B9
			z ^= z >> 27
			z *= 0x94D049BB133111EB
			z ^= z >> 31
			give = valid && z>>56 < sink.A
		case protocol.StallLast:
			if valid && fifo[0].last {
				give = stalled == sink.A
				stalled++
			}
		}
		if take {
			records = append(records, protocol.Record{Cycle: t, Port: fixture.PortIn})
		}
		if give {
			records = append(records, protocol.Record{Cycle: t, Port: fixture.PortOut, Beat: fixture.Beat(fifo[0].data+1, fifo[0].last)})
		}
		if seen {
			binary.LittleEndian.PutUint32(wide[0:], taken)
			binary.LittleEndian.PutUint32(wide[4:], given)
			binary.LittleEndian.PutUint32(wide[8:], 0xffff0000)
			beat := append(binary.LittleEndian.AppendUint16(nil, tag), wide[:]...)
			records = append(records, protocol.Record{Cycle: t, Port: fixture.PortSeen, Beat: beat})
		}
		if take || give || seen {
			quiet = t + 1
		}
		if give {
			fifo, stalled, given = fifo[1:], 0, given+1
		}
		if seen = take; take {
			b := j.Stimulus[next].Beat
			fifo = append(fifo, entry{binary.LittleEndian.Uint64(b), b[8] == 1})
			tag, taken, next = tag+1, taken+1, next+1
		}
	}
}

func TestHarnessFollowsTheBenchRules(t *testing.T) {
	o := options(t, nil)
	for name, j := range map[string]Job{
		"nothing":     job(0, 1, protocol.Pattern{}),
		"one":         job(1, 1, protocol.Pattern{}),
		"busy":        job(300, 0, protocol.Pattern{}),
		"late beat":   job(2, 20_000, protocol.Pattern{}),
		"gap is q":    job(3, 50, protocol.Pattern{}),
		"gap is q+1":  job(3, 51, protocol.Pattern{}),
		"after":       job(20, 3, protocol.Pattern{Kind: protocol.After, A: 77}),
		"duty":        job(200, 1, protocol.Pattern{Kind: protocol.Duty, A: 3, B: 5}),
		"random":      job(200, 1, protocol.Pattern{Kind: protocol.Random, A: 90, Seed: 0xfedcba9876543210}),
		"random 0":    job(200, 1, protocol.Pattern{Kind: protocol.Random, A: 256, Seed: 0}),
		"stall":       job(200, 1, protocol.Pattern{Kind: protocol.StallLast, A: 7}),
		"stall 0":     job(200, 1, protocol.Pattern{Kind: protocol.StallLast}),
		"never ready": job(9, 1, protocol.Pattern{Kind: protocol.Random, A: 0}),
	} {
		t.Run(name, func(t *testing.T) {
			want, end := reference(j)
			for _, shape := range []struct {
				window uint64
				ahead  int
			}{{1, 1}, {7, 16}, {2048, 3}} {
				j.Window, j.Ahead = shape.window, shape.ahead
				result, got := collect(t, o, j)
				require.Equal(t, end, result.End.Cycle)
				require.Equal(t, want, got)
			}
		})
	}
}
