package cosim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"metaroce/golden/engine"
)

// Cycles shown and dumped around a difference.
const (
	cyclesBefore = 200 // waves
	cyclesAfter  = 56
	shownBefore  = 28 // timing diagram
	shownAfter   = 12
)

// window is what a second run of the same stimulus shows of the cycles around a difference.
type window struct {
	from, to      uint64 // cycles dumped, to not included
	model, device []engine.Record
	state         string // of the model's context at the difference
}

var errWindowDone = errors.New("window is complete")

// replay runs both sides again up to just behind a cycle. It keeps their records of the window, and lets the device
// dump its waves.
func replay(ctx context.Context, open Opener, run *engine.Run, cycle uint64, subject *engine.Record, wave string) (*window, error) {
	w := &window{from: cycle - min(cycle, cyclesBefore), to: cycle + cyclesAfter}
	if err := w.replayModel(run, cycle, subject); err != nil {
		return nil, err
	}
	device, err := open(ctx, run, Waves{File: wave, From: w.from, To: w.to})
	if err != nil {
		return w, fmt.Errorf("replay: %w", err)
	}
	_, err = device.Run(ctx, func(records []engine.Record, reached uint64) error {
		for i := range records {
			if r := &records[i]; r.Cycle >= w.from && r.Cycle < w.to {
				w.device = append(w.device, engine.Record{Cycle: r.Cycle, Port: r.Port, Beat: append([]byte(nil), r.Beat...)})
			}
		}
		if reached > w.to {
			return errWindowDone
		}
		return nil
	})
	if errors.Is(err, errWindowDone) {
		err = nil
	}
	return w, errors.Join(err, device.Close())
}

func (w *window) replayModel(run *engine.Run, cycle uint64, subject *engine.Record) error {
	bench, err := engine.NewBench(*run)
	if err != nil {
		return err
	}
	keep := func(r engine.Record) {
		if r.Cycle >= w.from && r.Cycle < w.to {
			r.Beat = append([]byte(nil), r.Beat...)
			w.model = append(w.model, r)
		}
	}
	bench.Advance(cycle+1, keep)
	if subject != nil {
		var text strings.Builder
		bench.Unit().Describe(&text, int(subject.Port), subject.Beat)
		w.state = fmt.Sprintf("at cycle %d:\n%s", cycle+1, text.String())
	}
	bench.Advance(w.to, keep)
	return nil
}
