package trace

import (
	"bufio"
	"io"
)

// sourceBuffer is the size of a Source's buffer: what fits is read without a copy.
const sourceBuffer = 256 << 10

// Source reads a binary file in order and knows at which byte it is. Memory is bounded by the largest Read, and
// grows only with bytes that are really there, so that a lying length costs nothing.
type Source struct {
	r      *bufio.Reader
	offset int64
	spare  []byte
}

// NewSource returns a Source at byte 0 of r.
func NewSource(r io.Reader) *Source { return &Source{r: bufio.NewReaderSize(r, sourceBuffer)} }

// Offset is the byte that the next Read starts at; after a short Read it is the file's length.
func (s *Source) Offset() int64 { return s.offset }

// Peek returns the next n bytes, or fewer at the end of the file, without moving on. n is at most sourceBuffer.
func (s *Source) Peek(n int) ([]byte, error) {
	b, err := s.r.Peek(n)
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// Read returns the next n bytes, valid until the next call. io.EOF: there were none. io.ErrUnexpectedEOF: there were
// fewer than n. Other errors are those of the file.
func (s *Source) Read(n int) ([]byte, error) {
	if n > sourceBuffer {
		return s.readLarge(n)
	}
	b, err := s.r.Peek(n)
	got, _ := s.r.Discard(len(b))
	s.offset += int64(got)
	if err == io.EOF && got > 0 {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

func (s *Source) readLarge(n int) ([]byte, error) {
	have := 0
	for have < n {
		step := min(n-have, max(have, sourceBuffer))
		if cap(s.spare) < have+step {
			s.spare = append(make([]byte, 0, have+step), s.spare[:have]...)
		}
		got, err := io.ReadFull(s.r, s.spare[have:have+step])
		have += got
		s.offset += int64(got)
		s.spare = s.spare[:have]
		if err != nil {
			return s.spare, shortRead(err, have)
		}
	}
	return s.spare, nil
}

// Skip moves on by n bytes, with the errors of Read.
func (s *Source) Skip(n int64) error {
	got, err := io.CopyN(io.Discard, s.r, n)
	s.offset += got
	return shortRead(err, int(min(got, 1)))
}

func shortRead(err error, got int) error {
	if err == io.EOF && got > 0 {
		return io.ErrUnexpectedEOF
	}
	if err == io.ErrUnexpectedEOF && got == 0 {
		return io.EOF
	}
	return err
}
