package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"metaroce/golden/cc"
	"metaroce/golden/engine"
	"metaroce/golden/engine/eventloop"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/rob"
	"metaroce/golden/sack"
	"metaroce/golden/wire"
)

// One set of rules, two clocks: a unit under random pauses and back-pressure puts out what a bare event loop puts out.

// seeds is how many random runs a test makes.
const seeds = 40

// compareBeats tells the first beat in which a port differs from the event loop.
func compareBeats[T appender](r result, port uint8, name string, want []T) error {
	i := 0
	for _, record := range r.records {
		if record.Port != port {
			continue
		}
		if i == len(want) {
			return fmt.Errorf("%s: beat %d in cycle %d, but the event loop has no more", name, i, record.Cycle)
		}
		if w := beat(want[i]); !slices.Equal(record.Beat, w) {
			return fmt.Errorf("%s: beat %d in cycle %d: %x, want %x = %+v", name, i, record.Cycle, record.Beat, w, want[i])
		}
		i++
	}
	if i < len(want) {
		return fmt.Errorf("%s: %d beats, want %d", name, i, len(want))
	}
	return nil
}

func compareCounters(unit string, got []uint32, want map[string]uint32) error {
	info, _ := event.UnitByName(unit)
	for i, name := range info.Counters {
		if got[i] != want[name] {
			return fmt.Errorf("counter %s: %d, want %d", name, got[i], want[name])
		}
	}
	return nil
}

