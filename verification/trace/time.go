// Package trace has what all trace readers share: exact times, the errors of files that end early or lie, and the
// detection of a format from its first bytes.
package trace

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Resolution is the unit of a raw time: Multiple * Base^-Exponent seconds. The zero Resolution means that the file
// does not say; times are then plain steps.
type Resolution struct {
	Multiple uint64 // 1 in captures; 1, 10 or 100 in most VCD files
	Base     uint8  // 10 or 2
	Exponent uint8  // 0..127; digits or bits behind the point
}

// Common resolutions.
var (
	Microseconds = Resolution{1, 10, 6}
	Nanoseconds  = Resolution{1, 10, 9}
	Picoseconds  = Resolution{1, 10, 12}
)

// Known tells whether the file stated a unit.
func (r Resolution) Known() bool { return r.Multiple != 0 }

func (r Resolution) String() string {
	if !r.Known() {
		return "steps"
	}
	return fmt.Sprintf("%d*%d^-%d s", r.Multiple, r.Base, r.Exponent)
}

// Time is one exact time: Raw units of Unit after Offset seconds. Not Valid: the file has no time for this record.
type Time struct {
	Raw    uint64
	Unit   Resolution
	Offset int64 // seconds
	Valid  bool
}

// String returns the time in seconds as an exact decimal number. Decimal units print all their digits, binary units
// without trailing zeros. A time without a unit prints as its raw steps.
func (t Time) String() string { return string(t.Append(nil)) }

// Append appends the text of String to dst.
func (t Time) Append(dst []byte) []byte {
	if !t.Unit.Known() {
		return strconv.AppendUint(dst, t.Raw, 10)
	}
	if t.Unit.Base == 10 && t.Unit.Multiple == 1 && t.Offset == 0 && int(t.Unit.Exponent) < len(powersOfTen) {
		return appendFixed(dst, t.Raw, int(t.Unit.Exponent))
	}
	digits, point := t.scaled()
	return appendBig(dst, digits, point, t.Unit.Base == 2)
}

// Rat returns the time in seconds. It is 0 where the unit is not known.
func (t Time) Rat() *big.Rat {
	if !t.Unit.Known() {
		return new(big.Rat)
	}
	digits, point := t.scaled()
	return new(big.Rat).SetFrac(digits, power(10, point))
}

// scaled returns the time as digits * 10^-point. A factor of 2^-n is 5^n * 10^-n.
func (t Time) scaled() (digits *big.Int, point int) {
	point = int(t.Unit.Exponent)
	digits = new(big.Int).SetUint64(t.Raw)
	digits.Mul(digits, new(big.Int).SetUint64(t.Unit.Multiple))
	if t.Unit.Base == 2 {
		digits.Mul(digits, power(5, point))
	}
	if t.Offset != 0 {
		digits.Add(digits, new(big.Int).Mul(big.NewInt(t.Offset), power(10, point)))
	}
	return digits, point
}

func power(base int64, exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(exponent)), nil)
}

var powersOfTen = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

func appendFixed(dst []byte, raw uint64, digits int) []byte {
	dst = strconv.AppendUint(dst, raw/powersOfTen[digits], 10)
	if digits == 0 {
		return dst
	}
	dst = append(dst, '.')
	rest := raw % powersOfTen[digits]
	for d := digits - 1; d > 0 && rest < powersOfTen[d]; d-- {
		dst = append(dst, '0')
	}
	return strconv.AppendUint(dst, rest, 10)
}

func appendBig(dst []byte, digits *big.Int, point int, trim bool) []byte {
	if digits.Sign() < 0 {
		dst = append(dst, '-')
	}
	text := new(big.Int).Abs(digits).String()
	if len(text) <= point {
		text = strings.Repeat("0", point-len(text)+1) + text
	}
	whole, rest := text[:len(text)-point], text[len(text)-point:]
	if trim {
		rest = strings.TrimRight(rest, "0")
	}
	dst = append(dst, whole...)
	if rest == "" {
		return dst
	}
	return append(append(dst, '.'), rest...)
}
