package cc

import (
	"testing"
	"unsafe"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"pgregory.net/rapid"
)

func send1(since uint64, bytes uint16, run int) step {
	return step{req: event.RateReq{Op: event.RateOpSend, Now: since, Bytes: bytes}, run: run}
}

func ackOf(since uint64, acked uint16, received, ce, rtt uint32, run int) step {
	return step{req: event.RateReq{
		Op: event.RateOpAck, Now: since, Acked: acked, Received: received, CeMarked: ce, Rtt: rtt, Rate: profile.HintNoLimit,
	}, run: run}
}

func hint(sequence, rate uint16) step {
	return step{req: event.RateReq{Op: event.RateOpAck, Rate: rate, HintSequence: sequence}, run: 1}
}

func lost(s step) step {
	s.req.Lost = true
	return s
}

// histories are the cases that a random walk meets rarely; they also seed the fuzzer.
var histories = map[string][]step{
	"windows fill":                        {send1(1, 4096, 9), ackOf(1, 2, 2, 0, 5, 1), send1(1, 4096, 9)},
	"alpha to zero and stays":             {ackOf(1000, 1, 1, 0, 500, 256), ackOf(1000, 1, 1, 0, 0, 10), ackOf(1000, 1, 1, 1, 0, 3), ackOf(1000, 1, 1, 0, 0, 256)},
	"window to its floor":                 {ackOf(1000, 1, 2, 2, 500, 100), send1(1, 64, 2), ackOf(1000, 1, 2, 0, 500, 9)},
	"window to its limit":                 {ackOf(1000, 300, 1, 0, 0, 256), ackOf(1000, 300, 1, 0, 0, 256), send1(0, 1, 256), send1(0, 1, 9)},
	"more acknowledged than a step takes": {ackOf(0, 65535, 0, 0, 1<<32-1, 256), ackOf(0, 0, 0, 0, 0, 256), ackOf(0, 65535, 0, 0, 0, 256)},
	"round counters saturate":             {ackOf(0, 1, 65535, 3, 1<<32-1, 3), ackOf(0, 1, 1, 65535, 0, 2), ackOf(1<<40, 1, 0, 0, 0, 1)},
	"round of 17 bits in one ACK":         {lost(ackOf(1<<20, 1, 1<<20, 1<<20, 1000, 2)), lost(ackOf(1<<20, 1, 65535, 0, 0, 2))},
	"marks within one round trip":         {ackOf(10, 1, 2, 1, 1000, 1), ackOf(1, 1, 2, 1, 0, 200), ackOf(2000, 1, 2, 1, 0, 1)},
	"a round lasts as long as srtt":       {ackOf(0, 1, 1, 1, 1000, 1), ackOf(999, 1, 1, 1, 0, 1), ackOf(1, 1, 1, 1, 0, 1), ackOf(999, 0, 1, 1, 0, 1), ackOf(1, 0, 0, 0, 0, 1)},
	"stale counters":                      {ackOf(10, 1, 10, 4, 100, 1), lost(ackOf(10, 1, 1<<31, 7, 0, 1)), lost(ackOf(10, 1, 1<<31-1, 9, 0, 2)), ackOf(10, 1, 1<<32-1, 0, 0, 1)},
	"more marked than received":           {ackOf(1000, 1, 5, 9, 10, 1), ackOf(1000, 1, 5, 1<<32-1, 10, 1)},
	"rtt from one end to the other":       {ackOf(1, 0, 0, 0, 1<<32-1, 20), ackOf(1, 0, 0, 0, 1, 60), ackOf(1, 0, 0, 0, 1<<32-1, 60)},
	"more acknowledged than in flight":    {send1(1, 1, 3), ackOf(1, 2, 2, 0, 0, 1), ackOf(1, 2, 2, 0, 0, 2), send1(1, 1, 5)},
	"hints, newest wins":                  {hint(1, 100), send1(1, 64, 1), hint(0, 200), hint(1<<16-1, 300), send1(1, 64, 1), hint(1<<15, 400), hint(1<<15-1, 500), send1(1, 64, 1)},
	"hint sequence across its wrap":       {hint(1<<15-1, 5), hint(1<<15-1, 4), hint(3, 3), send1(1, 64, 1), hint(1<<16-4, 1), send1(1, 64, 2)},
	"illegal hints":                       {hint(5, 100), hint(1, 0), hint(1, 1<<11), hint(1, 31<<11), send1(1, 64, 2), hint(1, 1), send1(1, 64, 2)},
	"equal codes of two exponents":        {hint(1, 1<<11|3), send1(1, 64, 1), hint(1, 6), send1(1, 64, 1), hint(1, 1<<11|3), send1(1, 64, 1)},
	"horizon":                             {hint(1, 1), send1(0, 65535, 4), send1(1<<30, 65535, 1), ackOf(0, 4, 4, 0, 0, 1), send1(1, 65535, 4)},
	"burst, then the pace":                {hint(1, 12<<11|1526), send1(100, 4096, 4), ackOf(0, 4, 4, 0, 0, 1), send1(0, 4096, 4), send1(1000, 4096, 2)},
	"idle earns nothing":                  {hint(1, 6<<11|1526), send1(1, 4096, 2), ackOf(1, 2, 2, 0, 0, 1), send1(1<<40, 4096, 3), ackOf(1, 3, 2, 0, 0, 1), send1(1<<46, 4096, 3)},
	"half the range of time":              {send1(1<<47, 64, 2), ackOf(0, 9, 0, 0, 0, 1), send1(1<<47-1, 64, 2), ackOf(0, 9, 0, 0, 0, 1), send1(1<<47+1024, 64, 2)},
	"reopened connection, paths go on":    append([]step{send1(1, 64, 4)}, opened(77, true)[0], send1(1, 64, 4), ackOf(1, 3, 3, 1, 50, 1), send1(1, 64, 4)),
	"a loss is a mark only if so opened":  {lost(ackOf(1000, 1, 0, 0, 10, 3)), opened(1, true)[0], lost(ackOf(1000, 1, 0, 0, 10, 3)), opened(1, false)[0], lost(ackOf(1000, 1, 0, 0, 10, 3))},
}

