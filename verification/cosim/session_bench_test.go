package cosim_test

import (
	"path/filepath"
	"testing"

	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/cosim"
	"metaroce/verification/scenario"
	"metaroce/verification/verdict"
)

// BenchmarkRun measures what this side of a co-simulation costs, with a second model as device: model, comparison and
// files of a run, a record of the device an iteration.
func BenchmarkRun(b *testing.B) {
	for _, unit := range []string{"sack", "rx"} {
		b.Run(unit, func(b *testing.B) {
			s, err := scenario.FromSeed(unit, profile.Small, 3, max(100, b.N/3))
			if err != nil {
				b.Fatal(err)
			}
			var opened []*benchDevice
			o := cosim.Options{Scenario: s, Level: compare.Cycle, Open: benchDevice{}.opener(&opened), Out: filepath.Join(b.TempDir(), "out")}
			b.ResetTimer()
			report, err := cosim.Run(b.Context(), o)
			if err != nil || report.Verdict != verdict.Same {
				b.Fatal(report, err)
			}
		})
	}
}
