package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"metaroce/cocotb-bridge/protocol"
)

// maxAhead bounds the windows that may be asked for before the first of them is answered.
const maxAhead = 16

// Window is a stretch of a run, complete: no record of a cycle before Reached is missing.
type Window struct {
	Records []protocol.Record
	Reached uint64 // first cycle about which nothing is known yet
	Answer  bool   // the oldest ADVANCE is answered; else there is more to come
	// Set in the last window of a run that came to its end:
	End      *protocol.End
	Counters []uint32

	memory memory
}

// Session is one run of one harness. Send, Advance and Next are for one goroutine; Close for any.
type Session struct {
	options Options
	unit    protocol.Unit
	conn    net.Conn
	reader  *protocol.Reader
	process *process // nil if somebody else started the harness
	ctx     context.Context
	release func() bool // of the context's callback

	out     chan []byte // to the writer
	windows chan item   // from the receiver
	spare   chan memory // of windows that the caller is done with
	closed  chan struct{}
	once    sync.Once
	when    string        // stage of the conversation, for errors
	limit   time.Duration // silence allowed in it
	ended   error         // what Next returns for ever
	pending []byte        // frames not yet handed to the writer
	sent    [protocol.MaxPorts]uint64
	until   uint64
	final   bool

	mutex sync.Mutex
	due   int // ADVANCE frames without an answer

	time Time
}

type item struct {
	window Window
	err    error
}

// Time is how long the driver's side of the bridge took, by the wall.
type Time struct {
	Encode  time.Duration // turning stimulus into frames
	Decode  time.Duration // turning frames into records; runs beside the caller
	Blocked time.Duration // waiting in Next for the harness
}

// Start makes the socket, starts the harness, agrees with it and sends the setup.
func Start(ctx context.Context, o Options, setup protocol.Setup) (*Session, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	if err := setup.Check(&o.Unit); err != nil {
		return nil, err
	}
	sock, err := o.listen()
	if err != nil {
		return nil, err
	}
	defer sock.close() // one harness is all
	var p *process
	if o.Binary != "" {
		if p, err = startProcess(o.Binary, o.Dir, sock.args, o.Grace, o.Log); err != nil {
			return nil, err
		}
	}
	conn, err := o.accept(ctx, sock, p)
	if err != nil {
		if p != nil {
			p.stop()
		}
		return nil, err
	}
	return attach(ctx, o, setup, conn, p)
}

// attach agrees with the peer at the other end of a connection and starts the session's two helpers.
func attach(ctx context.Context, o Options, setup protocol.Setup, conn net.Conn, p *process) (*Session, error) {
	s := &Session{
		options: o, unit: o.Unit, conn: conn, reader: protocol.NewReader(conn), process: p, ctx: ctx,
		out: make(chan []byte, maxAhead+1), windows: make(chan item, maxAhead), spare: make(chan memory, maxAhead), closed: make(chan struct{}),
		when: "during the handshake", limit: o.Handshake,
	}
	s.release = context.AfterFunc(ctx, func() { conn.Close() })
	if err := s.handshake(); err != nil {
		s.Close()
		return nil, err
	}
	s.when, s.limit = "in the run", o.Silence
	s.pending = protocol.AppendSetup(nil, &setup)
	go s.write()
	go s.receive()
	return s, nil
}

// write hands frames to the socket, so that the caller never waits for a harness that is busy.
func (s *Session) write() {
	for {
		select {
		case b := <-s.out:
			if _, err := s.conn.Write(b); err != nil {
				return // the receiver finds out why
			}
		case <-s.closed:
			return
		}
	}
}

// stimulusFrame is where a STIMULUS frame is cut.
const stimulusFrame = 1 << 20

// Send adds beats. In each port they come in the order of their earliest cycles, and none earlier than the last Advance.
func (s *Session) Send(beats []protocol.Stimulus) error {
	defer since(time.Now(), &s.time.Encode)
	for i := range beats {
		if err := s.admit(&beats[i]); err != nil {
			return err
		}
	}
	for len(beats) > 0 {
		n, size := 0, 0
		for n < len(beats) && size < stimulusFrame {
			size += protocol.StimulusBytes(&beats[n])
			n++
		}
		s.pending = protocol.AppendStimulus(s.pending, beats[:n])
		beats = beats[n:]
	}
	return nil
}

