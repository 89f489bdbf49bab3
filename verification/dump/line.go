package dump

import (
	"bufio"
	"encoding/json"
	"strconv"

	"metaroce/verification/trace"
)

// line builds one line of output: an object with its keys in the order of the calls, or words.
type line struct {
	out   *bufio.Writer
	json  bool
	buf   []byte
	first bool
}

func (l *line) begin() {
	l.buf, l.first = l.buf[:0], true
	if l.json {
		l.buf = append(l.buf, '{')
	}
}

func (l *line) end() error {
	if l.json {
		l.buf = append(l.buf, '}')
	}
	l.buf = append(l.buf, '\n')
	_, err := l.out.Write(l.buf)
	return err
}

// key writes the name of a member; in text, names of the leading members are left out.
func (l *line) key(name string, named bool) {
	switch {
	case l.json:
		if !l.first {
			l.buf = append(l.buf, ',')
		}
		l.buf = append(appendString(l.buf, name), ':')
	default:
		if !l.first {
			l.buf = append(l.buf, ' ')
		}
		if named {
			l.buf = append(append(l.buf, name...), '=')
		}
	}
	l.first = false
}

// open and close bracket a nested object in JSON.
func (l *line) open(name string) {
	if l.json {
		l.key(name, true)
		l.buf = append(l.buf, '{')
		l.first = true
	}
}

func (l *line) close() {
	if l.json {
		l.buf = append(l.buf, '}')
	}
	l.first = false
}

func (l *line) number(name string, v uint64, named bool) {
	l.key(name, named)
	l.buf = strconv.AppendUint(l.buf, v, 10)
}

func (l *line) text(name, v string, named bool) {
	l.key(name, named)
	if l.json {
		l.buf = appendString(l.buf, v)
		return
	}
	l.buf = appendWord(l.buf, v)
}

// list writes an array of strings; nothing for none.
func (l *line) list(name string, values []string) {
	for i, v := range values {
		switch {
		case !l.json || i == 0:
			l.key(name, true)
			if l.json {
				l.buf = append(l.buf, '[')
			}
		default:
			l.buf = append(l.buf, ',')
		}
		if l.json {
			l.buf = appendString(l.buf, v)
		} else {
			l.buf = appendWord(l.buf, v)
		}
	}
	if l.json && len(values) > 0 {
		l.buf = append(l.buf, ']')
	}
}

// raw writes a named value that needs no escape.
func (l *line) raw(name string, v []byte) {
	l.key(name, true)
	if l.json {
		l.buf = append(append(append(l.buf, '"'), v...), '"')
		return
	}
	l.buf = append(l.buf, v...)
}

// time writes seconds, or null where the trace has none.
func (l *line) time(t trace.Time) {
	l.key("time", false)
	switch {
	case !t.Valid || !t.Unit.Known():
		if l.json {
			l.buf = append(l.buf, "null"...)
		} else {
			l.buf = append(l.buf, '-')
		}
	case l.json:
		l.buf = append(t.Append(append(l.buf, '"')), '"')
	default:
		l.buf = t.Append(l.buf)
	}
}

// appendString appends a JSON string. Bytes that are no UTF-8 and the characters of markup are escaped.
func appendString(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7F || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			b, _ := json.Marshal(s) // cannot fail for a string
			return append(dst, b...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// appendWord appends text that may be quoted so that a line stays a line and a word a word.
func appendWord(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7F || c == '"' || c == '=' {
			return strconv.AppendQuoteToASCII(dst, s)
		}
	}
	if s == "" {
		return append(dst, `""`...)
	}
	return append(dst, s...)
}

// failure is the last line of JSON output that an error ended.
func failure(out *bufio.Writer, err error) {
	l := &line{out: out, json: true}
	l.begin()
	l.text("error", err.Error(), true)
	verdict := "unreadable"
	if trace.IsTruncated(err) {
		verdict = "truncated"
	}
	l.text("verdict", verdict, true)
	_ = l.end() // the error that is reported is err
}
