package pcapng

import (
	"encoding/binary"
	"fmt"
	"io"

	"metaroce/verification/trace"
)

// Writer writes one section, block by block; it keeps nothing but the scratch of one block. Give it a bufio.Writer.
type Writer struct {
	w          io.Writer
	order      byteOrder
	interfaces int
	block      []byte
}

// NewWriter writes a section header with comments, little-endian and of unstated length. Hardware, system and
// application are left out so that the bytes name no host.
func NewWriter(w io.Writer, comments ...string) (*Writer, error) {
	return newWriter(w, binary.LittleEndian, comments)
}

// NewBigEndianWriter is NewWriter in the other byte order.
func NewBigEndianWriter(w io.Writer, comments ...string) (*Writer, error) {
	return newWriter(w, binary.BigEndian, comments)
}

func newWriter(w io.Writer, order byteOrder, comments []string) (*Writer, error) {
	p := &Writer{w: w, order: order}
	p.begin(blockSection)
	p.block = p.order.AppendUint32(p.block, byteOrderMagic)
	p.block = p.order.AppendUint16(p.block, versionMajor)
	p.block = p.order.AppendUint16(p.block, 0)
	p.block = p.order.AppendUint64(p.block, 1<<64-1)
	if err := p.comments(comments); err != nil {
		return nil, err
	}
	return p, p.finish(len(comments) > 0)
}

// AddInterface declares an interface and returns its identifier. Name, Description, Link, SnapLength, Unit (of
// multiple 1) and Offset are written; ID, Section and Options are not looked at.
func (p *Writer) AddInterface(i trace.Interface) (int, error) {
	if i.Unit.Multiple != 1 || i.Unit.Exponent > 127 || i.Unit.Base != 2 && i.Unit.Base != 10 {
		return 0, fmt.Errorf("interface %q: resolution %v cannot be written as if_tsresol", i.Name, i.Unit)
	}
	p.begin(blockInterface)
	p.block = p.order.AppendUint16(p.block, uint16(i.Link))
	p.block = p.order.AppendUint16(p.block, 0)
	p.block = p.order.AppendUint32(p.block, i.SnapLength)
	if err := p.interfaceOptions(i); err != nil {
		return 0, err
	}
	p.interfaces++
	return p.interfaces - 1, p.finish(true)
}

func (p *Writer) interfaceOptions(i trace.Interface) error {
	for _, o := range []struct {
		code uint16
		text string
	}{{optInterfaceName, i.Name}, {optInterfaceDescription, i.Description}} {
		if o.text == "" {
			continue
		}
		if err := p.option(o.code, []byte(o.text)); err != nil {
			return err
		}
	}
	resolution := i.Unit.Exponent
	if i.Unit.Base == 2 {
		resolution |= 0x80
	}
	if err := p.option(optInterfaceResolution, []byte{resolution}); err != nil {
		return err
	}
	if i.Offset == 0 {
		return nil
	}
	return p.option(optInterfaceOffset, p.order.AppendUint64(nil, uint64(i.Offset)))
}

// Packet writes one packet on interface id: raw is its time in the interface's unit, flags are left out when 0.
func (p *Writer) Packet(id int, raw uint64, data []byte, flags uint32, comments ...string) error {
	if id < 0 || id >= p.interfaces {
		return fmt.Errorf("packet on interface %d: %d are declared", id, p.interfaces)
	}
	p.begin(blockEnhanced)
	for _, v := range []uint32{uint32(id), uint32(raw >> 32), uint32(raw), uint32(len(data)), uint32(len(data))} {
		p.block = p.order.AppendUint32(p.block, v)
	}
	p.block = pad(append(p.block, data...))
	if err := p.comments(comments); err != nil {
		return err
	}
	if flags != 0 {
		if err := p.option(optPacketFlags, p.order.AppendUint32(nil, flags)); err != nil {
			return err
		}
	}
	return p.finish(len(comments) > 0 || flags != 0)
}

// begin starts a block; its length is filled in by finish.
func (p *Writer) begin(kind uint32) {
	p.block = p.order.AppendUint32(p.block[:0], kind)
	p.block = append(p.block, 0, 0, 0, 0)
}

func (p *Writer) comments(comments []string) error {
	for _, c := range comments {
		if err := p.option(optComment, []byte(c)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Writer) option(code uint16, value []byte) error {
	if len(value) > 0xFFFF {
		return fmt.Errorf("option %d of %d bytes: at most 65535 fit", code, len(value))
	}
	p.block = p.order.AppendUint16(p.block, code)
	p.block = p.order.AppendUint16(p.block, uint16(len(value)))
	p.block = pad(append(p.block, value...))
	return nil
}

func pad(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func (p *Writer) finish(options bool) error {
	if options {
		p.block = append(p.block, 0, 0, 0, 0)
	}
	total := uint32(len(p.block) + 4)
	p.order.PutUint32(p.block[4:], total)
	p.block = p.order.AppendUint32(p.block, total)
	if _, err := p.w.Write(p.block); err != nil {
		return fmt.Errorf("pcapng: %w", err)
	}
	return nil
}
