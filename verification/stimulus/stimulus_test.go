package stimulus_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/scenario"
	"metaroce/verification/stimulus"
)

var units = []string{"sack", "rob", "rate", "rx"}

func generate(t *testing.T, unit string, c profile.Config, seed uint64, count int) engine.Run {
	t.Helper()
	run, err := stimulus.Generate(stimulus.Options{Unit: unit, Config: c, Seed: seed, Count: count})
	require.NoError(t, err)
	return run
}

func TestSameOptionsGiveTheSameRun(t *testing.T) {
	for _, unit := range units {
		a, b := generate(t, unit, profile.Small, 0, 500), generate(t, unit, profile.Small, 0, 500)
		require.Equal(t, scenario.Digest(&a), scenario.Digest(&b), unit)
		for _, seed := range []uint64{1, 2, 1 << 63} {
			other := generate(t, unit, profile.Small, seed, 500)
			require.NotEqual(t, scenario.Digest(&a), scenario.Digest(&other), "%s: seed 0 and seed %d give one run", unit, seed)
		}
	}
}

func TestEarliestCyclesDoNotDecrease(t *testing.T) {
	for _, unit := range units {
		run := generate(t, unit, profile.Large, 7, 3000)
		last := map[uint8]uint64{}
		for i, s := range run.Stimulus {
			require.GreaterOrEqual(t, s.Cycle, last[s.Port], "%s: beat %d", unit, i)
			last[s.Port] = s.Cycle
		}
	}
}

func TestOptionsOutOfRangeAreRefused(t *testing.T) {
	for _, o := range []stimulus.Options{{Unit: "sack", Count: 0}, {Unit: "sack", Count: -1}, {Unit: "sack", Count: stimulus.MaxCount + 1}, {Unit: "tx", Count: 1}} {
		o.Config = profile.Small
		_, err := stimulus.Generate(o)
		require.Error(t, err, "%+v", o)
	}
}

// outcomes counts the values of one output field over a few seeds.
func outcomes(t *testing.T, unit, port, field string, c profile.Config) map[string]int {
	t.Helper()
	info, _ := event.UnitByName(unit)
	p, ok := info.PortByName(port)
	require.True(t, ok)
	f, ok := p.FieldByName(field)
	require.True(t, ok)
	found := map[string]int{}
	for seed := range uint64(4) {
		bench, err := engine.NewBench(generate(t, unit, c, seed, 4000))
		require.NoError(t, err)
		bench.Advance(1<<62, func(r engine.Record) {
			if r.Port == p.ID {
				found[event.EnumName(f.Enum, f.Value(r.Beat))]++
			}
		})
		hang, cycle := bench.End()
		require.False(t, hang, "%s seed %d hangs in cycle %d", unit, seed, cycle)
	}
	return found
}

// TestEveryOutcomeIsMet runs the model on the stimulus: a class that never comes up would never be compared.
func TestEveryOutcomeIsMet(t *testing.T) {
	for _, c := range profile.Configurations {
		for _, want := range []struct {
			unit, port, field string
			values            []string
		}{
			{"sack", "m_rsp", "class", []string{"NEW_IN_ORDER", "NEW_OUT_OF_ORDER", "DUPLICATE", "OLD", "BEYOND", "CLOSED", "OPENED"}},
			{"rob", "m_rsp", "verdict", []string{"COUNTED", "COMPLETED", "STALE", "BEYOND", "INCONSISTENT", "CLOSED", "OPENED"}},
			{"rate", "m_rsp", "status", []string{"DONE", "GRANTED", "PATH_WINDOW", "CONNECTION_WINDOW", "CLOSED"}},
			{"rx", "dbg_update", "outcome", []string{"PLACED", "REPEATED", "BEYOND_WINDOW", "REFUSED", "UNKNOWN", "OPENED"}},
		} {
			found := outcomes(t, want.unit, want.port, want.field, c)
			t.Log(want.unit, c.Name, found)
			for _, value := range want.values {
				require.Greater(t, found[value], 5, "%s %s: %v", want.unit, c.Name, found)
			}
		}
	}
}

// TestEveryCounterCounts asks the same of the counters: each reason for which the receive engine drops a frame comes up.
func TestEveryCounterCounts(t *testing.T) {
	for _, unit := range units {
		info, _ := event.UnitByName(unit)
		total := make([]uint64, len(info.Counters))
		for seed := range uint64(4) {
			bench, err := engine.NewBench(generate(t, unit, profile.Small, seed, 4000))
			require.NoError(t, err)
			bench.Advance(1<<62, func(engine.Record) {})
			for i, n := range bench.Counters() {
				total[i] += uint64(n)
			}
		}
		for i, name := range info.Counters {
			require.Positive(t, total[i], "%s: counter %s", unit, name)
		}
		t.Log(unit, info.Counters, total)
	}
}
