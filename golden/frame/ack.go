package frame

import (
	"fmt"

	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// Ack is an ACK frame.
type Ack struct {
	Network
	Base wire.Base
	Ack  wire.Ack
}

// AckBytesMost is the length of the longest ACK frame, with a VLAN tag and IPv6, in bytes.
const AckBytesMost = wire.EthernetBytes + wire.VlanBytes + wire.Ipv6Bytes + wire.UdpBytes + ackPayload

// ackPayload is the UDP payload of an ACK frame in bytes.
const ackPayload = wire.BaseBytes + wire.AckBytes + wire.TrailerBytes

// Complete sets every field that follows from the others: those of Network.Complete, and the version and type of the base
// header.
func (a *Ack) Complete() {
	a.Base.Version, a.Base.Type = profile.WireVersion, wire.PacketTypeAck
	a.Network.Complete(ackPayload)
}

// Append adds the frame with its fields as they are, and its CRC.
func (a *Ack) Append(dst []byte) []byte {
	dst = a.Network.Append(dst)
	from := len(dst)
	dst = a.Base.Append(dst)
	dst = a.Ack.Append(dst)
	return appendCrc(dst, dst[from:], 0)
}

// ParseAck reads an ACK frame, which must be one in every respect: addresses of a kind that the profile knows, right
// lengths, checksum, CRC, version and type. The error says what is wrong.
func ParseAck(b []byte) (Ack, error) {
	var a Ack
	if err := a.parse(b); err != nil {
		return Ack{}, fmt.Errorf("ack frame of %d bytes: %w", len(b), err)
	}
	return a, nil
}

func (a *Ack) parse(b []byte) error {
	if len(b) < wire.EthernetBytes+wire.Ipv4Bytes+wire.UdpBytes+ackPayload || len(b) > AckBytesMost {
		return fmt.Errorf("no ACK frame is of this length")
	}
	if !a.Network.parse(b) || !a.Network.ours() {
		return fmt.Errorf("not UDP to port %d over IP", profile.UdpPort)
	}
	if !a.Network.lengthsRight(len(b)) || len(b) != a.Network.Len()+ackPayload {
		return fmt.Errorf("IP length or UDP length %d is wrong", a.Udp.Length)
	}
	if !a.HasIpv6 && a.Ipv4.Checksum != Ipv4Checksum(a.Ipv4) {
		return fmt.Errorf("IPv4 checksum 0x%04x, want 0x%04x", a.Ipv4.Checksum, Ipv4Checksum(a.Ipv4))
	}
	payload := b[a.Network.Len():]
	if !crcRight(payload) {
		return fmt.Errorf("CRC is wrong")
	}
	a.Base, _, _ = wire.ParseBase(payload)
	a.Ack, _, _ = wire.ParseAck(payload[wire.BaseBytes:])
	if a.Base.Version != profile.WireVersion || a.Base.Type != wire.PacketTypeAck {
		return fmt.Errorf("version %d type %v, want %d ACK", a.Base.Version, a.Base.Type, profile.WireVersion)
	}
	return nil
}
