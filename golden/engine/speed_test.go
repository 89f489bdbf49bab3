package engine_test

import (
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// steadyRun keeps every port of a unit as busy as it can be for about n cycles.
func steadyRun(unit string, n int) engine.Run {
	var s []engine.Stimulus
	switch unit {
	case "sack":
		s = offer(0, 0, sackPackets(n)...)
	case "rob":
		reqs := []event.RobReq{robOpen(0, 0)}
		for m := range n {
			reqs = append(reqs, robEmpty(0, 0, uint32(m)))
		}
		s = offer(0, 0, reqs...)
	case "rate":
		s = offer(0, 0, rateSteady(n)...)
	case "rx":
		s = offer(rxCfg, 0, rxOpen()...)
		for i := range n / 6 { // a frame of 350 bytes is six beats
			d := rxData(uint32(i), uint32(i), 256)
			d.Base.Flags = wire.BaseFlagAckRequest
			s = append(s, axis(200, &d)...)
		}
	}
	return newRun(unit, s)
}

// rateSteady sends and acknowledges in turn on one open path.
func rateSteady(n int) []event.RateReq {
	reqs := []event.RateReq{
		{Op: event.RateOpOpenConnection, Rate: profile.HintNoLimit}, {Op: event.RateOpOpenPath},
	}
	for i := range uint64(n / 2) {
		reqs = append(reqs,
			event.RateReq{Op: event.RateOpSend, Now: i * 8, Bytes: 1000},
			event.RateReq{Op: event.RateOpAck, Now: i*8 + 4, Acked: 1, Received: uint32(i), CeMarked: uint32(i / 9), Rtt: 5000, Rate: 0x2FFF, HintSequence: uint16(i)})
	}
	return reqs
}

var allUnits = []string{"sack", "rob", "rate", "rx"}

// A cycle allocates nothing once the first cycles have passed.
func TestNoAllocationPerCycle(t *testing.T) {
	for _, unit := range allUnits {
		bench, err := engine.NewBench(steadyRun(unit, 6000))
		if err != nil {
			t.Fatal(err)
		}
		records := 0
		count := func(engine.Record) { records++ }
		bench.Advance(1000, count)
		until := uint64(1000)
		records = 0
		allocations := testing.AllocsPerRun(3, func() {
			until += 1000
			bench.Advance(until, count)
		})
		if allocations != 0 {
			t.Errorf("unit %s: %v allocations in 1000 cycles", unit, allocations)
		}
		if records < 4000 {
			t.Errorf("unit %s: %d records in 4000 cycles: not busy, so this measured nothing", unit, records)
		}
	}
}

// Cycles of a unit a second with every port busy, bench included; ns/op is of one cycle.
func BenchmarkCycles(b *testing.B) {
	const length = 20_000
	for _, unit := range allUnits {
		b.Run(unit, func(b *testing.B) {
			run := steadyRun(unit, length)
			emit := func(engine.Record) {}
			left := b.N
			for left > 0 {
				b.StopTimer()
				bench, err := engine.NewBench(run)
				if err != nil {
					b.Fatal(err)
				}
				bench.Advance(300, emit) // sweep and opens
				n := min(left, length-600)
				b.StartTimer()
				bench.Advance(300+uint64(n), emit)
				left -= n
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
