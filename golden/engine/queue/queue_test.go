package queue_test

import (
	"math/rand/v2"
	"testing"

	"metaroce/golden/engine/queue"
)

// A FIFO of one entry takes and gives in turn, since it shows the state at the start of the cycle only.
func TestFifoShowsStartOfCycle(t *testing.T) {
	f := queue.NewFifo[int](1)
	if !f.Room() || f.Has() {
		t.Fatalf("empty: room %v, has %v", f.Room(), f.Has())
	}
	*f.Push() = 7
	if f.Has() || !f.Room() {
		t.Fatalf("a push shows in its own cycle")
	}
	f.Close()
	if !f.Has() || f.Room() || *f.Front() != 7 {
		t.Fatalf("a push does not show in the next cycle")
	}
	f.Pop()
	if f.Room() || !f.Has() {
		t.Fatalf("a pop shows in its own cycle")
	}
	f.Close()
	if !f.Room() || f.Has() {
		t.Fatalf("a pop does not show in the next cycle")
	}
}

func TestFifoOverflowPanics(t *testing.T) {
	f := queue.NewFifo[int](2)
	*f.Push() = 1
	*f.Push() = 2
	defer func() {
		if recover() == nil {
			t.Fatal("third push into a fifo of two did not panic")
		}
	}()
	f.Push()
}

// Against a plain slice, for depths that are powers of two and others.
func TestFifoAgainstSlice(t *testing.T) {
	for _, depth := range []int{1, 2, 3, 4, 5, 32} {
		random := rand.New(rand.NewPCG(1, uint64(depth)))
		f := queue.NewFifo[int](depth)
		var want []int
		for cycle := range 2000 {
			n := len(want)
			if f.Len() != n || f.Room() != (n < depth) || f.Has() != (n > 0) {
				t.Fatalf("depth %d cycle %d: len %d room %v has %v, want len %d", depth, cycle, f.Len(), f.Room(), f.Has(), n)
			}
			push, pop := f.Room() && random.IntN(2) == 0, f.Has() && random.IntN(2) == 0
			if pop {
				if *f.Front() != want[0] {
					t.Fatalf("depth %d cycle %d: front %d, want %d", depth, cycle, *f.Front(), want[0])
				}
				f.Pop()
				want = want[1:]
			}
			if push {
				*f.Push() = cycle
				want = append(want, cycle)
			}
			f.Close()
		}
	}
}

func TestLineDelaysByItsLatency(t *testing.T) {
	for _, latency := range []int{1, 3, 14} {
		line := queue.NewLine[int](latency)
		var entered []int // cycle of each entry still inside, oldest first
		for cycle := range 100 {
			if line.Len() != len(entered) {
				t.Fatalf("latency %d cycle %d: len %d, want %d", latency, cycle, line.Len(), len(entered))
			}
			left := line.Leave()
			due := len(entered) > 0 && entered[0]+latency == cycle
			if (left != nil) != due {
				t.Fatalf("latency %d cycle %d: left %v, want %v", latency, cycle, left != nil, due)
			}
			if due {
				if *left != entered[0] {
					t.Fatalf("latency %d cycle %d: left %d, want %d", latency, cycle, *left, entered[0])
				}
				entered = entered[1:]
			}
			if cycle%3 != 0 { // gaps
				*line.Enter() = cycle
				entered = append(entered, cycle)
			}
			line.Close()
		}
	}
}
