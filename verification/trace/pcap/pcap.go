// Package pcap reads classic pcap files: both byte orders, microseconds and nanoseconds, in constant memory.
package pcap

import (
	"encoding/binary"
	"fmt"
	"io"

	"metaroce/verification/trace"
)

const (
	fileHeaderBytes   = 24
	recordHeaderBytes = 16

	// maxCaptured bounds the memory of one packet. It is the limit that the common readers have had for decades.
	maxCaptured = 16 << 20
)

// Reader reads one pcap file. It implements trace.PacketReader.
type Reader struct {
	source *trace.Source
	order  binary.ByteOrder
	scale  uint64 // units a second
	iface  trace.Interface
	packet trace.Packet
	err    error
}

// NewReader reads the file header.
func NewReader(r io.Reader) (*Reader, error) {
	p := &Reader{source: trace.NewSource(r)}
	head, err := p.source.Read(fileHeaderBytes)
	if err != nil {
		return nil, p.short(err, "the file header")
	}
	if err := p.header(head); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Reader) header(head []byte) error {
	if err := p.magic(head); err != nil {
		return err
	}
	major, minor := p.order.Uint16(head[4:]), p.order.Uint16(head[6:])
	if major != 2 || minor != 4 {
		return trace.Malformedf(4, "pcap version %d.%d: only 2.4 is read", major, minor)
	}
	p.iface.SnapLength = p.order.Uint32(head[16:])
	p.iface.Link = trace.LinkType(p.order.Uint32(head[20:])) // the upper half is about an FCS, not the type
	return nil
}

func (p *Reader) magic(head []byte) error {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch order.Uint32(head) {
		case trace.MagicMicroseconds:
			p.order, p.scale, p.iface.Unit = order, 1e6, trace.Microseconds
			return nil
		case trace.MagicNanoseconds:
			p.order, p.scale, p.iface.Unit = order, 1e9, trace.Nanoseconds
			return nil
		}
	}
	return trace.Malformedf(0, "magic % x is not that of a pcap file", head[:4])
}

// Interface is the file's only interface. It has no name.
func (p *Reader) Interface() *trace.Interface { return &p.iface }

// Next returns the next packet; see trace.PacketReader.
func (p *Reader) Next() (*trace.Packet, error) {
	if p.err == nil {
		p.err = p.next()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &p.packet, nil
}

func (p *Reader) next() error {
	at := p.source.Offset()
	head, err := p.source.Read(recordHeaderBytes)
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return p.short(err, "a record header")
	}
	seconds, fraction := uint64(p.order.Uint32(head)), uint64(p.order.Uint32(head[4:]))
	captured, original := p.order.Uint32(head[8:]), p.order.Uint32(head[12:])
	if err := checkLengths(at, captured, original); err != nil {
		return err
	}
	data, err := p.source.Read(int(captured))
	if err != nil {
		return p.short(err, fmt.Sprintf("the %d bytes of its data", captured))
	}
	p.packet = trace.Packet{
		Number: p.packet.Number + 1, Offset: at, Interface: &p.iface, Original: original, Data: data,
		Time: trace.Time{Raw: seconds*p.scale + fraction, Unit: p.iface.Unit, Valid: true},
	}
	return nil
}

func checkLengths(at int64, captured, original uint32) error {
	if captured > original {
		return trace.Malformedf(at, "captured length %d is above the original length %d", captured, original)
	}
	if captured > maxCaptured {
		return trace.Malformedf(at, "captured length %d is above the limit of %d", captured, maxCaptured)
	}
	return nil
}

// short turns the end of the file inside a record into a Truncated.
func (p *Reader) short(err error, inside string) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("byte %d: %w", p.source.Offset(), err)
	}
	return &trace.Truncated{Offset: p.source.Offset(), Record: p.packet.Number + 1, Noun: "packet", Inside: inside}
}
