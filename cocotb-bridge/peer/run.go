package peer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"metaroce/cocotb-bridge/protocol"
)

// Job is a run whose stimulus is known beforehand.
type Job struct {
	Setup    protocol.Setup
	Stimulus []protocol.Stimulus // any order between ports; in each port by earliest cycle
	Window   uint64              // cycles asked for at a time; 0: 2048; 1: lock-step
	Ahead    int                 // windows asked for before the first is judged, 1..16; 0: 3; 1: no overlap
}

// Result is what is known when a run is over, or has been given up.
type Result struct {
	End      *protocol.End // nil: it did not come to its end
	Counters []uint32
	Reached  uint64 // every record before this cycle has been handed over
	Records  uint64
	Stats    Stats
}

// Stats are times of one run. The harness runs beside this side, so the sum exceeds Wall.
type Stats struct {
	Wall    time.Duration // from SETUP to END
	Each    time.Duration // in the caller's function
	Driver  Time
	Harness protocol.Time
	CPU     time.Duration // processor time of the harness, start and reset included
}

// Run starts a harness, runs the job and hands each window to each, in order, while the harness runs ahead. A window's
// records are good until each returns; who keeps one keeps a copy. An error of each ends the run and is returned. The
// result is valid, up to Reached, also with an error.
func Run(ctx context.Context, o Options, job Job, each func(Window) error) (Result, error) {
	var result Result
	s, err := Start(ctx, o, job.Setup)
	if err != nil {
		return result, err
	}
	defer s.Close()
	start := time.Now()
	err = s.drive(newFeed(&job), &result, each)
	result.Stats.Wall = time.Since(start)
	s.Close()
	result.Stats.Driver, result.Stats.CPU = s.Time(), s.CPU()
	if result.End != nil {
		result.Stats.Harness = result.End.Time
	}
	return result, err
}

// drive keeps a few windows asked for and hands over the answers.
func (s *Session) drive(f *feed, result *Result, each func(Window) error) error {
	for range f.ahead {
		if err := f.ask(s); err != nil {
			return err
		}
	}
	for {
		w, err := s.Next()
		if err != nil {
			return err
		}
		start := time.Now()
		if each != nil {
			err = each(w)
		}
		since(start, &result.Stats.Each)
		result.Reached, result.Records = w.Reached, result.Records+uint64(len(w.Records))
		result.End, result.Counters = w.End, w.Counters
		s.recycle(&w)
		if err != nil || w.End != nil {
			return err
		}
		if w.Answer {
			if err := f.ask(s); err != nil {
				return err
			}
		}
	}
}

// feed cuts the stimulus into windows.
type feed struct {
	rest   []protocol.Stimulus
	window uint64
	ahead  int
	until  uint64
}

func newFeed(job *Job) *feed {
	f := &feed{rest: job.Stimulus, window: job.Window, ahead: job.Ahead}
	if f.window == 0 {
		f.window = 2048
	}
	if f.ahead == 0 {
		f.ahead = 3
	}
	f.ahead = max(1, min(f.ahead, maxAhead))
	byCycle := func(a, b protocol.Stimulus) int { return cmp.Compare(a.Cycle, b.Cycle) }
	if !slices.IsSortedFunc(f.rest, byCycle) {
		f.rest = slices.Clone(f.rest)
		slices.SortStableFunc(f.rest, byCycle) // stable: the order in each port stays
	}
	return f
}

// ask sends the stimulus of the next window and asks for it.
func (f *feed) ask(s *Session) error {
	if f.until += f.window; f.until < f.window {
		f.until = ^uint64(0)
	}
	n := 0
	for n < len(f.rest) && f.rest[n].Cycle < f.until {
		n++
	}
	if err := s.Send(f.rest[:n]); err != nil {
		return err
	}
	f.rest = f.rest[n:]
	return s.Advance(f.until, len(f.rest) == 0)
}
