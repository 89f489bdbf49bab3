package vcd

import (
	"fmt"
	"io"
	"strconv"
)

// WriteHeader writes a header that reads back as h; a time scale that is no whole number of a unit is left out.
func WriteHeader(w io.Writer, h *Header) error {
	var b []byte
	b = item(b, "$date", h.Date)
	b = item(b, "$version", h.Version)
	for _, c := range h.Comments {
		b = item(b, "$comment", c)
	}
	b = item(b, "$timescale", timescaleText(h))
	var open []string
	for i := range h.Variables {
		v := &h.Variables[i]
		b, open = appendScopes(b, open, v.Scope)
		b = fmt.Appendf(b, "$var %s %d %s %s", v.Kind, v.Width, Code(v.Signal), v.Name)
		switch {
		case v.HasRange && v.High == v.Low:
			b = fmt.Appendf(b, " [%d]", v.High)
		case v.HasRange:
			b = fmt.Appendf(b, " [%d:%d]", v.High, v.Low)
		}
		b = append(b, " $end\n"...)
	}
	b, _ = appendScopes(b, open, nil)
	b = append(b, "$enddefinitions $end\n"...)
	_, err := w.Write(b)
	return err
}

func item(b []byte, keyword, text string) []byte {
	if text == "" {
		return b
	}
	return fmt.Appendf(b, "%s %s $end\n", keyword, text)
}

func timescaleText(h *Header) string {
	for name, exponent := range timeUnits {
		if h.Unit.Known() && h.Unit.Exponent == exponent {
			return strconv.FormatUint(h.Unit.Multiple, 10) + name
		}
	}
	return ""
}

// appendScopes closes and opens scopes from one variable's to the next's.
func appendScopes(b []byte, open, want []string) ([]byte, []string) {
	same := 0
	for same < len(open) && same < len(want) && open[same] == want[same] {
		same++
	}
	for range len(open) - same {
		b = append(b, "$upscope $end\n"...)
	}
	for _, s := range want[same:] {
		b = fmt.Appendf(b, "$scope module %s $end\n", s)
	}
	return b, want
}

// Code is the identifier code that WriteHeader gives to a signal.
func Code(signal int) string {
	code := ""
	for n := signal; ; n = n/codeRadix - 1 {
		code = string(rune('!'+n%codeRadix)) + code
		if n < codeRadix {
			return code
		}
	}
}

// AppendTime appends the mark of a time.
func AppendTime(b []byte, time uint64) []byte {
	return append(strconv.AppendUint(append(b, '#'), time, 10), '\n')
}

// AppendChange appends a change of a signal of width bits.
func AppendChange(b []byte, form Form, signal, width int, value []byte) []byte {
	switch {
	case form == Bits && width == 1 && len(value) == 1:
		b = append(b, value...)
	default:
		b = append(append(append(b, byte(form)), value...), ' ')
	}
	return append(append(b, Code(signal)...), '\n')
}
