package diff

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/trace/vcd"
)

// portSignals are the signals of one port.
type portSignals struct {
	port         *event.Port
	valid, ready *signal // ready is nil for an event port
	fields       []*signal
}

// sampler gives the values of a unit's signals just before each rising edge of its clock.
type sampler struct {
	in       *vcd.Reader
	watch    *watcher
	clk, rst *signal
	ports    []portSignals
	counters []*signal // nil: not in the dump
	sizes    [4]*level // parameters of the unit, by sizeNames; nil: not in the dump
	path     string
	clock    *level // of clk
	pending  *vcd.Change
	edge     uint64 // time of the edge given last
	err      error
}

func newSampler(in *vcd.Reader, u *event.Unit, s *scopeSignals) (*sampler, error) {
	m := &sampler{in: in, watch: newWatcher(in.Header()), path: s.path}
	var err error
	bind := func(name string, width int) *signal {
		if err != nil {
			return nil
		}
		var out *signal
		out, err = m.watch.signal(s, name, width)
		return out
	}
	m.clk, m.rst = bind("clk", 1), bind("rst", 1)
	for i := range u.Ports {
		p := portSignals{port: &u.Ports[i], valid: bind(validName(&u.Ports[i]), 1)}
		if p.port.Style != event.Event {
			p.ready = bind(readyName(p.port), 1)
		}
		for f := range p.port.Fields {
			p.fields = append(p.fields, bind(p.port.Name+"_"+p.port.Fields[f].Name, p.port.Fields[f].Bits))
		}
		m.ports = append(m.ports, p)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range u.Counters {
		c, err := m.watch.signal(s, "count_"+name, 32)
		if err != nil {
			c = nil
		}
		m.counters = append(m.counters, c)
	}
	for i, name := range sizeNames {
		if v := s.byName[strings.ToUpper(name)]; len(v) > 0 {
			m.sizes[i] = m.watch.level(v[0].Signal)
		}
	}
	m.clock = m.clk.parts[0].level
	in.Select(m.watch.chosen)
	return m, nil
}

// next moves to the next rising edge: from then on the signals' values are those just before it. A pulse of the clock
// within one time step counts. io.EOF, *trace.Truncated and *trace.Malformed as of the reader.
func (m *sampler) next() error {
	for {
		rose, err := m.timeStep()
		if rose { // a step that the file's end has cut has been read up to its edge
			m.err = err
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// timeStep takes all changes of one time, and tells whether the clock rose.
func (m *sampler) timeStep() (rose bool, err error) {
	if m.err != nil {
		return false, m.err
	}
	if m.pending == nil {
		if m.pending, err = m.in.Next(); err != nil {
			return false, err
		}
	}
	time := m.pending.Time
	for m.pending != nil && m.pending.Time == time {
		l := m.watch.levels[m.pending.Signal]
		if l == m.clock && last(l.now) == '0' && last(m.pending.Value) == '1' {
			rose = true
		}
		l.set(m.pending.Value, time)
		if m.pending, err = m.in.Next(); err != nil {
			m.pending = nil
			break
		}
	}
	if rose {
		m.edge = time
	}
	return rose, err
}

func last(value []byte) byte {
	if len(value) == 0 {
		return 'x'
	}
	return value[len(value)-1]
}

// beat packs the fields of a port; bad is the first field that has x or z bits, -1 for none.
func (m *sampler) beat(p *portSignals, dst []byte) (_ []byte, bad int) {
	bad = -1
	for i, f := range p.fields {
		start, known := len(dst), false
		dst, known = f.append(dst, m.edge)
		for len(dst)-start < p.port.Fields[i].Bytes {
			dst = append(dst, 0)
		}
		if !known && bad < 0 {
			bad = i
		}
	}
	return dst, bad
}

// counter returns a counter's value; ok is false where the dump does not have it, or has x bits of it. It is the
// value just before the last edge, as all others are.
func (m *sampler) counter(i int) (value uint32, ok bool) {
	if m.counters[i] == nil {
		return 0, false
	}
	b, known := m.counters[i].append(nil, m.edge)
	return binary.LittleEndian.Uint32(b), known
}

// sizeNames are the sizes of a configuration that a unit's parameters state.
var sizeNames = []string{"connections", "paths", "streams", "reorder_depth"}

// statedConfig finds the kept configuration that the unit's parameters fit. It returns "" where the dump has none, and
// an error where they fit none.
func (m *sampler) statedConfig() (string, error) {
	found, text := 0, ""
	fits := append([]profile.Config(nil), profile.Configurations...)
	for i, name := range sizeNames {
		if m.sizes[i] == nil {
			continue
		}
		var packed [8]byte
		v := m.sizes[i].at(m.edge)
		if !vcd.Pack(packed[:], v[max(0, len(v)-64):]) {
			continue
		}
		found++
		value := binary.LittleEndian.Uint64(packed[:])
		text += fmt.Sprintf(" %s=%d", strings.ToUpper(name), value)
		fits = slices.DeleteFunc(fits, func(c profile.Config) bool { return uint64(c.Size(name)) != value })
	}
	if found == 0 {
		return "", nil
	}
	if len(fits) == 0 {
		return "", fmt.Errorf("%s: the parameters%s fit no kept configuration", m.path, text)
	}
	return fits[0].Name, nil
}
