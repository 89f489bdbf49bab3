package protocol

import (
	"encoding/binary"
	"fmt"
)

// cursor reads a payload from front to back. After its first error it reads zeros; the caller looks at err once.
type cursor struct {
	b    []byte
	at   int
	kind Kind
	base uint64 // offset of the payload in the stream
	err  error
}

func (f *Frame) cursor() *cursor { return &cursor{b: f.Payload, kind: f.Kind, base: f.body()} }

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = &FormatError{Offset: c.base + uint64(c.at), Kind: c.kind, What: fmt.Sprintf(format, args...)}
	}
}

// take returns the next n bytes, or nil after an error.
func (c *cursor) take(n int, what string) []byte {
	if c.err == nil && len(c.b)-c.at < n {
		c.fail("%s: %d bytes left, want %d", what, len(c.b)-c.at, n)
	}
	if c.err != nil {
		return nil
	}
	c.at += n
	return c.b[c.at-n : c.at : c.at]
}

func (c *cursor) uint8(what string) uint8 {
	if b := c.take(1, what); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uint16(what string) uint16 {
	if b := c.take(2, what); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) uint32(what string) uint32 {
	if b := c.take(4, what); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) uint64(what string) uint64 {
	if b := c.take(8, what); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// text reads a string with a 16-bit length.
func (c *cursor) text(what string) string {
	n := int(c.uint16(what))
	if n > MaxText {
		c.fail("%s: %d bytes long, the limit is %d", what, n, MaxText)
	}
	return string(c.take(n, what))
}

// done returns the first error, or one if bytes are left.
func (c *cursor) done() error {
	if c.err == nil && c.at != len(c.b) {
		c.fail("%d bytes too many", len(c.b)-c.at)
	}
	return c.err
}

func appendText(dst []byte, s string) []byte {
	if len(s) > MaxText {
		s = s[:MaxText]
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(s)))
	return append(dst, s...)
}
