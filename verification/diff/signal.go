package diff

import (
	"fmt"

	"metaroce/verification/trace/vcd"
)

// level is the value of one signal of the dump, now and before the present time step.
type level struct {
	now, before []byte // digits as written
	step        uint64 // time step of the last change
	changed     bool
}

// set takes a change at a time.
func (l *level) set(value []byte, time uint64) {
	if !l.changed || l.step != time {
		l.now, l.before = l.before, l.now
		l.step, l.changed = time, true
	}
	l.now = append(l.now[:0], value...)
}

// at is the value just before time.
func (l *level) at(time uint64) []byte {
	if l.changed && l.step == time {
		return l.before
	}
	return l.now
}

// part is a run of bits of a signal of the unit that one variable of the dump holds.
type part struct {
	level *level
	low   int // lowest bit
	width int
}

// signal is one signal of the unit: usually one part, or one a bit.
type signal struct {
	name  string
	width int
	parts []part
	bits  []byte // scratch
}

// watcher has the levels of the signals that a diff looks at.
type watcher struct {
	levels []*level // by the dump's signal; nil: not looked at
	chosen []int
}

func newWatcher(h *vcd.Header) *watcher { return &watcher{levels: make([]*level, len(h.Widths))} }

func (w *watcher) level(signal int) *level {
	if w.levels[signal] == nil {
		w.levels[signal] = &level{}
		w.chosen = append(w.chosen, signal)
	}
	return w.levels[signal]
}

// signal binds a name of a scope; the variables must cover exactly width bits.
func (w *watcher) signal(s *scopeSignals, name string, width int) (*signal, error) {
	variables := s.byName[name]
	out := &signal{name: name, width: width, bits: make([]byte, (width+7)/8)}
	if len(variables) == 0 {
		return nil, fmt.Errorf("%s.%s is not in the dump", s.path, name)
	}
	for _, v := range variables {
		if v.Width == width {
			out.parts = []part{{level: w.level(v.Signal), width: width}}
			return out, nil
		}
	}
	covered := 0
	seen := make([]bool, width)
	for _, v := range variables {
		low := min(v.High, v.Low)
		if !v.HasRange || low < 0 || low+v.Width > width || seen[low] {
			continue
		}
		for b := low; b < low+v.Width; b++ {
			seen[b] = true
		}
		covered += v.Width
		out.parts = append(out.parts, part{level: w.level(v.Signal), low: low, width: v.Width})
	}
	if covered != width {
		return nil, fmt.Errorf("%s.%s has %d bits in the dump: the spec says %d", s.path, name, max(covered, variables[0].Width), width)
	}
	return out, nil
}

// bit is the value of a one-bit signal just before time: '0', '1', 'x' or 'z'.
func (s *signal) bit(time uint64) byte {
	v := s.parts[0].level.at(time)
	if len(v) == 0 {
		return 'x'
	}
	return v[len(v)-1]
}

// append appends the value just before time, packed in (width + 7) / 8 bytes; known is false where a bit is x or z.
func (s *signal) append(dst []byte, time uint64) (_ []byte, known bool) {
	if len(s.parts) == 1 {
		known = vcd.Pack(s.bits, s.parts[0].level.at(time))
		return append(dst, s.bits...), known
	}
	clear(s.bits)
	known = true
	var scratch [maxPart]byte
	for _, p := range s.parts {
		b := scratch[:(p.width+7)/8]
		known = vcd.Pack(b, p.level.at(time)) && known
		for i := range p.width {
			s.bits[(p.low+i)>>3] |= b[i>>3] >> (i & 7) & 1 << ((p.low + i) & 7)
		}
	}
	return append(dst, s.bits...), known
}

// maxPart is the largest part of a split vector, in bytes: more than the widest port field has.
const maxPart = 1 << 10

// text is the value just before time as digits, most significant first.
func (s *signal) text(time uint64) string {
	if len(s.parts) == 1 {
		return string(vcd.Extend(nil, s.parts[0].level.at(time), s.width))
	}
	digits := make([]byte, s.width)
	for _, p := range s.parts {
		v := vcd.Extend(nil, p.level.at(time), p.width)
		copy(digits[s.width-p.low-p.width:], v)
	}
	return string(digits)
}
