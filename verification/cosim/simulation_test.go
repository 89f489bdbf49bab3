package cosim_test

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/verification/bugs"
	"metaroce/verification/compare"
	"metaroce/verification/cosim"
	"metaroce/verification/verdict"
)

// root is the project as seen from this package.
const root = "../.."

// simulated skips a test that builds and runs RTL where only quick ones are wanted.
func simulated(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs RTL: not with -short")
	}
}

// simulate runs a request against the RTL.
func simulate(t *testing.T, q cosim.Request) *verdict.Report {
	t.Helper()
	q.Root, q.Out = root, t.TempDir()
	report, err := cosim.RunRequest(t.Context(), q)
	require.NoError(t, err)
	return report
}

// freshSeed is a new seed in every test run, so that the tests keep looking; METAROCE_SEED repeats one.
func freshSeed(t *testing.T) uint64 {
	t.Helper()
	if text := os.Getenv("METAROCE_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 0, 64)
		require.NoError(t, err, "METAROCE_SEED")
		return seed
	}
	var b [8]byte
	_, err := rand.Read(b[:])
	require.NoError(t, err)
	return binary.LittleEndian.Uint64(b[:])
}

var counts = map[string]int{"sack": 20000, "rob": 20000, "rate": 20000, "rx": 2000}

func TestModelAndRTLAgree(t *testing.T) {
	simulated(t)
	fresh := freshSeed(t)
	t.Logf("fresh seed %d: METAROCE_SEED=%d repeats it", fresh, fresh)
	for _, unit := range []string{"sack", "rob", "rate", "rx"} {
		for _, config := range []string{"small", "large"} {
			for _, seed := range []uint64{0, 1, 1<<64 - 1, fresh} {
				report := simulate(t, cosim.Request{Unit: unit, Config: config, Seed: seed, Count: counts[unit]})
				require.Equal(t, verdict.Same, report.Verdict, "%s %s seed %d: %+v\n%s", unit, config, seed, report.First, report.Replay)
				require.Greater(t, report.Compared, uint64(counts[unit]))
			}
			report := simulate(t, cosim.Request{Unit: unit, Config: config, Seed: fresh, Count: counts[unit] / 4, Level: string(compare.Order)})
			require.Equal(t, verdict.Same, report.Verdict, "%s %s seed %d at order level: %+v", unit, config, fresh, report.First)
		}
	}
}

func TestCommittedScenariosAgree(t *testing.T) {
	simulated(t)
	files, err := filepath.Glob("../scenarios/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		report := simulate(t, cosim.Request{ScenarioFile: file})
		require.Equal(t, verdict.Same, report.Verdict, "%s: %+v", file, report.First)
		require.Positive(t, report.Compared)
	}
}

// TestSeededBugsAreCaught runs each seeded bug on the run that shows it: different, and the same run without the bug
// is the same. A bug of times only must not be visible at order level.
func TestSeededBugsAreCaught(t *testing.T) {
	simulated(t)
	all, err := bugs.All()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 12)
	timesOnly := 0
	for i := range all {
		if all[i].Level == string(compare.Cycle) {
			timesOnly++
		}
		t.Run(all[i].Name, func(t *testing.T) {
			t.Parallel()
			caught(t, &all[i])
		})
	}
	require.Positive(t, timesOnly, "no bug is visible at cycle level only")
}

// withWaves is the bug whose waves are looked for; a build with waves takes half as long again, so the others go without.
const withWaves = "sack-wrap"

func caught(t *testing.T, bug *bugs.Bug) {
	q := cosim.Request{Unit: bug.Unit, Config: bug.Config, Seed: bug.Seed, Count: bug.Count}
	require.Equal(t, verdict.Same, simulate(t, q).Verdict, "without the bug")
	q.Bug, q.NoWaves = bug.Name, bug.Name != withWaves
	report := simulate(t, q)
	require.Equal(t, verdict.Different, report.Verdict)
	require.NotNil(t, report.First)
	require.Equal(t, !q.NoWaves, has(report, "vcd") && has(report, "gtkw"), "waves of the difference: %v", report.Notes)
	t.Log(headline(report))
	q.Level = string(compare.Order)
	atOrder := simulate(t, q).Verdict
	if bug.Level == string(compare.Cycle) {
		require.Equal(t, verdict.Same, atOrder, "a bug of times only")
		return
	}
	require.NotEqual(t, verdict.Same, atOrder, "at order level")
}

func headline(r *verdict.Report) string {
	f := r.First
	return fmt.Sprintf("%s in cycle %d: %s.%s: model %.80s, device %.80s", f.Kind, f.Cycle, f.Port, f.Field, f.Want, f.Got)
}
