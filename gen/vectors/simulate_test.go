package vectors

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"metaroce/golden/profile"
)

// TestEveryCounterCounts: the vectors reach each condition that a counter counts, and fill the output FIFOs.
func TestEveryCounterCounts(t *testing.T) {
	s := loadSpec(t)
	for i := range s.Units {
		u := &s.Units[i]
		run, err := simulate(s, u)
		if err != nil {
			t.Fatal(err)
		}
		for j, n := range run.counters {
			if n == 0 {
				t.Errorf("unit %s: counter %s stays 0", u.Name, u.Counters[j])
			}
		}
		waited := false
		for _, p := range run.ports {
			for _, b := range p.beats {
				waited = waited || p.port.In && b.cycle > b.earliest+profile.SackPipelineCycles && b.cycle > run.firstReady+100
			}
		}
		if !waited {
			t.Errorf("unit %s: no input ever had to wait", u.Name)
		}
	}
}

// TestRepositoryIsFresh: the committed vectors are those of the committed model.
func TestRepositoryIsFresh(t *testing.T) {
	files, err := Files(loadSpec(t))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Files(loadSpec(t))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if !bytes.Equal(f.Data, again[i].Data) {
			t.Errorf("%s differs between two runs", f.Path)
		}
		if data, err := os.ReadFile(filepath.Join(root, f.Path)); err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%s is stale (%v): run metaroce gen", f.Path, err)
		}
	}
}
