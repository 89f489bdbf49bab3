package pipeline

import (
	"fmt"

	"metaroce/golden/engine/queue"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Walker retires messages one a cycle, run after run (spec: rob.walker).
type Walker struct {
	Out        queue.Fifo[event.RobCqe] // port m_cqe
	Floor      event.RobDbgFloor        // port dbg_floor, if FloorValid
	FloorValid bool
	Retired    uint32 // counter

	runs queue.Fifo[run]
	busy bool
	run  run // the one it is busy with
	line queue.Line[event.RobCqe]
	// Completions of all runs, from their operation's issue on. Runs are walked in the order of issue, so the oldest
	// completion is always of the message that retires next.
	waiting queue.Fifo[event.RobCqe]
}

// run is messages of one stream that retire one after the other.
type run struct {
	index int    // the stream's number
	next  uint32 // message
	left  int    // messages
}

// newWalker sizes the waiting completions: a run has at most depth messages; runs are in the pipeline or in the FIFO, which
// together hold `run_fifo_depth` (spec: rob.issue), and one is with the walker.
func newWalker(depth int) Walker {
	return Walker{
		Out:     queue.NewFifo[event.RobCqe](profile.RobCompletionFifoDepth),
		runs:    queue.NewFifo[run](profile.RobRunFifoDepth),
		line:    queue.NewLine[event.RobCqe](profile.RobRetireCycles),
		waiting: queue.NewFifo[event.RobCqe]((profile.RobRunFifoDepth + 1) * depth),
	}
}

// idle tells whether it has no run and none waits at the start of the cycle.
func (w *Walker) idle() bool { return !w.busy && !w.runs.Has() }

// wait keeps completions until the walker comes to them.
func (w *Walker) wait(completions []event.RobCqe) {
	for i := range completions {
		*w.waiting.Push() = completions[i]
	}
}

func (w *Walker) step(f *floors) {
	retires := w.busy && w.line.Len()+w.Out.Len() < profile.RobCompletionFifoDepth
	if cqe := w.line.Leave(); cqe != nil {
		*w.Out.Push() = *cqe
		w.Retired++
	}
	w.FloorValid = retires
	if retires {
		w.retire(f)
	}
	if !w.busy && w.runs.Has() {
		w.busy, w.run = true, *w.runs.Front()
		w.runs.Pop()
	}
}

func (w *Walker) retire(f *floors) {
	cqe := w.waiting.Front()
	*w.line.Enter() = *cqe
	w.waiting.Pop()
	w.run.next++
	w.run.left--
	w.busy = w.run.left > 0
	f.floor[w.run.index] = w.run.next
	w.Floor = event.RobDbgFloor{Connection: cqe.Connection, Stream: cqe.Stream, Floor: w.run.next}
}

func (w *Walker) close() {
	w.runs.Close()
	w.line.Close()
	w.waiting.Close()
	w.Out.Close()
}

// String tells what the walker is busy with and what waits, for reports.
func (w *Walker) String() string {
	text := "walker idle"
	if w.busy {
		text = fmt.Sprintf("walker at message 0x%x of a run with %d left", w.run.next, w.run.left)
	}
	return fmt.Sprintf("%s, runs waiting %d, completions waiting %d", text, w.runs.Len(), w.Out.Len())
}
