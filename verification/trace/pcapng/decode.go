package pcapng

import (
	"encoding/binary"

	"metaroce/verification/trace"
)

// takeOrder sets the byte order of the section that begins.
func (p *Reader) takeOrder(at int64, magic []byte) error {
	switch byteOrderMagic {
	case int(binary.LittleEndian.Uint32(magic)):
		p.order = binary.LittleEndian
	case int(binary.BigEndian.Uint32(magic)):
		p.order = binary.BigEndian
	default:
		return trace.Malformedf(at, "byte-order magic % x is not 1a 2b 3c 4d in either order", magic)
	}
	return nil
}

func (p *Reader) sectionHeader(at int64, b []byte) error {
	if len(b) < 16 {
		return trace.Malformedf(at, "section header of %d bytes: at least 16 are due", len(b))
	}
	if major := p.order.Uint16(b[4:]); major != versionMajor {
		return trace.Malformedf(at, "pcapng version %d.%d: only version 1 is read", major, p.order.Uint16(b[6:]))
	}
	options, err := p.appendOptions(nil, at, b[16:])
	if err != nil {
		return err
	}
	if left := p.section.length - (at - p.section.start); p.section.Ordinal >= 0 && p.section.length >= 0 && left != 0 {
		return trace.Malformedf(at, "a section starts %d bytes before the end that the one before it states", left)
	}
	length := int64(p.order.Uint64(b[8:]))
	if length < -1 {
		return trace.Malformedf(at, "section length %d", length)
	}
	p.section = Section{Ordinal: p.section.Ordinal + 1, Options: kept(options), length: length, start: p.source.Offset()}
	p.interfaces, p.statistics = nil, nil
	return nil
}

func (p *Reader) interfaceDescription(at int64, b []byte) error {
	if len(b) < 8 {
		return trace.Malformedf(at, "interface description of %d bytes: at least 8 are due", len(b))
	}
	if len(p.interfaces) == maxInterfaces {
		return trace.Malformedf(at, "more than %d interfaces in one section", maxInterfaces)
	}
	options, err := p.appendOptions(nil, at, b[8:])
	if err != nil {
		return err
	}
	i := &trace.Interface{
		ID: len(p.interfaces), Section: p.section.Ordinal, Options: kept(options), Unit: trace.Microseconds,
		Link: trace.LinkType(p.order.Uint16(b)), SnapLength: p.order.Uint32(b[4:]),
	}
	if err := p.interfaceOptions(at, i); err != nil {
		return err
	}
	p.interfaces = append(p.interfaces, i)
	return nil
}

func (p *Reader) interfaceOptions(at int64, i *trace.Interface) error {
	name, _ := find(i.Options, optInterfaceName)
	description, _ := find(i.Options, optInterfaceDescription)
	i.Name, i.Description = string(name), string(description)
	if v, ok := find(i.Options, optInterfaceResolution); ok {
		if len(v) != 1 {
			return trace.Malformedf(at, "if_tsresol of %d bytes: 1 is due", len(v))
		}
		i.Unit = resolution(v[0])
	}
	if v, ok := find(i.Options, optInterfaceOffset); ok {
		if len(v) != 8 {
			return trace.Malformedf(at, "if_tsoffset of %d bytes: 8 are due", len(v))
		}
		i.Offset = int64(p.order.Uint64(v))
	}
	return nil
}

// resolution decodes if_tsresol: 10^-n, or 2^-n with the high bit set. 0 is whole seconds.
func resolution(v byte) trace.Resolution {
	if v&0x80 != 0 {
		return trace.Resolution{Multiple: 1, Base: 2, Exponent: v & 0x7F}
	}
	return trace.Resolution{Multiple: 1, Base: 10, Exponent: v}
}

