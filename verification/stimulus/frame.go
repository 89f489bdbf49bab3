package stimulus

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

const (
	ethertypeIPv4 = 0x0800
	ethertypeIPv6 = 0x86DD
	ethertypeVLAN = 0x8100
	protocolUDP   = 17
	ecnCapable    = 2
	ecnMarked     = 3
)

// flow is the outside of a path's frames: addresses, tag and source port.
type flow struct {
	source, destination     uint64 // MAC
	ipv6                    bool
	sourceIP, destinationIP [16]byte // IPv4: the first four bytes
	vlan                    bool
	tag                     uint16
	sourcePort              uint16
	epoch                   uint8
}

func (r *random) flow() flow {
	f := flow{
		source: r.Uint64N(1 << 48), destination: r.Uint64N(1 << 48), ipv6: r.chance(1, 2), vlan: r.chance(1, 2),
		tag: uint16(r.Uint32()), sourcePort: uint16(r.Uint32()), epoch: uint8(r.IntN(16)),
	}
	for i := range 16 {
		f.sourceIP[i], f.destinationIP[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	return f
}

// frame encodes a DATA packet on a flow. The payload's length is that of the DATA header.
func (f *flow) frame(base wire.Base, data wire.Data, payload []byte, ecn uint8) []byte {
	inner := base.Append(make([]byte, 0, 128+len(payload)))
	inner = append(data.Append(inner), payload...)
	inner = binary.LittleEndian.AppendUint32(inner, crc32.ChecksumIEEE(inner))
	return f.envelope(inner, ecn)
}

// envelope puts a UDP payload into a frame.
func (f *flow) envelope(inner []byte, ecn uint8) []byte {
	ethertype := uint16(ethertypeIPv4)
	if f.ipv6 {
		ethertype = ethertypeIPv6
	}
	ethernet := wire.Ethernet{Destination: f.destination, Source: f.source, Ethertype: ethertype}
	frame := make([]byte, 0, 128+len(inner))
	if f.vlan {
		ethernet.Ethertype = ethertypeVLAN
		frame = wire.Vlan{TagControl: f.tag, Ethertype: ethertype}.Append(ethernet.Append(frame))
	} else {
		frame = ethernet.Append(frame)
	}
	length := uint16(wire.UdpBytes + len(inner))
	frame = f.ip(frame, length, ecn)
	frame = wire.Udp{SourcePort: f.sourcePort, DestinationPort: profile.UdpPort, Length: length}.Append(frame)
	return append(frame, inner...)
}

func (f *flow) ip(frame []byte, length uint16, ecn uint8) []byte {
	dscp := uint8(f.tag) & 63
	if f.ipv6 {
		return wire.Ipv6{
			Version: 6, Dscp: dscp, Ecn: ecn, FlowLabel: uint32(f.sourcePort), PayloadLength: length,
			NextHeader: protocolUDP, HopLimit: 63, Source: f.sourceIP, Destination: f.destinationIP,
		}.Append(frame)
	}
	start := len(frame)
	frame = wire.Ipv4{
		Version: 4, HeaderWords: 5, Dscp: dscp, Ecn: ecn, TotalLength: wire.Ipv4Bytes + length, Identification: f.sourcePort,
		Flags: uint8(f.tag>>8) & 2, Ttl: 63, Protocol: protocolUDP,
		Source: binary.BigEndian.Uint32(f.sourceIP[:]), Destination: binary.BigEndian.Uint32(f.destinationIP[:]),
	}.Append(frame)
	binary.BigEndian.PutUint16(frame[start+10:], headerChecksum(frame[start:]))
	return frame
}

// headerChecksum is the one's complement checksum of an IPv4 header whose checksum field is 0.
func headerChecksum(header []byte) uint16 {
	sum := uint32(0)
	for i := 0; i+1 < len(header); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(header[i:]))
	}
	for sum>>16 != 0 {
		sum = sum&0xFFFF + sum>>16
	}
	return ^uint16(sum)
}

// ipOffset is where the IP header of the flow's frames begins, udpOffset where the UDP header does.
func (f *flow) ipOffset() int {
	if f.vlan {
		return wire.EthernetBytes + wire.VlanBytes
	}
	return wire.EthernetBytes
}

func (f *flow) udpOffset() int {
	if f.ipv6 {
		return f.ipOffset() + wire.Ipv6Bytes
	}
	return f.ipOffset() + wire.Ipv4Bytes
}

// resum makes the CRC of a frame's UDP payload right again after a change.
func (f *flow) resum(frame []byte) {
	u := f.udpOffset() + wire.UdpBytes
	end := len(frame) - wire.TrailerBytes
	if end >= u {
		binary.LittleEndian.PutUint32(frame[end:], crc32.ChecksumIEEE(frame[u:end]))
	}
}

// CutFrame cuts a frame into the packed beats of an AXI-Stream input with tuser; bad sets it on the last beat.
func CutFrame(port *event.Port, frame []byte, bad bool) [][]byte {
	data, _ := port.FieldByName("tdata")
	keep, _ := port.FieldByName("tkeep")
	last, _ := port.FieldByName("tlast")
	user, hasUser := port.FieldByName("tuser")
	var beats [][]byte
	for len(frame) > 0 {
		n := min(data.Bytes, len(frame))
		beat := make([]byte, port.Bytes)
		copy(beat[data.Offset:], frame[:n])
		binary.LittleEndian.PutUint64(beat[keep.Offset:], ^uint64(0)>>(64-n))
		frame = frame[n:]
		if len(frame) == 0 {
			beat[last.Offset] = 1
			if hasUser && bad {
				beat[user.Offset] = 1
			}
		}
		beats = append(beats, beat)
	}
	return beats
}

// JoinBeat appends the kept bytes of an AXI-Stream beat to a frame and tells whether it was the last.
func JoinBeat(port *event.Port, frame, beat []byte) ([]byte, bool) {
	data, _ := port.FieldByName("tdata")
	keep, _ := port.FieldByName("tkeep")
	last, _ := port.FieldByName("tlast")
	n := min(data.Bytes, bits.TrailingZeros64(^keep.Value(beat)))
	return append(frame, beat[data.Offset:data.Offset+n]...), last.Value(beat) != 0
}

// Packet is one DATA packet as a scenario names it.
type Packet struct {
	Base       wire.Base
	Data       wire.Data
	IPv6, VLAN bool
	Ecn        uint8
	SourcePort uint16
	Seed       uint64 // of the payload's bytes
}

// Frame encodes the packet with addresses that are the same for every packet of a connection.
func (p *Packet) Frame() []byte {
	c := byte(p.Base.Connection)
	f := flow{
		source: 0x020000000000 | uint64(c), destination: 0x0200000000FF, ipv6: p.IPv6, vlan: p.VLAN, tag: 0x6001,
		sourcePort: p.SourcePort, sourceIP: [16]byte{10, 0, 0, c, 1}, destinationIP: [16]byte{10, 0, 1, 1, 2},
	}
	payload := make([]byte, p.Data.PayloadLength)
	fill(payload, p.Seed)
	return f.frame(p.Base, p.Data, payload, p.Ecn)
}
