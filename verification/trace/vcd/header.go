// Package vcd reads value change dumps as simulators and logic analysers write them, in one pass and with memory that
// depends on the number of signals only.
package vcd

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"metaroce/verification/trace"
)

// maxWidth bounds the memory of one value, in bits.
const maxWidth = 1 << 20

// Variable is one name in the hierarchy. Several may share a signal.
type Variable struct {
	Scope    []string // names from the top, as in the file
	Name     string   // as in the file, without the range
	Kind     string   // wire, reg, integer, real, string, parameter, ...
	Width    int      // bits
	High     int      // range as written: [High:Low]; both 0 where HasRange is false
	Low      int
	HasRange bool
	Signal   int // ordinal of the identifier code, from 0
}

// Path is the full name, with dots between the scopes. A name that has dots, blanks or quotes of its own is quoted.
func (v *Variable) Path() string {
	if len(v.Scope) == 0 {
		return quoted(Plain(v.Name))
	}
	return v.ScopePath() + "." + quoted(Plain(v.Name))
}

// ScopePath is the Path of the variable's scope.
func (v *Variable) ScopePath() string {
	parts := make([]string, len(v.Scope))
	for i, s := range v.Scope {
		parts[i] = quoted(Plain(s))
	}
	return strings.Join(parts, ".")
}

// FullName is the name without its scope, with its range.
func (v *Variable) FullName() string {
	switch {
	case !v.HasRange:
		return quoted(Plain(v.Name))
	case v.Width == 1 && v.High == v.Low:
		return fmt.Sprintf("%s[%d]", quoted(Plain(v.Name)), v.High)
	}
	return fmt.Sprintf("%s[%d:%d]", quoted(Plain(v.Name)), v.High, v.Low)
}

// Plain takes the escape marks off a name: the leading back-slash of an escaped identifier, and the trailing one that
// some tools write too.
func Plain(name string) string {
	if len(name) > 1 && name[0] == '\\' {
		name = name[1:]
		if len(name) > 1 && name[len(name)-1] == '\\' {
			name = name[:len(name)-1]
		}
	}
	return name
}

func quoted(name string) string {
	for _, c := range []byte(name) {
		if c == '.' || c == '"' || c == '\\' || c <= ' ' || c >= 0x7F {
			return strconv.Quote(name)
		}
	}
	return name
}

// Header is what a dump states before its first value.
type Header struct {
	Unit      trace.Resolution // zero: no time scale, or one of 0
	Date      string
	Version   string
	Comments  []string
	Variables []Variable
	Widths    []int // of each signal
}

// headerReader is the state of reading a header.
type headerReader struct {
	*lexer
	header Header
	scope  []string
	codes  codeTable
	inside string // what is being read, for a truncation
}

func (h *headerReader) read() error {
	for {
		h.inside = "the header"
		word, err := h.token()
		if err != nil {
			return err
		}
		keyword := string(word)
		if keyword == "$enddefinitions" {
			_, err := h.words(keyword)
			return err
		}
		if err := h.declaration(keyword); err != nil {
			return err
		}
	}
}

func (h *headerReader) declaration(keyword string) error {
	if keyword == "$end" { // stray ones are known from several writers
		return nil
	}
	if keyword[0] != '$' {
		return h.malformed("%q in the header: a keyword is due (is $enddefinitions missing?)", clip(keyword))
	}
	if keyword == "$var" {
		return h.variable()
	}
	words, err := h.words(keyword)
	if err != nil {
		return err
	}
	switch keyword {
	case "$date":
		h.header.Date = strings.Join(words, " ")
	case "$version":
		h.header.Version = strings.Join(words, " ")
	case "$comment":
		h.header.Comments = append(h.header.Comments, strings.Join(words, " "))
	case "$timescale":
		return h.timescale(strings.Join(words, ""))
	case "$scope":
		return h.enter(words)
	case "$upscope":
		return h.leave()
	case "$attrbegin", "$attrend":
	default:
		return h.malformed("unknown keyword %q", clip(keyword))
	}
	return nil
}

// words returns what stands between a keyword and its $end.
func (h *headerReader) words(keyword string) ([]string, error) {
	h.inside = keyword
	var words []string
	for {
		word, err := h.token()
		if err != nil {
			return nil, err
		}
		if string(word) == "$end" {
			return words, nil
		}
		words = append(words, string(word))
	}
}

func (h *headerReader) enter(words []string) error {
	if len(words) < 2 {
		return h.malformed("$scope %s: kind and name are due", strings.Join(words, " "))
	}
	h.scope = append(h.scope[:len(h.scope):len(h.scope)], words[1])
	return nil
}

