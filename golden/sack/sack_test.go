package sack

import (
	"testing"
	"unsafe"

	"metaroce/golden/event"
	"pgregory.net/rapid"
)

// starts are PSNs around which every named history is run: a wrap of each width, and the middle of the comparison.
var starts = []uint32{0, 1, 2, 254, 255, 256, 258, 1<<16 - 2, 1 << 16, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<31 + 2, 1<<32 - 257, 1<<32 - 2, 1<<32 - 1}

// histories are the cases that a random walk meets rarely; they also seed the fuzzer.
var histories = map[string][]step{
	"in order past the ring":            {packets(anchorBase, 0, 256), packets(anchorBase, 0, 256), packets(anchorBase, 0, 2)},
	"whole window but the first":        {packets(anchorBase, 1, 255), packets(anchorBase, 0, 1), packets(anchorBase, 0, 1)},
	"hole in each word":                 {packets(anchorBase, 1, 63), packets(anchorBase, 65, 63), packets(anchorBase, 129, 63), packets(anchorBase, 193, 63), packets(anchorBase, 0, 1), packets(anchorBase, 0, 1), packets(anchorBase, 0, 1), packets(anchorBase, 0, 1)},
	"everything twice":                  {packets(anchorBase, 1, 200), packets(anchorBase, 1, 200), packets(anchorBase, 0, 1), packets(anchorBase, ^uint32(200), 256)},
	"edges of the window":               {packets(anchorBase, 255, 1), packets(anchorBase, 256, 1), packets(anchorBase, 257, 1), packets(anchorBase, 255, 1)},
	"half the range":                    {packets(anchorBase, 1<<31-1, 1), packets(anchorBase, 1<<31, 1), packets(anchorBase, 1<<31+1, 1)},
	"last of the window first, descend": {packets(anchorBase, 255, 1), packets(anchorBase, 254, 1), packets(anchorBase, 31, 2), packets(anchorBase, 0, 1)},
	"places of the ring":                {packets(anchorRing, 31, 1), packets(anchorRing, 32, 1), packets(anchorRing, 255, 1), packets(anchorRing, 0, 1), packets(anchorRing, 254, 1), packets(anchorBase, 0, 1)},
	"opened again with a full set":      {packets(anchorBase, 1, 255), open(3), packets(anchorBase, 0, 256)},
	"opened elsewhere with a hole":      {packets(anchorBase, 2, 5), open(1<<32 - 3), packets(anchorBase, 1, 9), packets(anchorBase, 0, 1)},
}

func TestAgreesWithOracleOnNamedHistories(t *testing.T) {
	for _, name := range names(histories) {
		history := histories[name]
		for _, psn := range starts {
			if _, err := judge(New(testConnections, testPaths), append([]step{open(psn)}, history...)); err != nil {
				t.Errorf("%s from PSN %#x: %v", name, psn, err)
			}
		}
	}
}

func TestAgreesWithOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, err := judge(New(testConnections, testPaths), stimulus().Draw(t, "steps")); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzAgreesWithOracle(f *testing.F) {
	for _, name := range names(histories) {
		history := histories[name]
		for _, psn := range []uint32{0, 1<<31 - 2, 1<<32 - 2} {
			var data []byte
			for _, s := range append([]step{open(psn)}, history...) {
				data = s.append(data)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := judge(New(testConnections, testPaths), parseSteps(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// A comparison that never meets a class proves nothing about it.
func TestStimulusMeetsEveryClassOften(t *testing.T) {
	total := map[event.SackClass]int{}
	for seed := range 100 {
		tally, err := judge(New(testConnections, testPaths), stimulus().Example(seed))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for class, count := range tally {
			total[class] += count
		}
	}
	for class := event.SackClassNewInOrder; class <= event.SackClassOpened; class++ {
		if total[class] < 100 {
			t.Errorf("class %v was met %d times in 100 histories, want 100 at least", class, total[class])
		}
	}
}

// The ring is compared with a plain loop over single bits, at every place a window can start.
func TestRingRotatesAndTakesRunsAtEveryPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring
		for i := range r {
			r[i] = rapid.SampledFrom([]uint64{0, ^uint64(0), 1, 1 << 63, 0xff}).Draw(t, "word") ^ rapid.Uint64().Draw(t, "noise")&rapid.SampledFrom([]uint64{0, ^uint64(0)}).Draw(t, "mask")
		}
		for base := range uint32(256) {
			var want [4]uint64
			run := uint32(0)
			for i := range uint32(256) {
				if r.has(base + i) {
					want[i/64] |= 1 << (i % 64)
					if run == i {
						run++
					}
				}
			}
			if got := r.from(base); got != want {
				t.Fatalf("%x from %d: got %x, want %x", r, base, got, want)
			}
			rest := r
			if got := rest.takeRun(base); got != run {
				t.Fatalf("%x takes %d from %d, want %d", r, got, base, run)
			}
			for i := range run {
				r2 := rest
				if r2.has(base + i) {
					t.Fatalf("%x still has %d of the run from %d", r, i, base)
				}
				rest.set(base + i)
			}
			if rest != r {
				t.Fatalf("taking the run from %d of %x touched other bits: %x", base, r, rest)
			}
		}
	})
}

func TestZeroTableAnswersClosed(t *testing.T) {
	var table Table
	var rsp event.SackRsp
	table.Apply(&event.SackReq{Op: event.SackOpOpen}, &rsp)
	if rsp.Class != event.SackClassClosed {
		t.Errorf("OPEN of a zero Table: got %v, want CLOSED", rsp.Class)
	}
}

func TestContextIsTheResponsesState(t *testing.T) {
	table := New(1, 1)
	var rsp event.SackRsp
	if _, ok := table.Context(0, 1); ok {
		t.Error("path 1 of 1 must have no context")
	}
	table.Apply(&event.SackReq{Op: event.SackOpOpen, Psn: 9}, &rsp)
	table.Apply(&event.SackReq{Op: event.SackOpPacket, Psn: 11, Ce: true}, &rsp)
	want := Context{Open: true, Base: 9, Next: 12, Received: 1, CeMarked: 1, LastCe: true, Vector: [4]uint64{4}}
	if got, ok := table.Context(0, 0); !ok || got != want {
		t.Errorf("got %+v, %v; want %+v", got, ok, want)
	}
}

func TestContextIsOneCacheLine(t *testing.T) {
	if size := unsafe.Sizeof(context{}); size != 64 {
		t.Errorf("a context is %d bytes, want 64: adjust the padding", size)
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
