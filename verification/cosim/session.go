package cosim

import (
	"errors"
	"time"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/compare"
	"metaroce/verification/report"
)

// errDifferent ends a run at its first difference.
var errDifferent = errors.New("first difference found")

// session is one run of model and device side by side.
type session struct {
	unit     *event.Unit
	run      *engine.Run
	bench    *engine.Bench
	comparer *compare.Comparer
	start    keeper // for the timing diagram of a run that agrees
	series   *report.Series
	sinks    []recordSink // files
	progress *progress

	modelDone bool
	reached   uint64
	modelNS   int64
	compareNS int64
}

// recordSink takes the device's records as they come.
type recordSink interface {
	take(records []engine.Record) error
}

// Sides of a comparison.
const (
	sideModel  = 0
	sideDevice = 1
)

func newSession(unit *event.Unit, run *engine.Run, level compare.Level) (*session, error) {
	bench, err := engine.NewBench(*run)
	if err != nil {
		return nil, err
	}
	return &session{
		unit: unit, run: run, bench: bench, comparer: compare.New(unit, level),
		series: report.NewSeries(unit),
	}, nil
}

// deliver takes a window of the device's records: it lets the model catch up and compares.
func (s *session) deliver(records []engine.Record, reached uint64) error {
	s.catchUp(reached)
	began := time.Now()
	defer func() { s.compareNS += time.Since(began).Nanoseconds() }()
	for i := range records {
		s.comparer.Device(records[i])
	}
	if err := s.keep(records); err != nil {
		return err
	}
	s.reached = reached
	s.progress.show(reached)
	if s.comparer.First() != nil {
		return errDifferent
	}
	return nil
}

// keep hands a window of the device's records to whoever wants some of them.
func (s *session) keep(records []engine.Record) error {
	for i := 0; i < len(records) && !s.start.full(sideDevice); i++ {
		s.start.add(sideDevice, &s.unit.Ports[records[i].Port], &records[i])
	}
	for i := range records {
		s.series.Add(&records[i])
	}
	for _, sink := range s.sinks {
		if err := sink.take(records); err != nil {
			return err
		}
	}
	return nil
}

// catchUp runs the model up to a cycle.
func (s *session) catchUp(cycle uint64) {
	if s.modelDone {
		return
	}
	began := time.Now()
	s.modelDone = s.bench.Advance(cycle, func(r engine.Record) {
		s.comparer.Model(r)
		if !s.start.full(sideModel) {
			s.start.add(sideModel, &s.unit.Ports[r.Port], &r)
		}
	})
	s.modelNS += time.Since(began).Nanoseconds()
}

// modelEnd lets the model run to its end and says how it ended.
func (s *session) modelEnd() compare.End {
	s.catchUp(s.run.MaxCycles + 1)
	hang, cycle := s.bench.End()
	return compare.End{Complete: true, Hang: hang, Cycle: cycle, Counters: s.bench.Counters()}
}

// Bounds of what is kept of each side around its first answer, in records.
const (
	recordsBefore = 200
	recordsAfter  = 300
)

// keeper holds copies of the records of both sides around the first beat of an output with back-pressure: where the
// traffic begins to be answered. Without one it holds the last records.
type keeper struct{ sides [2]kept }

type kept struct {
	records []engine.Record
	after   int // records still to be taken; 0 before the first answer
	full    bool
}

func (k *keeper) full(side int) bool { return k.sides[side].full }

// add takes the next record of a side that is not full.
func (k *keeper) add(side int, port *event.Port, r *engine.Record) {
	s := &k.sides[side]
	if s.after == 0 && len(s.records) >= 2*recordsBefore {
		s.records = s.records[:copy(s.records, s.records[recordsBefore:])]
	}
	s.records = append(s.records, engine.Record{Cycle: r.Cycle, Port: r.Port, Beat: append([]byte(nil), r.Beat...)})
	if s.after > 0 {
		s.after--
		s.full = s.after == 0
	} else if port.Direction == event.Out && port.Style != event.Event {
		s.after = recordsAfter
	}
}