func (h *headerReader) leave() error {
	if len(h.scope) == 0 {
		return h.malformed("$upscope without a $scope")
	}
	h.scope = h.scope[:len(h.scope)-1]
	return nil
}

// variable reads $var KIND WIDTH CODE NAME [RANGE] $end. The code is taken by its place: it may look like anything.
func (h *headerReader) variable() error {
	h.inside = "$var"
	var fixed [3]string
	for i := range fixed {
		word, err := h.token()
		if err != nil {
			return err
		}
		fixed[i] = string(word)
	}
	name, err := h.words("$var")
	if err != nil {
		return err
	}
	width, err := strconv.Atoi(fixed[1])
	if err != nil || width < 0 || width > maxWidth {
		return h.malformed("$var %s: width %q is not a number from 0 to %d", strings.Join(name, " "), clip(fixed[1]), maxWidth)
	}
	if len(name) == 0 {
		return h.malformed("$var with code %q has no name", clip(fixed[2]))
	}
	v := Variable{Scope: h.scope, Kind: fixed[0], Width: width}
	v.Name, v.High, v.Low, v.HasRange = splitRange(name, width)
	return h.add(v, fixed[2])
}

func (h *headerReader) add(v Variable, code string) error {
	v.Signal = h.codes.add(code)
	if v.Signal == len(h.header.Widths) {
		h.header.Widths = append(h.header.Widths, v.Width)
	}
	if known := h.header.Widths[v.Signal]; known != v.Width {
		return h.malformed("%s has %d bits, but another name of code %q has %d", v.Path(), v.Width, clip(code), known)
	}
	h.header.Variables = append(h.header.Variables, v)
	return nil
}

// splitRange takes the range off a name: the words behind it, or brackets at its end if they are as wide as the
// variable is. An escaped name ends at its blank and keeps its brackets.
func splitRange(words []string, width int) (name string, high, low int, ok bool) {
	name = words[0]
	if len(words) > 1 {
		if high, low, ok = parseRange(strings.Join(words[1:], "")); ok {
			return name, high, low, true
		}
		return strings.Join(words, " "), 0, 0, false
	}
	if name[0] == '\\' {
		return name, 0, 0, false
	}
	at := strings.LastIndexByte(name, '[')
	if at <= 0 {
		return name, 0, 0, false
	}
	if high, low, ok = parseRange(name[at:]); ok && span(high, low) == width {
		return name[:at], high, low, true
	}
	return name, 0, 0, false
}

func span(high, low int) int { return max(high-low, low-high) + 1 }

// parseRange parses [high:low] or [bit].
func parseRange(text string) (high, low int, ok bool) {
	if len(text) < 3 || text[0] != '[' || text[len(text)-1] != ']' {
		return 0, 0, false
	}
	left, right, two := strings.Cut(text[1:len(text)-1], ":")
	if !two {
		right = left
	}
	high, errHigh := strconv.Atoi(left)
	low, errLow := strconv.Atoi(right)
	return high, low, errHigh == nil && errLow == nil
}

var timeUnits = map[string]uint8{"s": 0, "ms": 3, "us": 6, "ns": 9, "ps": 12, "fs": 15, "as": 18, "zs": 21}

// timescale takes forms such as 1ns, 100 ps and 0.01fs. A scale of 0 is known from broken writers and counts as none.
func (h *headerReader) timescale(text string) error {
	split := len(text)
	for i, c := range text {
		if c != '.' && (c < '0' || c > '9') {
			split = i
			break
		}
	}
	exponent, known := timeUnits[text[split:]]
	whole, fraction, _ := strings.Cut(text[:split], ".")
	multiple, err := strconv.ParseUint(whole+fraction, 10, 64)
	if !known || err != nil || len(fraction) > 20 {
		return h.malformed("time scale %q: a number and one of s, ms, us, ns, ps, fs are due", clip(text))
	}
	if multiple > 0 {
		h.header.Unit = trace.Resolution{Multiple: multiple, Base: 10, Exponent: exponent + uint8(len(fraction))}
	}
	return nil
}

// clip shortens offending text for a message.
func clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}

// fault turns the lexer's ends into a truncation at the file's end.
func fault(l *lexer, err error, record uint64, inside string) error {
	if err == errCut || err == io.EOF {
		return &trace.Truncated{Offset: l.base + int64(l.end), Record: record, Noun: "change", Inside: inside}
	}
	if _, ok := err.(*trace.Malformed); ok {
		return err
	}
	return fmt.Errorf("byte %d: %w", l.offset(), err)
}
