package cosim

import (
	"context"
	"fmt"
	"time"

	"metaroce/cocotb-bridge/peer"
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/compare"
)

// Program builds the program without waves and says how a run is put to it, for benchmarks of the bridge alone.
func (h *Harness) Program(ctx context.Context, run *engine.Run) (peer.Options, peer.Job, error) {
	device, err := h.Open(ctx, run, Waves{})
	if err != nil {
		return peer.Options{}, peer.Job{}, err
	}
	d := device.(*harnessDevice)
	return d.options, d.job, nil
}

// Measure runs model and device side by side and compares them at cycle level, writing nothing: what a co-simulation
// costs without its files. It returns the cycles and the wall time of the run, starting the device left out. A difference
// and a run that does not come to its end are errors, so that no figure of a broken run is ever quoted.
func Measure(ctx context.Context, unit *event.Unit, run *engine.Run, device Device) (cycles uint64, wall time.Duration, err error) {
	s, err := newSession(unit, run, compare.Cycle)
	if err != nil {
		return 0, 0, err
	}
	ending, err := device.Run(ctx, s.deliver)
	if err != nil {
		return 0, 0, err
	}
	if s.comparer.First() != nil || ending.Hang || ending.Limit || s.comparer.Compared() == 0 {
		return 0, 0, fmt.Errorf("unit %s: the run to be measured did not end as the same: run metaroce cosim on it", unit.Name)
	}
	return ending.Cycle, ending.Wall, device.Close()
}