// capsTried are a rate, no limit, and an illegal code.
var capsTried = []uint16{12<<11 | 1526, 6, profile.HintNoLimit, 3 << 11}

func TestAgreesWithOracleOnNamedHistories(t *testing.T) {
	for _, name := range names(histories) {
		steps := histories[name]
		for _, now := range []uint64{0, 1<<47 - 500, 1 << 47, 1<<48 - 1500} {
			for _, limit := range capsTried {
				if _, err := judge(New(testConnections, testPaths), now, append(opened(limit, false), steps...)); err != nil {
					t.Errorf("%s from time %#x with cap %#x: %v", name, now, limit, err)
				}
			}
		}
	}
}

func TestAgreesWithOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := stimulus().Draw(t, "history")
		if _, err := judge(New(testConnections, testPaths), h.now, h.steps); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzAgreesWithOracle(f *testing.F) {
	for _, name := range names(histories) {
		steps := histories[name]
		var data []byte
		for _, s := range append(opened(12<<11|1526, true), steps...) {
			data = s.append(data)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := judge(New(testConnections, testPaths), 0, parseSteps(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// A comparison that never meets an outcome proves nothing about it.
func TestStimulusMeetsEveryOutcomeOften(t *testing.T) {
	total := tally{status: map[event.RateStatus]int{}}
	for seed := range 200 {
		h := stimulus().Example(seed)
		met, err := judge(New(testConnections, testPaths), h.now, h.steps)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for status, count := range met.status {
			total.status[status] += count
		}
		total.stale += met.stale
		total.illegal += met.illegal
		total.noAlpha += met.noAlpha
		total.lowest += met.lowest
		total.early += met.early
	}
	for status := event.RateStatusDone; status <= event.RateStatusClosed; status++ {
		if total.status[status] < 100 {
			t.Errorf("status %v was met %d times in 200 histories, want 100 at least", status, total.status[status])
		}
	}
	for _, c := range []struct {
		what  string
		count int
	}{
		{"stale ACK", total.stale}, {"illegal rate", total.illegal}, {"alpha 0", total.noAlpha},
		{"smallest window", total.lowest}, {"departure paced", total.early},
	} {
		if c.count < 20 {
			t.Errorf("%s was met %d times in 200 histories, want 20 at least", c.what, c.count)
		}
	}
}

// acked_sum grows by 65,535 and shrinks by at most the window in each ACK, so it takes this many to wrap.
func TestAckedSumWrapsAsTheOracleSays(t *testing.T) {
	steps := opened(profile.HintNoLimit, false)
	for range 264 {
		steps = append(steps, ackOf(0, 65535, 0, 0, 0, 250))
	}
	steps = append(steps, ackOf(0, 0, 0, 0, 0, 200))
	table := New(testConnections, testPaths)
	if _, err := judge(table, 0, steps); err != nil {
		t.Error(err)
	}
	// 2^32 was passed if the sum is below what it would be otherwise.
	p, _ := table.Path(0, 0)
	if sum := uint64(264*250) * 65535; uint64(p.Aimd.AckedSum)+256*(264*250+200) >= sum {
		t.Errorf("acked_sum %d did not wrap after %d packets", p.Aimd.AckedSum, sum)
	}
}

func TestZeroTableAnswersClosed(t *testing.T) {
	var table Table
	for op := event.RateOpOpenConnection; op <= event.RateOpSend; op++ {
		var rsp event.RateRsp
		if table.Apply(&event.RateReq{Op: op}, &rsp); rsp.Status != event.RateStatusClosed {
			t.Errorf("%v of a zero Table: got %v, want CLOSED", op, rsp.Status)
		}
	}
}

func TestContextsAreTheTablesState(t *testing.T) {
	table := New(1, 2)
	var rsp event.RateRsp
	for _, req := range []event.RateReq{
		{Op: event.RateOpOpenConnection, Now: 7, Rate: 100, LossIsCongestion: true},
		{Op: event.RateOpOpenPath, Path: 1, Now: 8},
		{Op: event.RateOpSend, Path: 1, Now: 9, Bytes: 64},
		{Op: event.RateOpAck, Path: 1, Now: 10, Received: 3, CeMarked: 1, Rtt: 1000, Rate: 200, HintSequence: 9},
	} {
		table.Apply(&req, &rsp)
	}
	wantPath := PathContext{
		Open: true, RttValid: true, Srtt: 8000, Rttvar: 2000, LastReceived: 3, LastCe: 1, InFlight: 1,
		Aimd: AIMD{Window: 4 * 256, Alpha: 65535, RoundReceived: 3, RoundCe: 1, RoundStart: 8},
	}
	if got, ok := table.Path(0, 1); !ok || got != wantPath {
		t.Errorf("path: got %+v, %v; want %+v", got, ok, wantPath)
	}
	// 64 bytes at 100 * 64 kb/s take 80,000 ns.
	wantConnection := ConnectionContext{
		Open: true, Cap: 100, Hint: 200, HintSequence: 9, HintValid: true, LossIsCongestion: true,
		NextTime: (9 + 80000) << 10, InFlight: 1,
		Aimd: AIMD{Window: 16 * 256, Alpha: 65535, RoundReceived: 3, RoundCe: 1, RoundStart: 7},
	}
	if got, ok := table.Connection(0); !ok || got != wantConnection {
		t.Errorf("connection: got %+v, %v; want %+v", got, ok, wantConnection)
	}
	if _, ok := table.Path(0, 2); ok {
		t.Error("path 2 of 2 must have no context")
	}
	if _, ok := table.Connection(1); ok {
		t.Error("connection 1 of 1 must have no context")
	}
}

func TestPathIsOneCacheLine(t *testing.T) {
	if size := unsafe.Sizeof(path{}); size != 64 {
		t.Errorf("a path is %d bytes, want 64: one cache line an operation", size)
	}
}

func TestNewRefusesSizes(t *testing.T) {
	for _, size := range [][2]int{{0, 1}, {1, 0}, {-1, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New(%d, %d) did not panic", size[0], size[1])
				}
			}()
			New(size[0], size[1])
		}()
	}
}