func (p *Reader) interfaceStatistics(at int64, b []byte) error {
	if len(b) < 12 {
		return trace.Malformedf(at, "interface statistics of %d bytes: at least 12 are due", len(b))
	}
	i, err := p.declared(at, p.order.Uint32(b))
	if err != nil {
		return err
	}
	options, err := p.appendOptions(nil, at, b[12:])
	if err != nil {
		return err
	}
	if p.statistics == nil {
		p.statistics = map[int]Statistics{}
	}
	p.statistics[i.ID] = Statistics{Interface: i.ID, Time: p.time(i, b[4:]), Options: kept(options)}
	return nil
}

func (p *Reader) enhancedPacket(at int64, b []byte) error {
	if len(b) < 20 {
		return trace.Malformedf(at, "packet block of %d bytes: at least 20 are due", len(b))
	}
	return p.timedPacket(at, p.order.Uint32(b), b)
}

// oldPacket is the obsolete packet block: a 16-bit interface and a drop count where the enhanced one has 32 bits.
func (p *Reader) oldPacket(at int64, b []byte) error {
	if len(b) < 20 {
		return trace.Malformedf(at, "packet block of %d bytes: at least 20 are due", len(b))
	}
	return p.timedPacket(at, uint32(p.order.Uint16(b)), b)
}

func (p *Reader) timedPacket(at int64, id uint32, b []byte) error {
	i, err := p.declared(at, id)
	if err != nil {
		return err
	}
	captured, original := p.order.Uint32(b[12:]), p.order.Uint32(b[16:])
	body := b[20:]
	if captured > original {
		return trace.Malformedf(at, "captured length %d is above the original length %d", captured, original)
	}
	if uint64(captured) > uint64(len(body)) {
		return trace.Malformedf(at, "captured length %d does not fit its block: %d bytes are there", captured, len(body))
	}
	options, err := p.appendOptions(p.packet.Options[:0], at, body[min(padded(int(captured)), len(body)):])
	if err != nil {
		return err
	}
	p.give(trace.Packet{Offset: at, Interface: i, Time: p.time(i, b[4:]), Original: original, Data: body[:captured], Options: options})
	return nil
}

// simplePacket has no time and belongs to the section's first interface, whose snap length is all it says about how
// much was captured.
func (p *Reader) simplePacket(at int64, b []byte) error {
	if len(b) < 4 {
		return trace.Malformedf(at, "simple packet block of %d bytes: at least 4 are due", len(b))
	}
	i, err := p.declared(at, 0)
	if err != nil {
		return err
	}
	original := p.order.Uint32(b)
	captured := original
	if i.SnapLength > 0 {
		captured = min(captured, i.SnapLength)
	}
	if uint64(captured) > uint64(len(b)-4) {
		return trace.Malformedf(at, "captured length %d does not fit its block: %d bytes are there", captured, len(b)-4)
	}
	p.give(trace.Packet{Offset: at, Interface: i, Original: original, Data: b[4 : 4+captured], Options: p.packet.Options[:0]})
	return nil
}

func (p *Reader) give(packet trace.Packet) {
	p.number++
	packet.Number = p.number
	packet.Comments = comments(nil, packet.Options)
	if v, ok := find(packet.Options, optPacketFlags); ok && len(v) == 4 {
		packet.Flags, packet.HasFlags = p.order.Uint32(v), true
	}
	p.packet = packet
}

// declared returns interface id of the current section, or an error that names it.
func (p *Reader) declared(at int64, id uint32) (*trace.Interface, error) {
	if uint64(id) >= uint64(len(p.interfaces)) {
		return nil, trace.Malformedf(at, "interface %d was never declared: the section has %d", id, len(p.interfaces))
	}
	return p.interfaces[id], nil
}

// time reads the two halves of a time, the high one first in either byte order.
func (p *Reader) time(i *trace.Interface, b []byte) trace.Time {
	raw := uint64(p.order.Uint32(b))<<32 | uint64(p.order.Uint32(b[4:]))
	return trace.Time{Raw: raw, Unit: i.Unit, Offset: i.Offset, Valid: true}
}
