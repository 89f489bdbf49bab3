package protocol

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrProtocol is behind every error of this package: errors.Is(err, ErrProtocol) tells that the conversation, not the
// device, is at fault.
var ErrProtocol = errors.New("bridge protocol error")

// TruncatedError: the stream ends inside a frame.
type TruncatedError struct {
	Offset uint64 // bytes received before the end
	Frame  uint64 // where the cut frame begins
	What   string // part of the frame that is cut
	Want   int    // bytes that this part has
	Got    int    // bytes of it that came
}

func (e *TruncatedError) Error() string {
	return fmt.Sprintf("byte %d: stream ends in the %s of the frame that begins at byte %d: %d of %d bytes came",
		e.Offset, e.What, e.Frame, e.Got, e.Want)
}
func (e *TruncatedError) Unwrap() error { return ErrProtocol }

// MissingEndError: the stream ends between two frames, but END has not been sent.
type MissingEndError struct{ Offset uint64 }

func (e *MissingEndError) Error() string {
	return fmt.Sprintf("byte %d: stream ends before END", e.Offset)
}
func (e *MissingEndError) Unwrap() error { return ErrProtocol }

// OversizeError: a frame claims to be longer than any frame may be.
type OversizeError struct {
	Offset uint64 // where the frame begins
	Length uint32 // bytes claimed
	Limit  uint32
}

func (e *OversizeError) Error() string {
	return fmt.Sprintf("byte %d: frame claims %d bytes, the limit is %d: not a bridge peer, or the stream is damaged",
		e.Offset, e.Length, e.Limit)
}
func (e *OversizeError) Unwrap() error { return ErrProtocol }

// UnknownFrameError: a frame of a kind that this version does not have.
type UnknownFrameError struct {
	Offset    uint64
	Kind      Kind
	Own, Peer uint16 // protocol versions; Peer is 0 before its HELLO
}

func (e *UnknownFrameError) Error() string {
	return fmt.Sprintf("byte %d: frame of unknown kind %d: this side speaks protocol version %d, the peer said version %d",
		e.Offset, uint8(e.Kind), e.Own, e.Peer)
}
func (e *UnknownFrameError) Unwrap() error { return ErrProtocol }

// OrderError: a known frame where it may not come.
type OrderError struct {
	Offset uint64
	Kind   Kind
	When   string // state of the conversation
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("byte %d: %s frame %s", e.Offset, e.Kind, e.When)
}
func (e *OrderError) Unwrap() error { return ErrProtocol }

// FormatError: the payload of a frame is not what its kind says.
type FormatError struct {
	Offset uint64 // of the byte at fault in the stream
	Kind   Kind
	What   string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("byte %d: %s frame: %s", e.Offset, e.Kind, e.What)
}
func (e *FormatError) Unwrap() error { return ErrProtocol }

// MagicError: the first bytes are not those of a bridge peer.
type MagicError struct {
	Offset uint64
	Got    []byte
}

func (e *MagicError) Error() string {
	return fmt.Sprintf("byte %d: HELLO begins with %q, want %q: not a bridge peer", e.Offset, e.Got, Magic)
}
func (e *MagicError) Unwrap() error { return ErrProtocol }

// VersionError: the peer speaks another version.
type VersionError struct{ Own, Peer uint16 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("protocol version: this side speaks %d, the peer %d: rebuild the harness", e.Own, e.Peer)
}
func (e *VersionError) Unwrap() error { return ErrProtocol }

// HashError: the two sides were generated from different texts or tables.
type HashError struct {
	Name      string // "spec" or a table's name
	Own, Peer uint64 // first 8 bytes of the SHA-256, big-endian
}

func (e *HashError) Error() string {
	return fmt.Sprintf("%s hash: this side has %016x, the peer %016x: generate again and rebuild", e.Name, e.Own, e.Peer)
}
func (e *HashError) Unwrap() error { return ErrProtocol }

// MismatchError: the two sides disagree on a fact of the handshake.
type MismatchError struct {
	What      string
	Own, Peer string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: this side has %s, the peer %s", e.What, e.Own, e.Peer)
}
func (e *MismatchError) Unwrap() error { return ErrProtocol }

// PortError: the two sides disagree on a port.
type PortError struct {
	Index     int
	Own, Peer string // the port as each side has it
}

func (e *PortError) Error() string {
	return fmt.Sprintf("port %d: this side has %s, the peer %s", e.Index, e.Own, e.Peer)
}
func (e *PortError) Unwrap() error { return ErrProtocol }

// RemoteError: the peer gave up and said why.
type RemoteError struct{ Text string }

func (e *RemoteError) Error() string { return "the peer gave up: " + e.Text }
func (e *RemoteError) Unwrap() error { return ErrProtocol }

func itoa(v uint64) string { return strconv.FormatUint(v, 10) }
