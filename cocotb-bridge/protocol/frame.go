package protocol

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Frame is one message as it came.
type Frame struct {
	Kind    Kind
	Offset  uint64 // of its header in the stream
	Payload []byte // owned by the receiver
}

// body is where the payload begins in the stream.
func (f *Frame) body() uint64 { return f.Offset + HeaderBytes }

// begin opens a frame in dst; end closes it. Between the two the payload is appended.
func begin(dst []byte, kind Kind) []byte { return append(dst, 0, 0, 0, 0, byte(kind)) }

// end writes the length of the frame that begins at byte start of dst.
func end(dst []byte, start int) []byte {
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-HeaderBytes))
	return dst
}

// Reader takes frames out of a byte stream and counts the bytes, so that every error says where.
type Reader struct {
	r      *bufio.Reader
	offset uint64
	peer   uint16 // version in the peer's HELLO
	first  bool   // a frame has been read
	ended  bool   // END has been read

	// Room, if set, gives the n bytes of a payload's place; what was in them does not matter.
	Room func(n int) []byte
}

// headRoom is what is read at least: headers and small frames. The rest of a large frame is read into its place at once.
const headRoom = 1 << 12

// NewReader reads the stream of a peer from its first byte.
func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReaderSize(r, headRoom)} }

// Offset is the number of bytes read so far.
func (r *Reader) Offset() uint64 { return r.offset }

// Next reads one frame. At the end of the stream it returns io.EOF after END, *MissingEndError before it and
// *TruncatedError inside a frame; errors of the stream itself (deadlines, resets) come wrapped as they are.
func (r *Reader) Next() (Frame, error) {
	start := r.offset
	var header [HeaderBytes]byte
	if err := r.fill(header[:], start, "header"); err != nil {
		return Frame{}, err
	}
	length, kind := binary.LittleEndian.Uint32(header[:]), Kind(header[4])
	if err := r.admit(start, length, kind); err != nil {
		return Frame{}, err
	}
	f := Frame{Kind: kind, Offset: start}
	if r.Room != nil {
		f.Payload = r.Room(int(length))
	} else {
		f.Payload = make([]byte, length)
	}
	if err := r.fill(f.Payload, start, "payload"); err != nil {
		return Frame{}, err
	}
	r.note(&f)
	return f, nil
}

// admit judges a header before anything is allocated for it.
func (r *Reader) admit(start uint64, length uint32, kind Kind) error {
	limit := uint32(MaxPayload)
	if !r.first {
		limit = 1 << 16 // no HELLO is longer
	}
	switch {
	case length > limit:
		return &OversizeError{Offset: start, Length: length, Limit: limit}
	case !kind.Known():
		return &UnknownFrameError{Offset: start, Kind: kind, Own: Version, Peer: r.peer}
	case !r.first && kind != KindHello && kind != KindError:
		return &OrderError{Offset: start, Kind: kind, When: "before HELLO"}
	case r.first && kind == KindHello:
		return &OrderError{Offset: start, Kind: kind, When: "after the handshake"}
	case r.ended:
		return &OrderError{Offset: start, Kind: kind, When: "after END"}
	}
	return nil
}

// note keeps what later errors need to say.
func (r *Reader) note(f *Frame) {
	r.first = true
	r.ended = r.ended || f.Kind == KindEnd
	if f.Kind == KindHello && len(f.Payload) >= len(Magic)+2 {
		r.peer = binary.LittleEndian.Uint16(f.Payload[len(Magic):])
	}
}

// fill reads exactly len(b) bytes of the frame that begins at start.
func (r *Reader) fill(b []byte, start uint64, what string) error {
	n, err := io.ReadFull(r.r, b)
	r.offset += uint64(n)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case n > 0 || what != "header":
		return &TruncatedError{Offset: r.offset, Frame: start, What: what, Want: len(b), Got: n}
	case r.ended:
		return io.EOF
	}
	return &MissingEndError{Offset: r.offset}
}
