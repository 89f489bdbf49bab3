package peer

import (
	"fmt"
	"strings"
	"time"

	"metaroce/cocotb-bridge/protocol"
)

// DiedError: the harness went away before END.
type DiedError struct {
	When   string // what it was doing
	Offset uint64 // bytes received from it
	Status string // exit status or signal; empty if it is not a process of this side
	Stderr string // the end of what it wrote
	Cause  error  // how the stream ended; nil if there never was one
}

func (e *DiedError) Error() string {
	s := fmt.Sprintf("the harness died %s, after %d bytes", e.When, e.Offset)
	if e.Status != "" {
		s += " (" + e.Status + ")"
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	if tail := strings.TrimSpace(e.Stderr); tail != "" {
		s += "; its last words: " + tail
	}
	return s
}
func (e *DiedError) Unwrap() []error {
	if e.Cause == nil {
		return []error{protocol.ErrProtocol}
	}
	return []error{protocol.ErrProtocol, e.Cause}
}

// TimeoutError: a side was silent for too long.
type TimeoutError struct {
	Side   string // who was silent
	When   string // what was due
	After  time.Duration
	Offset uint64 // bytes received from it
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("the %s was silent for %v %s, after %d bytes", e.Side, e.After, e.When, e.Offset)
}
func (e *TimeoutError) Unwrap() error { return protocol.ErrProtocol }

// SocketError: the socket cannot be made.
type SocketError struct {
	Path string
	What string
	Err  error
}

func (e *SocketError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("socket %s: %s", e.Path, e.What)
	}
	return fmt.Sprintf("socket %s: %s: %v", e.Path, e.What, e.Err)
}
func (e *SocketError) Unwrap() error { return e.Err }
