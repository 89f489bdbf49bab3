package cosim_test

import (
	"context"
	"os"

	"metaroce/golden/engine"
	"metaroce/verification/cosim"
)

// benchDevice stands in for the RTL: a second model, with faults put into its records.
type benchDevice struct {
	run    *engine.Run
	spoil  func(r engine.Record) []engine.Record // nil: nothing
	dieAt  uint64                                // cycle at which it goes away; 0: never
	err    error                                 // what its going away says
	waves  cosim.Waves
	closed bool
}

// opener hands out devices with the same faults and remembers them.
func (d benchDevice) opener(opened *[]*benchDevice) cosim.Opener {
	return func(_ context.Context, run *engine.Run, waves cosim.Waves) (cosim.Device, error) {
		device := d
		device.run, device.waves = run, waves
		*opened = append(*opened, &device)
		return &device, nil
	}
}

func (d *benchDevice) Run(ctx context.Context, deliver func([]engine.Record, uint64) error) (cosim.Ending, error) {
	bench, err := engine.NewBench(*d.run)
	if err != nil {
		return cosim.Ending{}, err
	}
	if d.waves.File != "" {
		if err := os.WriteFile(d.waves.File, []byte(tinyVCD), 0o644); err != nil {
			return cosim.Ending{}, err
		}
	}
	for cycle := uint64(64); ; cycle += 64 {
		var records []engine.Record
		done := bench.Advance(cycle, func(r engine.Record) {
			r.Beat = append([]byte(nil), r.Beat...)
			if d.spoil == nil {
				records = append(records, r)
				return
			}
			records = append(records, d.spoil(r)...)
		})
		if err := ctx.Err(); err != nil {
			return cosim.Ending{}, err
		}
		if d.dieAt > 0 && cycle >= d.dieAt {
			return cosim.Ending{}, d.err
		}
		hang, end := bench.End()
		if err := deliver(records, min(cycle, end)); err != nil {
			return cosim.Ending{}, err
		}
		if done {
			return cosim.Ending{Hang: hang, Cycle: end, Counters: bench.Counters(), RunNS: 1}, nil
		}
	}
}

func (d *benchDevice) Close() error {
	d.closed = true
	return nil
}

const tinyVCD = `$timescale 1ps $end
$scope module TOP $end
$var wire 1 ! clk $end
$scope module mr_sack $end
$var wire 1 ! clk $end
$var wire 1 " m_rsp_valid $end
$var wire 32 # m_rsp_psn [31:0] $end
$var wire 1 $ m_rsp_ack_now [0:0] $end
$var wire 256 % m_rsp_vector [255:0] $end
$scope module response_fifo $end
$var wire 1 " m_rsp_valid $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
`
