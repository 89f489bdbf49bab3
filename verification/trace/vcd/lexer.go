package vcd

import (
	"fmt"
	"io"

	"metaroce/verification/trace"
)

const (
	bufferBytes = 256 << 10
	// maxToken bounds the memory of one word; a value of maxWidth bits fits.
	maxToken = maxWidth + 16
)

// lexer cuts a file into words at white space. It keeps one buffer, whatever the file's size.
type lexer struct {
	r        io.Reader
	buf      []byte
	pos, end int
	base     int64 // byte of the file that buf[0] is
	line     int   // of buf[pos]
	tokenAt  int64 // byte at which the last word starts
	ended    error // io.EOF or an error of the file, once met
}

func newLexer(r io.Reader) *lexer {
	return &lexer{r: r, buf: make([]byte, bufferBytes), line: 1}
}

// errCut tells that the file ends inside a word, or directly behind one: what follows it is not known.
var errCut = fmt.Errorf("the file ends inside a word")

// token returns the next word, valid until the next call. io.EOF: no word is left. errCut: the last word has no white
// space behind it, so it may have been longer.
func (l *lexer) token() ([]byte, error) {
	if err := l.skipBlank(); err != nil {
		return nil, err
	}
	l.tokenAt = l.base + int64(l.pos)
	length := 0
	for {
		rest := l.buf[l.pos:l.end]
		for i, c := range rest[length:] {
			if c <= ' ' {
				l.pos += length + i
				return rest[:length+i], nil
			}
		}
		length = len(rest)
		if length > maxToken {
			return nil, l.malformed("a word of more than %d bytes", maxToken)
		}
		if err := l.fill(); err == io.EOF {
			l.pos = l.end
			return nil, errCut
		} else if err != nil {
			return nil, err
		}
	}
}

// skipBlank moves to the next word. Bytes up to the blank are white space: blanks, tabs, line ends of any kind.
func (l *lexer) skipBlank() error {
	for {
		for l.pos < l.end {
			c := l.buf[l.pos]
			if c > ' ' {
				return nil
			}
			if c == '\n' {
				l.line++
			}
			if c == 0 {
				l.tokenAt = l.offset()
				return l.malformed("a zero byte: this is no text")
			}
			l.pos++
		}
		if err := l.fill(); err != nil {
			return err
		}
	}
}

// fill reads more behind what is not yet used, which it moves to the buffer's start.
func (l *lexer) fill() error {
	if l.ended != nil {
		return l.ended
	}
	l.base += int64(l.pos)
	l.end = copy(l.buf, l.buf[l.pos:l.end])
	l.pos = 0
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	for {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		l.ended = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// skipMark drops a byte-order mark at the start of the file.
func (l *lexer) skipMark() error {
	for l.end < 3 && l.ended == nil {
		if err := l.fill(); err != nil && err != io.EOF {
			return err
		}
	}
	if l.end >= 3 && string(l.buf[:3]) == "\xEF\xBB\xBF" {
		l.pos = 3
	}
	return nil
}

func (l *lexer) offset() int64 { return l.base + int64(l.pos) }

// malformed is an error at the last word.
func (l *lexer) malformed(format string, args ...any) error {
	return &trace.Malformed{Offset: l.tokenAt, Line: l.line, Text: fmt.Sprintf(format, args...)}
}
