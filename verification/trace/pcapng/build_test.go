package pcapng

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"metaroce/verification/trace"
)

// raw builds pcapng bytes block by block, lies included. It shares no code with the writer.
type raw struct {
	bytes.Buffer
	order byteOrder
}

type opt struct {
	code  uint16
	value []byte
}

func (r *raw) block(kind uint32, body []byte) {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	total := uint32(len(body) + 12)
	b := r.order.AppendUint32(r.order.AppendUint32(nil, kind), total)
	r.Write(r.order.AppendUint32(append(b, body...), total))
}

func (r *raw) options(b []byte, options []opt) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	for _, o := range options {
		b = r.order.AppendUint16(r.order.AppendUint16(b, o.code), uint16(len(o.value)))
		for b = append(b, o.value...); len(b)%4 != 0; {
			b = append(b, 0)
		}
	}
	if len(options) > 0 {
		b = append(b, 0, 0, 0, 0)
	}
	return b
}

func (r *raw) section(length int64, options ...opt) {
	b := r.order.AppendUint32(nil, 0x1A2B3C4D)
	b = r.order.AppendUint16(r.order.AppendUint16(b, 1), 0)
	b = r.order.AppendUint64(b, uint64(length))
	r.block(0x0A0D0D0A, r.options(b, options))
}

func (r *raw) iface(link uint16, snap uint32, options ...opt) {
	b := r.order.AppendUint16(r.order.AppendUint16(nil, link), 0)
	r.block(1, r.options(r.order.AppendUint32(b, snap), options))
}

func (r *raw) enhanced(id uint32, time uint64, captured, original uint32, data string, options ...opt) {
	var b []byte
	for _, v := range []uint32{id, uint32(time >> 32), uint32(time), captured, original} {
		b = r.order.AppendUint32(b, v)
	}
	r.block(6, r.options(append(b, data...), options))
}

func little() *raw { return &raw{order: binary.LittleEndian} }
func big() *raw    { return &raw{order: binary.BigEndian} }

// frame is an Ethernet frame that dissectors leave alone.
const frame = "\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x88\xb5hello"

// rich is a file with everything: two sections of either order, all packet blocks, unknown blocks, options, odd clocks.
func rich() []byte {
	r := little()
	r.section(-1, opt{1, []byte("first section")})
	r.block(0x80001234, []byte("unknown"))
	r.iface(1, 0, opt{2, []byte("eth<0>")}, opt{9, []byte{9}})
	r.iface(1, 0, opt{2, []byte("odd")}, opt{9, []byte{0x80 | 32}})
	r.enhanced(0, 1_000_000_000_123_456_789, 19, 19, frame, opt{1, []byte("a comment")}, opt{1, []byte("another")}, opt{2, []byte{1, 0, 0, 0}})
	r.enhanced(1, 5<<32+1, 19, 1500, frame)
	r.block(4, make([]byte, 4)) // name resolution, without a record
	r.block(3, append(r.order.AppendUint32(nil, 19), frame...))
	r.block(5, append(r.order.AppendUint32(nil, 0), make([]byte, 8)...))
	old := r.order.AppendUint16(r.order.AppendUint16(nil, 1), 7)
	for _, v := range []uint32{0, 9, 19, 19} {
		old = r.order.AppendUint32(old, v)
	}
	r.block(2, append(old, frame...))
	b := big()
	b.section(-1)
	b.iface(1, 0, opt{9, []byte{0}}, opt{14, binary.BigEndian.AppendUint64(nil, 1_600_000_000)})
	b.enhanced(0, 7, 19, 19, frame)
	return append(r.Bytes(), b.Bytes()...)
}

// readAll reads to the end: one line a packet, and the error that ended it.
func readAll(b []byte) (lines []string, err error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for {
		p, err := r.Next()
		if err != nil {
			if _, again := r.Next(); again != err {
				return nil, errors.New("the error does not stay")
			}
			return lines, err
		}
		if p.Number != uint64(len(lines)+1) {
			return nil, errors.New("packets are not counted")
		}
		time := "none"
		if p.Time.Valid {
			time = p.Time.String()
		}
		lines = append(lines, fmt.Sprintf("%d %s %s %d/%d %q %d", p.Interface.Section, p.Interface.Label(), time, len(p.Data), p.Original, p.Comments, p.Flags))
	}
}

var _ trace.PacketReader = (*Reader)(nil)
