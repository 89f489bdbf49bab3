package bench

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/golden/profile"
)

func rows() []Row {
	return []Row{{Unit: "sack", Config: "small", Cycles: 1000, Rounds: []Round{
		{Model: 900, Bare: 100, Bridge: 50, Cosim: 40},
		{Model: 800, Bare: 200, Bridge: 180, Cosim: 120},
		{Model: 700, Bare: 300, Bridge: 300, Cosim: 30},
	}}}
}

// A ratio is that of one round, not of two medians: the machine may have been slow in one of them.
func TestRatiosAreTakenRoundByRound(t *testing.T) {
	s := summarise(rows()[0])
	require.Equal(t, Round{Model: 800, Bare: 200, Bridge: 180, Cosim: 40}, s.Median)
	require.Equal(t, 4.0, s.ModelToBare) // of 9, 4, 2.33
	require.Equal(t, 0.9, s.BridgeShare) // of 0.5, 0.9, 1
	require.Equal(t, 0.4, s.CosimShare)  // of 0.4, 0.6, 0.1
	require.Zero(t, median(nil, func(Round) float64 { return 1 }))
	require.Equal(t, 1.5, median([]Round{{Bare: 1}, {Bare: 2}}, func(r Round) float64 { return r.Bare }))
}

func TestKhz(t *testing.T) {
	require.Equal(t, 2.0, khz(4000, 2*time.Second))
	require.Zero(t, khz(4000, 0))
}

func TestWriters(t *testing.T) {
	var text, document bytes.Buffer
	require.NoError(t, WriteText(&text, rows()))
	require.Contains(t, text.String(), "sack")
	require.Contains(t, text.String(), "0.40")
	require.NoError(t, WriteJSON(&document, rows()))
	var got struct {
		SchemaVersion int `json:"schema_version"`
		Units         []struct {
			Unit   string
			Rounds []map[string]float64
			Cosim  float64 `json:"cosim_to_bare"`
		}
	}
	require.NoError(t, json.Unmarshal(document.Bytes(), &got))
	require.Equal(t, SchemaVersion, got.SchemaVersion)
	require.Len(t, got.Units[0].Rounds, 3)
	require.Equal(t, 0.4, got.Units[0].Cosim)
}

// What is measured is saturated traffic: no unit's run may hold a pause that somebody would read as a slow unit.
func TestStimulusIsSaturated(t *testing.T) {
	o := Options{Config: profile.Small, Seed: 1, Count: 500}
	for i := range event.Units {
		run, err := o.saturated(&event.Units[i])
		require.NoError(t, err)
		cycles, _, _, err := model(run)
		require.NoError(t, err)
		require.NotZero(t, cycles)
		if event.Units[i].Name != "rx" {
			require.Less(t, cycles, run.QuietCycles+2*uint64(len(run.Stimulus)), event.Units[i].Name)
		}
	}
}
