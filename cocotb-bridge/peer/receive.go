package peer

import (
	"errors"
	"fmt"
	"io"
	"time"

	"metaroce/cocotb-bridge/protocol"
)

// receiver turns the harness's frames into windows. It is the only one that reads.
type receiver struct {
	*Session
	window   Window // under construction
	reached  uint64 // of the window delivered last
	last     protocol.Record
	any      bool // last is one
	counters []uint32
	decode   time.Duration
}

// receive runs until END or the first error. What came before an error is delivered before it.
func (s *Session) receive() {
	r := &receiver{Session: s}
	s.reader.Room = r.room
	for {
		f, err := s.reader.Next()
		if errors.Is(err, io.EOF) {
			err = &protocol.MissingEndError{Offset: s.reader.Offset()}
		}
		if err != nil {
			r.fail(s.readError(err))
			return
		}
		s.rearm()
		start := time.Now()
		err = r.frame(&f)
		r.decode += time.Since(start)
		if err != nil {
			r.fail(err)
			return
		}
		if r.window.End != nil {
			s.disarm()
			s.time.Decode = r.decode
			r.deliver(item{window: r.window})
			return
		}
	}
}

// rearm gives the harness time for its next frame, if one is due.
func (s *Session) rearm() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.due > 0 {
		s.conn.SetReadDeadline(time.Now().Add(s.options.Silence))
	}
}

// answered notes that an ADVANCE has been answered and tells whether one was due.
func (s *Session) answered() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.due == 0 {
		return false
	}
	if s.due--; s.due == 0 {
		s.conn.SetReadDeadline(time.Time{})
	}
	return true
}

func (s *Session) disarm() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.due = 0
	s.conn.SetReadDeadline(time.Time{})
}

func (r *receiver) frame(f *protocol.Frame) error {
	switch f.Kind {
	case protocol.KindRecords:
		return r.records(f)
	case protocol.KindReached, protocol.KindProgress:
		return r.cycle(f)
	case protocol.KindCounters:
		var err error
		r.counters, err = protocol.ParseCounters(f, &r.unit)
		return err
	case protocol.KindEnd:
		return r.end(f)
	case protocol.KindError:
		return protocol.ParseError(f)
	}
	return &protocol.OrderError{Offset: f.Offset, Kind: f.Kind, When: "from a harness"}
}

func (r *receiver) records(f *protocol.Frame) error {
	before := len(r.window.Records)
	records, err := protocol.ParseRecords(r.window.Records, f, &r.unit)
	if err == nil && len(records) > before {
		err = r.follows(f, records[before])
	}
	if err != nil {
		return err
	}
	r.window.Records, r.window.memory.records = records, records
	if n := len(records); n > before {
		r.last, r.any = records[n-1], true
	}
	return nil
}

// follows checks the seam between two frames; inside a frame ParseRecords has checked.
func (r *receiver) follows(f *protocol.Frame, first protocol.Record) error {
	late := first.Cycle < r.reached
	if r.any && (first.Cycle < r.last.Cycle || first.Cycle == r.last.Cycle && first.Port <= r.last.Port) {
		late = true
	}
	if !late {
		return nil
	}
	return &protocol.FormatError{Offset: f.Offset, Kind: f.Kind,
		What: fmt.Sprintf("cycle %d, port %d comes too late: cycle %d had been reached", first.Cycle, first.Port, r.reached)}
}

func (r *receiver) cycle(f *protocol.Frame) error {
	cycle, err := protocol.ParseCycle(f)
	if err != nil {
		return err
	}
	if err := r.complete(f, cycle); err != nil {
		return err
	}
	if r.window.Answer = f.Kind == protocol.KindReached; r.window.Answer && !r.answered() {
		return &protocol.OrderError{Offset: f.Offset, Kind: f.Kind, When: "that answers nothing"}
	}
	if r.window.Answer || len(r.window.Records) > 0 {
		r.deliver(item{window: r.window})
		r.begin()
	}
	return nil
}

// complete closes the window under construction at a cycle.
func (r *receiver) complete(f *protocol.Frame, cycle uint64) error {
	if cycle < r.reached || r.any && cycle <= r.last.Cycle {
		return &protocol.FormatError{Offset: f.Offset, Kind: f.Kind,
			What: fmt.Sprintf("cycle %d, but cycle %d had been reached", cycle, max(r.reached, r.last.Cycle+1))}
	}
	r.window.Reached, r.reached = cycle, cycle
	return nil
}

func (r *receiver) end(f *protocol.Frame) error {
	if r.counters == nil {
		return &protocol.OrderError{Offset: f.Offset, Kind: f.Kind, When: "before COUNTERS"}
	}
	e, err := protocol.ParseEnd(f, &r.unit)
	if err != nil {
		return err
	}
	if err := r.complete(f, e.Cycle); err != nil {
		return err
	}
	if err := protocol.AgreeEnd(&r.unit, &e); err != nil {
		return err
	}
	r.window.Answer, r.window.End, r.window.Counters = true, &e, r.counters
	return nil
}

// fail delivers what is there, then the error. The cycle of the last record may lack others of its own.
func (r *receiver) fail(err error) {
	r.time.Decode = r.decode
	r.conn.Close() // a caller that is writing shall not wait for a harness that does not read
	if len(r.window.Records) > 0 {
		r.window.Reached, r.window.Answer, r.window.End = r.last.Cycle, false, nil
		r.deliver(item{window: r.window})
	}
	r.deliver(item{err: err})
}

// deliver waits for the caller, unless the session has been closed.
func (r *receiver) deliver(it item) {
	select {
	case r.windows <- it:
	case <-r.closed:
	}
}
