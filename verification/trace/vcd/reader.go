package vcd

import (
	"io"
	"math"
)

// Form says how a value is written.
type Form byte

// Forms of a value.
const (
	Bits Form = 'b' // digits 0, 1, x, z, most significant first; may be shorter than the signal
	Real Form = 'r' // decimal text
	Text Form = 's'
)

// Change is one value change. It is valid until the next call.
type Change struct {
	Number uint64 // ordinal in the file, from 1, changes that were skipped included
	Time   uint64 // in the header's unit
	Signal int
	Form   Form
	Value  []byte
	Line   int
}

// Reader reads one dump.
type Reader struct {
	lexer
	header Header
	codes  codeTable
	wanted []bool // nil: every signal
	change Change
	block  string // dump block that is open: its $end is due
	timed  bool
	err    error
}

// NewReader reads the header. On a truncated header what was read of it is in Header.
func NewReader(r io.Reader) (*Reader, error) {
	p := &Reader{lexer: *newLexer(r)}
	if err := p.skipMark(); err != nil {
		return nil, err
	}
	h := headerReader{lexer: &p.lexer}
	err := h.read()
	p.header, p.codes = h.header, h.codes
	if err != nil {
		p.err = fault(&p.lexer, err, 1, h.inside)
		return p, p.err
	}
	return p, nil
}

// Header is what the dump states before its first value.
func (p *Reader) Header() *Header { return &p.header }

// Time is the time reached so far, in the header's unit.
func (p *Reader) Time() uint64 { return p.change.Time }

// Select restricts Next to some signals.
func (p *Reader) Select(signals []int) {
	p.wanted = make([]bool, len(p.header.Widths))
	for _, s := range signals {
		p.wanted[s] = true
	}
}

// Next returns the next change. io.EOF is a clean end; a *trace.Truncated says that the file ends inside a word, a
// change or a block; a *trace.Malformed what contradicts the format: all changes before it are good. After an error it
// returns the same error.
func (p *Reader) Next() (*Change, error) {
	for p.err == nil {
		found, err := p.step()
		if err != nil {
			p.err = p.ending(err)
			break
		}
		if found && (p.wanted == nil || p.wanted[p.change.Signal]) {
			return &p.change, nil
		}
	}
	return nil, p.err
}

// ending judges the end of the file: between statements it is clean.
func (p *Reader) ending(err error) error {
	if err == io.EOF && p.block == "" {
		return io.EOF
	}
	inside := "a change"
	if p.block != "" {
		inside = "a " + p.block + " block"
	}
	return fault(&p.lexer, err, p.change.Number+1, inside)
}

// cut marks an end of file inside a statement as no clean end.
func cut(err error) error {
	if err == io.EOF {
		return errCut
	}
	return err
}

// step reads one statement and tells whether it was a change.
func (p *Reader) step() (bool, error) {
	word, err := p.token()
	if err != nil {
		return false, err
	}
	switch class[word[0]] {
	case isScalar:
		return true, p.scalar(word)
	case isVector:
		return true, p.vector(word)
	case isTime:
		return false, p.time(word[1:])
	case isKeyword:
		return false, p.keyword(string(word))
	}
	if word[0] == 'p' {
		return false, p.malformed("%q: extended dumps with port drive strengths are not read", clip(string(word)))
	}
	return false, p.malformed("%q is neither a time, a change nor a keyword", clip(string(word)))
}

const (
	isScalar = 1 + iota
	isVector
	isTime
	isKeyword
)

var class = classes()

func classes() (c [256]byte) {
	for _, b := range []byte("01xXzZuUwWhHlL-") {
		c[b] = isScalar
	}
	for _, b := range []byte("bBrRsS") {
		c[b] = isVector
	}
	c['#'], c['$'] = isTime, isKeyword
	return c
}

func (p *Reader) time(digits []byte) error {
	t := uint64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return p.malformed("time %q is no number", clip("#"+string(digits)))
		}
		if t > (math.MaxUint64-uint64(c-'0'))/10 {
			return p.malformed("time %q does not fit 64 bits", clip("#"+string(digits)))
		}
		t = t*10 + uint64(c-'0')
	}
	if len(digits) == 0 {
		return p.malformed("# without a time")
	}
	if p.timed && t < p.change.Time {
		return p.malformed("time goes back from %d to %d", p.change.Time, t)
	}
	p.change.Time, p.timed = t, true
	return nil
}

func (p *Reader) keyword(word string) error {
	switch word {
	case "$dumpvars", "$dumpall", "$dumpon", "$dumpoff":
		p.block = word
		return nil
	case "$end": // stray ones are known from several writers
		p.block = ""
		return nil
	case "$comment", "$vcdclose":
		return p.comment()
	}
	return p.malformed("unknown keyword %q", clip(word))
}

func (p *Reader) comment() error {
	for {
		word, err := p.token()
		if err != nil {
			return cut(err)
		}
		if string(word) == "$end" {
			return nil
		}
	}
}

// scalar reads 1CODE, or 1 CODE as some writers have it.
func (p *Reader) scalar(word []byte) error {
	p.change.Value = append(p.change.Value[:0], digit[word[0]])
	p.change.Form = Bits
	code := word[1:]
	if len(code) == 0 {
		var err error
		if code, err = p.token(); err != nil {
			return cut(err)
		}
	}
	return p.signal(code)
}

// vector reads bDIGITS CODE, rNUMBER CODE and sTEXT CODE.
func (p *Reader) vector(word []byte) error {
	p.change.Form = Form(word[0] | 0x20)
	if p.change.Form == Bits {
		if err := p.digits(word[1:]); err != nil {
			return err
		}
	} else {
		p.change.Value = append(p.change.Value[:0], word[1:]...)
	}
	if len(word) == 1 && p.change.Form != Text {
		return p.malformed("%q without a value", word)
	}
	code, err := p.token()
	if err != nil {
		return cut(err)
	}
	return p.signal(code)
}

// digits takes the digits of a vector.
func (p *Reader) digits(written []byte) error {
	value := p.change.Value[:0]
	if cap(value) < len(written) {
		value = make([]byte, 0, 2*len(written))
	}
	value = value[:len(written)]
	for i, c := range written {
		d := digit[c]
		if d == 0 {
			return p.malformed("%q: %q is no binary digit", clip(string(written)), c)
		}
		value[i] = d
	}
	p.change.Value = value
	return nil
}

func (p *Reader) signal(code []byte) error {
	s, ok := p.codes.find(code)
	if !ok {
		return p.malformed("code %q was never declared", clip(string(code)))
	}
	if p.change.Form == Bits {
		if err := p.fit(s); err != nil {
			return err
		}
	}
	p.change.Signal, p.change.Line = s, p.line
	p.change.Number++
	return nil
}

// fit drops leading zeros that a signal has no room for; other digits beyond its width are refused.
func (p *Reader) fit(signal int) error {
	width := max(p.header.Widths[signal], 1)
	for len(p.change.Value) > width {
		if p.change.Value[0] != '0' {
			return p.malformed("value of %d bits for a signal of %d", len(p.change.Value), width)
		}
		p.change.Value = p.change.Value[1:]
	}
	return nil
}

// digit maps a value character to one of 0, 1, x and z; 0 is none.
var digit = digits()

func digits() (d [256]byte) {
	for from, to := range map[byte]byte{'0': '0', 'l': '0', 'L': '0', '1': '1', 'h': '1', 'H': '1', 'z': 'z', 'Z': 'z',
		'x': 'x', 'X': 'x', 'u': 'x', 'U': 'x', 'w': 'x', 'W': 'x', '-': 'x'} {
		d[from] = to
	}
	return d
}