// everySeed runs a comparison from many seeds, and demands that together they made every counter count: what never
// happened was not compared.
func everySeed(t *testing.T, unit string, compare func(seed uint64) ([]uint32, error)) {
	t.Helper()
	info, _ := event.UnitByName(unit)
	total := make([]uint64, len(info.Counters))
	for seed := range uint64(seeds) {
		counters, err := compare(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, n := range counters {
			total[i] += uint64(n)
		}
	}
	for i, n := range total {
		if n == 0 {
			t.Errorf("counter %s never counted in %d seeds", info.Counters[i], seeds)
		}
	}
}

func firstError(errors ...error) error {
	for _, err := range errors {
		if err != nil {
			return err
		}
	}
	return nil
}

// runUnit runs a unit with random pauses and back-pressure.
func runUnit(t *testing.T, r *rand.Rand, unit engine.Unit, stimulus []engine.Stimulus) result {
	t.Helper()
	run := engine.Run{Stimulus: stimulus, Sinks: randomSinks(r), QuietCycles: 1500, MaxCycles: 1e6}
	bench, err := engine.NewBenchOf(unit, run)
	if err != nil {
		t.Fatal(err)
	}
	res := finish(t, bench)
	if res.hang {
		t.Fatalf("hang in cycle %d", res.end)
	}
	return res
}

// sackTraffic visits all classes: mostly the next packets of a path, some of them late, lost, twice, or far off.
func sackTraffic(r *rand.Rand, n int) []event.SackReq {
	var next [5 * 5]uint32
	reqs := make([]event.SackReq, n)
	for i := range reqs {
		q := event.SackReq{
			Op: event.SackOpPacket, Connection: uint32(r.IntN(5)), Path: uint16(pick(r, 0, 0, 0, 1, 2, 3, 4)),
			Ce: chance(r, 10), AckRequest: chance(r, 5), Tail: chance(r, 5), Refused: chance(r, 5),
		}
		at := &next[q.Connection*5+uint32(q.Path)]
		if chance(r, 4) {
			q.Op = event.SackOpOpen
			*at = pick(r, 0, 0xFFFFFFF0, 0x7FFFFFFE, r.Uint32())
		}
		q.Psn = *at
		if q.Op == event.SackOpPacket {
			far := pick[uint32](r, 1, 2, 3, 100, 254, 255, 256, 257, 1<<30, 1<<31-1, 1<<31)
			q.Psn += pick[uint32](r, 0, 0, 0, 0, 1, uint32(r.IntN(8)), -uint32(r.IntN(8)), far, -far)
			*at += pick[uint32](r, 0, 1, 1, 1)
		}
		reqs[i] = q
	}
	return reqs
}

func sackClocks(t *testing.T, seed uint64, rules func(*sack.Table) eventloop.SackRules) ([]uint32, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	c := profile.Small
	reqs := sackTraffic(r, 600)
	want := eventloop.RunSack(sack.New(c.Connections, c.Paths), reqs)
	unit := engine.SackOf(c, rules(sack.New(c.Connections, c.Paths)))
	got := runUnit(t, r, unit, randomOffer(r, 0, 0, reqs))
	counters := map[string]uint32{}
	names := []string{"new_in_order", "new_out_of_order", "duplicate", "old", "beyond", "closed", "opened"}
	for i, rsp := range want.Rsp {
		counters[names[rsp.Class]]++
		if rsp.Class <= event.SackClassNewOutOfOrder && reqs[i].Refused {
			counters["refused"]++
		}
	}
	return got.counters, firstError(
		compareBeats(got, 1, "m_rsp", want.Rsp), compareBeats(got, 2, "dbg_update", want.Update),
		compareCounters("sack", got.counters, counters))
}

func TestSackTwoClocks(t *testing.T) {
	everySeed(t, "sack", func(seed uint64) ([]uint32, error) {
		return sackClocks(t, seed, func(table *sack.Table) eventloop.SackRules { return table })
	})
}

// robTraffic sends the packets of messages in and around the ring, in any order, some of them twice or wrong.
func robTraffic(r *rand.Rand, c profile.Config, n int) []event.RobReq {
	var first [5 * 3]uint32 // roughly the head of a stream
	reqs := make([]event.RobReq, n)
	for i := range reqs {
		q := event.RobReq{
			Op: event.RobOpPacket, Connection: uint32(r.IntN(5)), Stream: uint16(pick(r, 0, 0, 0, 1, 2)),
			Ordinal: r.Uint32(), Immediate: r.Uint32(),
		}
		at := &first[q.Connection*3+uint32(q.Stream)]
		if chance(r, 3) {
			q.Op = event.RobOpOpen
			*at = pick(r, 0, 0xFFFFFFF8, 0x7FFFFFFE, r.Uint32())
			q.Message = *at
			reqs[i] = q
			continue
		}
		depth := c.ReorderDepth
		q.Message = *at + pick[uint32](r, 0, 0, uint32(r.IntN(3)), uint32(r.IntN(depth)), -uint32(r.IntN(4)), uint32(depth-1+r.IntN(3)))
		*at += pick[uint32](r, 0, 0, 1)
		// Length and opcode follow from the message, so that most packets agree with the first one.
		q.Length = 100 * (q.Message % 3)
		q.Bytes = uint16(pick(r, q.Length, q.Length, 100, 0, q.Length+1))
		q.Opcode = wire.Opcode(1 + q.Message%4)
		if chance(r, 3) {
			q.Length, q.Opcode = r.Uint32(), wire.OpcodeSend
		}
		reqs[i] = q
	}
	return reqs
}

func robClocks(t *testing.T, seed uint64, rules func(*rob.Table) eventloop.RobRules) ([]uint32, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	c := profile.Small
	reqs := robTraffic(r, c, 600)
	want := eventloop.RunRob(rob.New(c.Connections, c.Streams, c.ReorderDepth), reqs)
	unit := engine.RobOf(c, rules(rob.New(c.Connections, c.Streams, c.ReorderDepth)))
	got := runUnit(t, r, unit, randomOffer(r, 0, 0, reqs))
	counters := map[string]uint32{"retired": uint32(len(want.Cqe))}
	names := []string{"counted", "completed", "stale", "beyond", "inconsistent", "closed", "opened"}
	for _, rsp := range want.Rsp {
		counters[names[rsp.Verdict]]++
	}
	return got.counters, firstError(
		compareBeats(got, 1, "m_rsp", want.Rsp), compareBeats(got, 2, "m_cqe", want.Cqe),
		compareBeats(got, 3, "dbg_update", want.Update), compareBeats(got, 4, "dbg_floor", want.Floor),
		compareCounters("rob", got.counters, counters))
}

func TestRobTwoClocks(t *testing.T) {
	everySeed(t, "rob", func(seed uint64) ([]uint32, error) {
		return robClocks(t, seed, func(table *rob.Table) eventloop.RobRules { return table })
	})
}

// rateTraffic opens, sends and acknowledges with time that mostly goes forward.
func rateTraffic(r *rand.Rand, n int) []event.RateReq {
	now, received, marked := r.Uint64()&(1<<48-1), r.Uint32(), r.Uint32()
	reqs := make([]event.RateReq, n)
	for i := range reqs {
		now = (now + uint64(r.IntN(3000))) & (1<<48 - 1)
		received += uint32(r.IntN(20))
		marked += uint32(r.IntN(10))
		reqs[i] = event.RateReq{
			Op:         pick(r, event.RateOpSend, event.RateOpSend, event.RateOpSend, event.RateOpAck, event.RateOpAck),
			Connection: uint32(r.IntN(5)), Path: uint16(pick(r, 0, 0, 1, 2, 3, 4)), Now: now,
			Bytes: uint16(r.IntN(4500)), Acked: uint16(r.IntN(8)), Received: received, CeMarked: marked,
			Rtt: pick(r, 0, uint32(r.IntN(20000)), r.Uint32()), Lost: chance(r, 10),
			Rate: pick(r, uint16(r.Uint32()), 0xFFFF, 0, 0x0800), HintSequence: uint16(r.Uint32()), LossIsCongestion: chance(r, 50),
		}
		if i < 30 || chance(r, 3) {
			reqs[i].Op = pick(r, event.RateOpOpenConnection, event.RateOpOpenPath, event.RateOpOpenPath)
		}
	}
	return reqs
}

func rateClocks(t *testing.T, seed uint64, rules func(*cc.Table) eventloop.RateRules) ([]uint32, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	c := profile.Small
	reqs := rateTraffic(r, 600)
	want := eventloop.RunRate(cc.New(c.Connections, c.Paths), reqs)
	unit := engine.RateOf(c, rules(cc.New(c.Connections, c.Paths)))
	got := runUnit(t, r, unit, randomOffer(r, 0, 0, reqs))
	counters := map[string]uint32{}
	names := []string{"done", "granted", "path_window", "connection_window", "closed"}
	for _, rsp := range want.Rsp {
		counters[names[rsp.Status]]++
	}
	table := cc.New(c.Connections, c.Paths)
	for i := range reqs {
		var rsp event.RateRsp
		notes := table.Apply(&reqs[i], &rsp)
		counters["illegal_rate"] += uint32(one(notes.IllegalRate))
		counters["stale_ack"] += uint32(one(notes.StaleAck))
	}
	return got.counters, firstError(
		compareBeats(got, 1, "m_rsp", want.Rsp), compareBeats(got, 2, "dbg_update", want.Update),
		compareCounters("rate", got.counters, counters))
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestRateTwoClocks(t *testing.T) {
	everySeed(t, "rate", func(seed uint64) ([]uint32, error) {
		return rateClocks(t, seed, func(table *cc.Table) eventloop.RateRules { return table })
	})
}
