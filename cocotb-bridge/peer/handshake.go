package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"metaroce/cocotb-bridge/protocol"
)

// accept waits for the harness to connect. It ends early if the harness dies or the context ends.
func (o *Options) accept(ctx context.Context, s *socket, p *process) (net.Conn, error) {
	if err := s.listener.SetDeadline(time.Now().Add(o.Handshake)); err != nil {
		return nil, err
	}
	wake := func() { s.listener.SetDeadline(time.Unix(1, 0)) }
	defer context.AfterFunc(ctx, wake)()
	stopped := make(chan struct{})
	defer close(stopped)
	if p != nil {
		go func() {
			select {
			case <-p.done:
				wake()
			case <-stopped:
			}
		}()
	}
	conn, err := s.listener.Accept()
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case p != nil && p.status() != "":
		return nil, &DiedError{When: "before it connected", Status: p.status(), Stderr: p.tail.String()}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &TimeoutError{Side: "harness", When: "before it connected", After: o.Handshake}
	}
	return nil, fmt.Errorf("harness: %w", err)
}

// handshake exchanges HELLO and compares them. The peer is told why it is refused.
func (s *Session) handshake() error {
	deadline := time.Now().Add(s.options.Handshake)
	if err := s.conn.SetDeadline(deadline); err != nil {
		return fmt.Errorf("harness: %w", err)
	}
	own := protocol.Hello{Version: protocol.Version, Side: protocol.Driver, LayoutHash: s.unit.SpecHash, Unit: s.unit}
	// A peer that is none may be gone before it has been greeted: what it said first is still there, and says more.
	_, unsent := s.conn.Write(protocol.AppendHello(nil, &own))
	f, err := s.reader.Next()
	if err != nil {
		return s.readError(err)
	}
	if f.Kind == protocol.KindError {
		return protocol.ParseError(&f)
	}
	theirs, err := protocol.ParseHello(&f)
	if err == nil {
		err = protocol.Agree(&own, &theirs)
	}
	if err != nil {
		s.conn.Write(protocol.AppendError(nil, err.Error())) // it may be gone already
		return err
	}
	if unsent != nil {
		return s.readError(unsent)
	}
	return s.conn.SetDeadline(time.Time{})
}
