package diff

import (
	"bytes"

	"metaroce/golden/event"
	"metaroce/verification/compare"
	"metaroce/verification/verdict"
)

// portCheck holds what a stalled output showed: it must show it until it is taken.
type portCheck struct {
	stalled bool
	beat    []byte
}

// observe reads one port. Not ok: a difference was found in what it shows by itself.
func (d *waveDiff) observe(i int) (o observed, ok bool) {
	p, at := &d.sampler.ports[i], d.sampler.edge
	valid := p.valid.bit(at)
	if valid != '0' && valid != '1' {
		d.unknown(p.port, p.valid, "0 or 1")
		return o, false
	}
	o.valid = valid == '1'
	if p.ready != nil {
		ready := p.ready.bit(at)
		if ready != '0' && ready != '1' && (o.valid || p.port.Direction == event.In) {
			d.unknown(p.port, p.ready, "0 or 1")
			return o, false
		}
		o.ready = ready == '1'
	}
	if !o.valid {
		return o, d.keepsValid(i)
	}
	start, bad := len(d.beat), -1
	d.beat, bad = d.sampler.beat(p, d.beat)
	o.beat = d.beat[start:len(d.beat):len(d.beat)]
	if bad >= 0 && !d.beyondEnd(p, bad, o.beat) {
		d.unknown(p.port, p.fields[bad], d.modelField(i, bad))
		return o, false
	}
	return o, d.keepsFields(i, o)
}

// beyondEnd tells whether the unknown bits of an input are data bytes that tkeep leaves out: who drives the unit need
// not drive those.
func (d *waveDiff) beyondEnd(p *portSignals, bad int, beat []byte) bool {
	if p.port.Direction != event.In || p.port.Style != event.Axis || p.port.Fields[bad].Name != "tdata" {
		return false
	}
	for i := bad + 1; i < len(p.fields); i++ {
		if _, known := p.fields[i].append(nil, d.sampler.edge); !known {
			return false
		}
	}
	keep, ok := p.port.FieldByName("tkeep")
	if !ok {
		return false
	}
	kept, digits := keep.Value(beat), p.fields[bad].text(d.sampler.edge)
	for b := range len(digits) / 8 {
		end := len(digits) - 8*b
		if kept>>b&1 == 1 && bytes.ContainsAny([]byte(digits[end-8:end]), "xz") {
			return false
		}
	}
	return true
}

// keepsValid and keepsFields check that a stalled output stays as it is (spec: cycle.fifo).
func (d *waveDiff) keepsValid(i int) bool {
	c, p := &d.checks[i], &d.sampler.ports[i]
	if !c.stalled {
		return true
	}
	d.differ(verdict.KindProtocol, p.port, p.valid, "1, as in the cycle before, in which ready was low", "0")
	d.found.Rule = "cycle.fifo"
	return false
}

func (d *waveDiff) keepsFields(i int, o observed) bool {
	c, p := &d.checks[i], &d.sampler.ports[i]
	if p.port.Direction == event.In || p.port.Style == event.Event {
		return true
	}
	if c.stalled && !bytes.Equal(c.beat, o.beat) {
		for f := range p.port.Fields {
			field := &p.port.Fields[f]
			want, got := compare.FormatField(field, c.beat), compare.FormatField(field, o.beat)
			if want != got {
				d.differ(verdict.KindProtocol, p.port, p.fields[f], want+", as in the cycle before, in which ready was low", got)
				d.found.Rule = "cycle.fifo"
				return false
			}
		}
	}
	c.stalled = !o.ready
	if c.stalled {
		c.beat = append(c.beat[:0], o.beat...)
	}
	return true
}

// modelField is the model's value of a field where it shows one.
func (d *waveDiff) modelField(port, field int) string {
	p := &d.unit.Ports[port]
	if p.Direction == event.In || !d.side.model().Valid(port) {
		return "0s and 1s"
	}
	return compare.FormatField(&p.Fields[field], d.side.model().AppendBeat(port, nil))
}

// unknown reports x or z bits on a signal that is compared.
func (d *waveDiff) unknown(p *event.Port, s *signal, want string) {
	d.differ(verdict.KindUnknown, p, s, want, s.text(d.sampler.edge))
}

// differ reports a difference that one signal shows in this cycle. p is nil for clk and rst.
func (d *waveDiff) differ(kind verdict.Kind, p *event.Port, s *signal, want, got string) {
	d.found = &verdict.Difference{Kind: kind, Cycle: d.cycle, Field: s.name, Want: want, Got: got}
	if p == nil {
		d.found.Port = s.name
	} else {
		d.found.Port = p.Name
		d.found.Field = s.name[len(p.Name)+1:]
		for _, known := range d.comparer.Ports() {
			if known.Name == p.Name {
				d.found.Record = known.Compared
			}
		}
	}
	d.found.Signal = d.sampler.path + "." + s.name
	d.times.add(d.cycle, d.sampler.edge)
}
