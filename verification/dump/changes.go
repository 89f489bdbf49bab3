package dump

import (
	"io"

	"metaroce/verification/trace"
	"metaroce/verification/trace/vcd"
)

// changes prints a value change dump. A signal of several names is printed under the first.
func changes(l *line, in *vcd.Reader) error {
	header := in.Header()
	names := firstNames(header)
	var value []byte
	for {
		c, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		v := names[c.Signal]
		value = append(value[:0], c.Value...)
		if c.Form == vcd.Bits {
			value = vcd.Extend(value[:0], c.Value, v.width)
		}
		l.begin()
		l.number("n", c.Number, false)
		l.time(trace.Time{Raw: c.Time, Unit: header.Unit, Valid: true})
		l.number("step", c.Time, true)
		l.text("scope", v.scope, true)
		l.text("name", v.name, true)
		l.text("value", string(value), true)
		if err := l.end(); err != nil {
			return err
		}
	}
}

type signalName struct {
	scope, name string
	width       int
}

func firstNames(h *vcd.Header) []signalName {
	names := make([]signalName, len(h.Widths))
	for i := len(h.Variables) - 1; i >= 0; i-- {
		v := &h.Variables[i]
		names[v.Signal] = signalName{scope: v.ScopePath(), name: v.FullName(), width: v.Width}
	}
	return names
}
