package stimulus

import (
	"encoding/binary"

	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// mutation makes a frame that the receive engine must drop, or at least look at twice. It may change the frame in
// place and returns it, maybe longer or shorter; bad marks the frame by tuser.
type mutation func(r *random, f *flow, frame []byte) (changed []byte, bad bool)

// mutations, each aimed at one check of rule rx.check; after most of them the CRC is right again, so that only the
// check aimed at can catch it.
var mutations = []mutation{
	markedBad, flippedBit, badTrailer, badChecksum, cutShort, runt, oversized, longest, trailingBytes, otherEthertype, doubleTag,
	otherVersion, ipOptions, fragment, otherProtocol, otherPort, wrongIPLength, wrongUDPLength, otherBaseVersion,
	otherType, otherOpcode, wrongPayloadLength, offsetBeyondMessage, offsetOverflow, noise,
}

func markedBad(r *random, f *flow, frame []byte) ([]byte, bool) { return frame, true }

func flippedBit(r *random, f *flow, frame []byte) ([]byte, bool) {
	i := r.IntN(len(frame) * 8)
	frame[i/8] ^= 1 << (i % 8)
	return frame, false
}

func badTrailer(r *random, f *flow, frame []byte) ([]byte, bool) {
	frame[len(frame)-1-r.IntN(4)] ^= 1 << r.IntN(8)
	return frame, false
}

func badChecksum(r *random, f *flow, frame []byte) ([]byte, bool) {
	if !f.ipv6 {
		at := f.ipOffset() + 10
		sum := binary.BigEndian.Uint16(frame[at:])
		binary.BigEndian.PutUint16(frame[at:], pick(r, []uint16{sum + 1, sum - 1, sum ^ 0x8000, ^sum, 0, 0xFFFF}))
	}
	return frame, false
}

func cutShort(r *random, f *flow, frame []byte) ([]byte, bool) {
	return frame[:r.between(1, len(frame)-1)], false
}

func runt(r *random, f *flow, frame []byte) ([]byte, bool) {
	n := pick(r, []int{1, 12, 14, 18, 20, 34, 42, 46, 58, 60, 63, 64, 65, f.udpOffset() + 8, f.udpOffset() + 8 + wire.BaseBytes})
	return frame[:min(n, len(frame))], false
}

func oversized(r *random, f *flow, frame []byte) ([]byte, bool) {
	n := pick(r, []int{profile.RxMaxFrameBeats*64 + 1, profile.RxMaxFrameBeats*64 + 64, profile.RxMaxFrameBeats * 128, profile.RxMaxFrameBeats*192 + 7})
	for len(frame) < n {
		frame = append(frame, byte(r.Uint32()))
	}
	return frame, false
}

// longest is a frame of exactly the beats that are allowed, the last byte of which does not belong to the packet.
func longest(r *random, f *flow, frame []byte) ([]byte, bool) {
	for len(frame) < profile.RxMaxFrameBeats*64 {
		frame = append(frame, 0)
	}
	return frame, false
}

func trailingBytes(r *random, f *flow, frame []byte) ([]byte, bool) {
	return append(frame, make([]byte, pick(r, []int{1, 2, 4, 63, 64}))...), false
}

func otherEthertype(r *random, f *flow, frame []byte) ([]byte, bool) {
	at := f.ipOffset() - 2
	binary.BigEndian.PutUint16(frame[at:], pick(r, []uint16{0x0806, 0x88CC, 0x0801, 0x86DC, 0, uint16(r.Uint32())}))
	return frame, false
}

// doubleTag puts a second tag behind the first: not ours.
func doubleTag(r *random, f *flow, frame []byte) ([]byte, bool) {
	tag := []byte{0x81, 0x00, byte(r.Uint32()), byte(r.Uint32())}
	out := append(append([]byte(nil), frame[:12]...), tag...)
	if !f.vlan {
		out = append(out, tag...)
	}
	return append(out, frame[12:]...), false
}

func otherVersion(r *random, f *flow, frame []byte) ([]byte, bool) {
	at := f.ipOffset()
	frame[at] = frame[at]&0x0F | byte(pick(r, []int{0, 4, 5, 6, 15}))<<4
	f.fixChecksum(frame)
	return frame, false
}

func ipOptions(r *random, f *flow, frame []byte) ([]byte, bool) {
	if !f.ipv6 {
		frame[f.ipOffset()] = 0x40 | byte(pick(r, []int{0, 4, 6, 15}))
		f.fixChecksum(frame)
	}
	return frame, false
}

func fragment(r *random, f *flow, frame []byte) ([]byte, bool) {
	if !f.ipv6 {
		binary.BigEndian.PutUint16(frame[f.ipOffset()+6:], pick(r, []uint16{0x2000, 1, 0x1FFF, 0x3000, 0xA001, 0x8000, 0x4000}))
		f.fixChecksum(frame)
	}
	return frame, false
}

func otherProtocol(r *random, f *flow, frame []byte) ([]byte, bool) {
	at := f.ipOffset() + 9
	if f.ipv6 {
		at = f.ipOffset() + 6
	}
	frame[at] = pick(r, []byte{0, 6, 1, 16, 18, 51, 255})
	f.fixChecksum(frame)
	return frame, false
}

func otherPort(r *random, f *flow, frame []byte) ([]byte, bool) {
	binary.BigEndian.PutUint16(frame[f.udpOffset()+2:], pick(r, []uint16{4791, profile.UdpPort + 1, profile.UdpPort ^ 0x100, 0}))
	return frame, false
}

func wrongIPLength(r *random, f *flow, frame []byte) ([]byte, bool) {
	at := f.ipOffset() + 2
	if f.ipv6 {
		at = f.ipOffset() + 4
	}
	nudge(r, frame[at:])
	f.fixChecksum(frame)
	return frame, false
}

func wrongUDPLength(r *random, f *flow, frame []byte) ([]byte, bool) {
	nudge(r, frame[f.udpOffset()+4:])
	return frame, false
}

// nudge changes a 16-bit field by a little, or by a bit of its high byte.
func nudge(r *random, field []byte) {
	v := binary.BigEndian.Uint16(field)
	binary.BigEndian.PutUint16(field, pick(r, []uint16{v + 1, v - 1, v + 4, v - 4, v ^ 0x0100, v ^ 0x8000, 0}))
}

func otherBaseVersion(r *random, f *flow, frame []byte) ([]byte, bool) {
	return f.poke(r, frame, 0, func(b byte) byte { return b&0x0F | byte(pick(r, []int{0, 2, 3, 9, 15}))<<4 })
}

func otherType(r *random, f *flow, frame []byte) ([]byte, bool) {
	return f.poke(r, frame, 0, func(b byte) byte { return b&0xF0 | pick(r, []byte{0, 2, 3, 4, 5, 9, 15}) })
}

func otherOpcode(r *random, f *flow, frame []byte) ([]byte, bool) {
	return f.poke(r, frame, 7, func(byte) byte { return pick(r, []byte{0, 5, 6, 7, 8, 0x81, 255}) })
}

// poke changes one byte of the UDP payload and makes the CRC right again.
func (f *flow) poke(r *random, frame []byte, offset int, change func(byte) byte) ([]byte, bool) {
	at := f.udpOffset() + wire.UdpBytes + offset
	frame[at] = change(frame[at])
	f.resum(frame)
	return frame, false
}

// Offsets in the DATA header, behind the base header.
const (
	payloadLengthAt = wire.BaseBytes + 2
	messageLengthAt = wire.BaseBytes + 8
	offsetAt        = wire.BaseBytes + 12
)

func wrongPayloadLength(r *random, f *flow, frame []byte) ([]byte, bool) {
	nudge(r, frame[f.udpOffset()+wire.UdpBytes+payloadLengthAt:])
	f.resum(frame)
	return frame, false
}

func offsetBeyondMessage(r *random, f *flow, frame []byte) ([]byte, bool) {
	u := f.udpOffset() + wire.UdpBytes
	length := binary.BigEndian.Uint32(frame[u+messageLengthAt:])
	binary.BigEndian.PutUint32(frame[u+offsetAt:], length+1)
	f.resum(frame)
	return frame, false
}

// offsetOverflow makes offset + payload length wrap at 32 bits.
func offsetOverflow(r *random, f *flow, frame []byte) ([]byte, bool) {
	u := f.udpOffset() + wire.UdpBytes
	binary.BigEndian.PutUint32(frame[u+offsetAt:], 1<<32-1-r.Uint32N(64))
	f.resum(frame)
	return frame, false
}

func noise(r *random, f *flow, frame []byte) ([]byte, bool) {
	b := make([]byte, r.between(1, 300))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b, r.chance(1, 4)
}

// fixChecksum makes an IPv4 header's checksum right again over its first ten words.
func (f *flow) fixChecksum(frame []byte) {
	if f.ipv6 {
		return
	}
	at := f.ipOffset()
	binary.BigEndian.PutUint16(frame[at+10:], 0)
	binary.BigEndian.PutUint16(frame[at+10:], headerChecksum(frame[at:at+wire.Ipv4Bytes]))
}