// admit refuses a beat that the harness would refuse, while the caller can still be told which.
func (s *Session) admit(b *protocol.Stimulus) error {
	switch {
	case int(b.Port) >= len(s.unit.Ports) || s.unit.Ports[b.Port].Direction != protocol.In:
		return fmt.Errorf("stimulus: port %d is not an input of %s", b.Port, s.unit.Name)
	case len(b.Beat) != s.unit.Ports[b.Port].BeatBytes:
		return fmt.Errorf("stimulus: beat of %d bytes for %s", len(b.Beat), s.unit.Ports[b.Port])
	case s.final:
		return fmt.Errorf("stimulus: beat for cycle %d after the final Advance", b.Cycle)
	case b.Cycle < s.until:
		return fmt.Errorf("stimulus: beat for cycle %d after Advance to cycle %d", b.Cycle, s.until)
	case b.Cycle < s.sent[b.Port]:
		return fmt.Errorf("stimulus: port %s: beat for cycle %d after one for cycle %d", s.unit.Ports[b.Port].Name, b.Cycle, s.sent[b.Port])
	}
	s.sent[b.Port] = b.Cycle
	return nil
}

// Advance asks the harness to run until a cycle. Several windows may be asked for before the first is answered; final
// says that all stimulus has been sent. Without it more stimulus must follow, for the cycle until or later.
func (s *Session) Advance(until uint64, final bool) error {
	if until < s.until {
		return fmt.Errorf("advance to cycle %d after cycle %d", until, s.until)
	}
	s.until, s.final = until, s.final || final
	s.pending = protocol.AppendAdvance(s.pending, protocol.Advance{Until: until, Final: s.final})
	s.mutex.Lock()
	s.due++
	due := s.due
	if due == 1 {
		s.conn.SetReadDeadline(time.Now().Add(s.options.Silence))
	}
	s.mutex.Unlock()
	if due > maxAhead {
		return fmt.Errorf("advance: %d windows are not answered yet, the limit is %d: call Next", due-1, maxAhead)
	}
	if due == 1 { // the harness waits: the way through the writer would only cost time
		_, err := s.conn.Write(s.pending)
		s.pending = s.pending[:0]
		return s.writeError(err)
	}
	select {
	case s.out <- s.pending:
		s.pending = nil
	case <-s.closed:
		return net.ErrClosed
	}
	return nil
}

// writeError leaves a lost connection to Next, which knows why and has what came before.
func (s *Session) writeError(err error) error {
	var failed *net.OpError
	if err == nil || errors.As(err, &failed) {
		return nil
	}
	return fmt.Errorf("harness: %w", err)
}

// Next waits for the next stretch of the run. After the window with End it returns io.EOF. After an error of the
// conversation every record that came wholly has been returned by the calls before.
func (s *Session) Next() (Window, error) {
	defer since(time.Now(), &s.time.Blocked)
	if s.ended != nil {
		return Window{}, s.ended
	}
	it := <-s.windows
	if s.ended = it.err; it.window.End != nil {
		s.ended = io.EOF
	}
	return it.window, it.err
}

// Close ends the session at once, and the harness with it. It returns when the process is gone.
func (s *Session) Close() error {
	s.once.Do(func() {
		s.release()
		close(s.closed)
		s.conn.Close()
		if s.process != nil {
			s.process.stop()
		}
	})
	return nil
}

// CPU is the processor time of the harness, after Close.
func (s *Session) CPU() time.Duration {
	if s.process == nil {
		return 0
	}
	return s.process.cpu()
}

// Time is how long this side took. Decode is complete once Next has returned an error or io.EOF.
func (s *Session) Time() Time { return s.time }

// readError names the reason why nothing more can be read.
func (s *Session) readError(err error) error {
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &TimeoutError{Side: "harness", When: s.when, After: s.limit, Offset: s.reader.Offset()}
	}
	var truncated *protocol.TruncatedError
	var missing *protocol.MissingEndError
	var failed *net.OpError
	if !errors.As(err, &truncated) && !errors.As(err, &missing) && !errors.As(err, &failed) {
		return err // the peer lives, but talks nonsense
	}
	died := &DiedError{When: s.when, Offset: s.reader.Offset(), Cause: err}
	if s.process != nil && s.process.within(s.options.Grace) {
		died.Status, died.Stderr = s.process.status(), s.process.tail.String()
	}
	return died
}

func since(start time.Time, sum *time.Duration) { *sum += time.Since(start) }
