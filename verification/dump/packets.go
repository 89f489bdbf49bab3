package dump

import (
	"io"

	"metaroce/golden/event"
	"metaroce/verification/capture"
	"metaroce/verification/compare"
	"metaroce/verification/decode"
	"metaroce/verification/trace"
	"metaroce/verification/trace/pcapng"
)

// packetDump prints the packets of one capture.
type packetDump struct {
	line    *line
	decoder *decode.Decoder
	unit    *event.Unit // of our own captures: its ports name beats' fields
	value   []byte
}

// packets prints a capture. sections is nil for pcap, which has none.
func packets(l *line, in trace.PacketReader, sections *pcapng.Reader) error {
	d := &packetDump{line: l, decoder: decode.NewDecoder()}
	section := -1
	for {
		p, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if sections != nil && p.Interface.Section != section {
			section = p.Interface.Section
			d.unit = unitOf(sections)
		}
		if err := d.packet(p); err != nil {
			return err
		}
	}
}

// unitOf is the unit that a section of our own names, or nil.
func unitOf(sections *pcapng.Reader) *event.Unit {
	m, ok, err := capture.ParseMeta(sections.Section().Comments())
	if !ok || err != nil {
		return nil
	}
	unit, _ := event.UnitByName(m.Unit)
	return unit
}

func (d *packetDump) packet(p *trace.Packet) error {
	l := d.line
	l.begin()
	l.number("n", p.Number, false)
	l.time(p.Time)
	l.text("interface", p.Interface.Label(), false)
	l.number("length", uint64(p.Original), false)
	if uint32(len(p.Data)) != p.Original {
		l.number("captured", uint64(len(p.Data)), true)
	}
	if p.HasFlags {
		l.number("flags", uint64(p.Flags), true)
	}
	l.list("comments", p.Comments)
	d.contents(p)
	return l.end()
}

func (d *packetDump) contents(p *trace.Packet) {
	if p.Interface.Link == trace.LinkEthernet {
		d.frame(d.decoder.Decode(p.Data))
		return
	}
	if d.unit == nil {
		return
	}
	port, ok := d.unit.PortByName(p.Interface.Name)
	if !ok || len(p.Data) != port.Bytes {
		return
	}
	d.line.open("fields")
	for i := range port.Fields {
		d.beatField(&port.Fields[i], p.Data)
	}
	d.line.close()
}

// beatField writes one field of a beat as the reports show it: an enum's name and value, or hexadecimal.
func (d *packetDump) beatField(f *event.Field, beat []byte) {
	if f.Enum != "" {
		d.line.text(f.Name, compare.FormatField(f, beat), true)
		return
	}
	d.value = append(d.value[:0], "0x"...)
	for i := f.Offset + f.Bytes - 1; i >= f.Offset; i-- {
		if len(d.value) > 2 || beat[i] > 0xF {
			d.value = append(d.value, hexDigits[beat[i]>>4])
		}
		if len(d.value) > 2 || beat[i] > 0 || i == f.Offset {
			d.value = append(d.value, hexDigits[beat[i]&0xF])
		}
	}
	d.line.raw(f.Name, d.value)
}

const hexDigits = "0123456789abcdef"

func (d *packetDump) frame(f *decode.Frame) {
	d.line.open("fields")
	for _, v := range f.Fields {
		name := v.Header + "." + v.Name
		if v.Number {
			d.line.key(name, true)
			d.line.buf = append(d.line.buf, v.Value...)
			continue
		}
		d.line.text(name, v.Value, true)
	}
	d.line.close()
	d.line.number("payload", uint64(len(f.Payload)), true)
	if f.Err != nil {
		d.line.text("decode_error", f.Err.Error(), true)
	}
}
