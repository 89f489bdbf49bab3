package pcapng

import (
	"encoding/binary"
	"fmt"
	"io"

	"metaroce/verification/trace"
)

// Section is what a section header says.
type Section struct {
	Ordinal int // from 0
	Options []trace.Option
	length  int64 // bytes behind the header block; -1: not stated
	start   int64 // byte behind the header block
}

// Comments returns the section's comments.
func (s *Section) Comments() []string { return comments(nil, s.Options) }

// Statistics is the newest statistics block of an interface.
type Statistics struct {
	Interface int
	Time      trace.Time
	Options   []trace.Option
}

// Reader reads one pcapng file. It implements trace.PacketReader.
type Reader struct {
	source     *trace.Source
	order      byteOrder
	section    Section
	interfaces []*trace.Interface
	statistics map[int]Statistics
	packet     trace.Packet
	number     uint64
	err        error
}

// NewReader reads the first section header.
func NewReader(r io.Reader) (*Reader, error) {
	p := &Reader{source: trace.NewSource(r), section: Section{Ordinal: -1}}
	start, err := p.source.Peek(4)
	if err != nil {
		return nil, err
	}
	if len(start) == 4 && binary.LittleEndian.Uint32(start) != blockSection {
		return nil, trace.Malformedf(0, "block type % x is not that of a section header", start)
	}
	err = p.block()
	if err == io.EOF {
		err = p.short(err, "the section header")
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Section is the section of the packet last returned.
func (p *Reader) Section() *Section { return &p.section }

// Interfaces are those that the current section has declared so far.
func (p *Reader) Interfaces() []*trace.Interface { return p.interfaces }

// Statistics returns the newest statistics of interface id in the current section.
func (p *Reader) Statistics(id int) (Statistics, bool) {
	s, ok := p.statistics[id]
	return s, ok
}

// Next returns the next packet; see trace.PacketReader.
func (p *Reader) Next() (*trace.Packet, error) {
	before := p.number
	for p.err == nil && p.number == before {
		p.err = p.block()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &p.packet, nil
}

// block reads one block, and leaves a packet in p.packet if it holds one.
func (p *Reader) block() error {
	at := p.source.Offset()
	if err := p.sectionEnd(at); err != nil {
		return err
	}
	head, err := p.source.Peek(blockMinBytes)
	if err != nil {
		return fmt.Errorf("byte %d: %w", at, err)
	}
	if len(head) == 0 {
		return p.end()
	}
	if len(head) < blockMinBytes {
		_ = p.source.Skip(int64(len(head)))
		return p.short(io.EOF, "a block header")
	}
	if binary.LittleEndian.Uint32(head) == blockSection {
		if err := p.takeOrder(at, head[8:12]); err != nil {
			return err
		}
	}
	return p.body(at, p.order.Uint32(head), p.order.Uint32(head[4:]))
}

func (p *Reader) body(at int64, kind, total uint32) error {
	if total < blockMinBytes || total%4 != 0 {
		return trace.Malformedf(at, "block of type 0x%08X has a total length of %d", kind, total)
	}
	if !wanted(kind) {
		return p.skip(at, kind, total)
	}
	if total > maxBlock {
		return trace.Malformedf(at, "block of type 0x%08X has a total length of %d, above the limit of %d", kind, total, maxBlock)
	}
	b, err := p.source.Read(int(total))
	if err != nil {
		return p.short(err, fmt.Sprintf("a block of %d bytes that starts at byte %d", total, at))
	}
	if again := p.order.Uint32(b[total-4:]); again != total {
		return trace.Malformedf(at, "block lengths disagree: %d before, %d behind", total, again)
	}
	return p.decode(at, kind, b[blockHeadBytes:total-4])
}

func wanted(kind uint32) bool {
	switch kind {
	case blockSection, blockInterface, blockOldPacket, blockSimple, blockStatistics, blockEnhanced:
		return true
	}
	return false
}

func (p *Reader) skip(at int64, kind, total uint32) error {
	if err := p.source.Skip(int64(total) - 4); err != nil {
		return p.short(err, fmt.Sprintf("a block of type 0x%08X", kind))
	}
	tail, err := p.source.Read(4)
	if err != nil {
		return p.short(err, fmt.Sprintf("a block of type 0x%08X", kind))
	}
	if again := p.order.Uint32(tail); again != total {
		return trace.Malformedf(at, "block lengths disagree: %d before, %d behind", total, again)
	}
	return nil
}

func (p *Reader) decode(at int64, kind uint32, body []byte) error {
	switch kind {
	case blockSection:
		return p.sectionHeader(at, body)
	case blockInterface:
		return p.interfaceDescription(at, body)
	case blockStatistics:
		return p.interfaceStatistics(at, body)
	case blockSimple:
		return p.simplePacket(at, body)
	case blockOldPacket:
		return p.oldPacket(at, body)
	}
	return p.enhancedPacket(at, body)
}

// sectionEnd refuses a section that is longer than its header says.
func (p *Reader) sectionEnd(at int64) error {
	if p.section.length < 0 || p.section.Ordinal < 0 || at-p.section.start <= p.section.length {
		return nil
	}
	return trace.Malformedf(at, "the section is longer than the %d bytes that its header states", p.section.length)
}

// end is the end of the file at a block boundary: clean, unless the section states that more follows.
func (p *Reader) end() error {
	if p.section.Ordinal >= 0 && p.section.length >= 0 && p.source.Offset()-p.section.start < p.section.length {
		return p.short(io.EOF, fmt.Sprintf("a section of %d bytes that starts at byte %d", p.section.length, p.section.start))
	}
	return io.EOF
}

// short turns the end of the file inside a block into a Truncated.
func (p *Reader) short(err error, inside string) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("byte %d: %w", p.source.Offset(), err)
	}
	return &trace.Truncated{Offset: p.source.Offset(), Record: p.number + 1, Noun: "packet", Inside: inside}
}
