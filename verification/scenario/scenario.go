// Package scenario is the file form of a co-simulation run: what is driven, when, and how its outputs are taken. A
// scenario names its beats one by one, or says from which seed they are made; either way the file repeats the run.
package scenario

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"metaroce/golden/engine"
	"metaroce/golden/profile"
	"metaroce/verification/stimulus"
)

// Version of the file format.
const Version = 1

// Scenario is one run and where it came from.
type Scenario struct {
	Name   string // free text; may be empty
	Level  string // cycle, order or empty: not said
	Random *Random
	Run    engine.Run
}

// Random says that the beats and the sinks are made from a seed.
type Random struct {
	Seed   uint64
	Count  int
	Digest string // of the run as it was made; a different one is refused. Empty: not checked
}

// FromSeed makes the scenario of a random run.
func FromSeed(unit string, config profile.Config, seed uint64, count int) (*Scenario, error) {
	run, err := stimulus.Generate(stimulus.Options{Unit: unit, Config: config, Seed: seed, Count: count})
	if err != nil {
		return nil, err
	}
	return &Scenario{Random: &Random{Seed: seed, Count: count, Digest: Digest(&run)}, Run: run}, nil
}

// Digest names the content of a run: 16 hexadecimal digits over everything that decides what happens in it.
func Digest(run *engine.Run) string {
	h := sha256.New()
	var b []byte
	number := func(values ...uint64) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	b = append(b, run.Unit+"/"+run.Config.Name...)
	number(run.QuietCycles, run.MaxCycles)
	for i := range run.Sinks {
		p := &run.Sinks[i]
		number(uint64(p.Kind), p.A, p.B, p.Seed)
	}
	for i := range run.Stimulus {
		s := &run.Stimulus[i]
		number(uint64(s.Port), s.Cycle, uint64(len(s.Beat)))
		b = append(b, s.Beat...)
		if len(b) > 1<<16 {
			h.Write(b)
			b = b[:0]
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)[:8])
}
