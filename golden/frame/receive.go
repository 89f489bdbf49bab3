package frame

import (
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// Reject is why a frame is dropped without an answer, in the order of the checks (spec: rx.check).
type Reject uint8

// Reasons of rule rx.check. BadFrame and Oversize are told by the beats, not by Receive.
const (
	Accepted Reject = iota
	BadFrame
	Oversize
	NotOurs
	LengthError
	ChecksumError
	CrcError
	Malformed
	Rejects // number of values
)

// headerBytes is the longest headers: Ethernet, VLAN, IPv6, UDP, base, DATA.
const headerBytes = wire.EthernetBytes + wire.VlanBytes + wire.Ipv6Bytes + wire.UdpBytes + wire.BaseBytes + wire.DataBytes

// Receive checks a frame and reads its headers into d. Payload is then a part of b. Of a frame that is not Accepted d is
// only good for what the checks before the failing one looked at.
func Receive(b []byte, d *Data) Reject {
	header := b
	if len(b) < headerBytes { // bytes beyond the end read as 0 (spec: rx.frame)
		var padded [headerBytes]byte
		copy(padded[:], b)
		header = padded[:]
	}
	if !d.Network.parse(header) || !d.Network.ours() {
		return NotOurs
	}
	if !d.Network.lengthsRight(len(b)) {
		return LengthError
	}
	if at := d.Network.linkLen(); !d.Network.HasIpv6 && onesSum(header[at:at+wire.Ipv4Bytes]) != 0xFFFF {
		return ChecksumError
	}
	at := d.Network.Len()
	if len(b) < at || !crcRight(b[at:]) {
		return CrcError
	}
	d.parse(header[at:])
	if !d.wellFormed() {
		return Malformed
	}
	at += wire.BaseBytes + wire.DataBytes
	d.Payload, d.CrcError = b[at:at+int(d.Data.PayloadLength)], 0
	return Accepted
}

// parse reads the headers; false if the ethertype is neither IPv4 nor IPv6. b is long enough for all of them.
func (n *Network) parse(b []byte) bool {
	n.Ethernet, _, _ = wire.ParseEthernet(b)
	b = b[wire.EthernetBytes:]
	ethertype := n.Ethernet.Ethertype
	n.HasVlan = ethertype == EthertypeVlan
	if n.HasVlan {
		n.Vlan, _, _ = wire.ParseVlan(b)
		b = b[wire.VlanBytes:]
		ethertype = n.Vlan.Ethertype
	}
	n.HasIpv6 = ethertype == EthertypeIpv6
	if n.HasIpv6 {
		n.Ipv6, _, _ = wire.ParseIpv6(b)
	} else {
		n.Ipv4, _, _ = wire.ParseIpv4(b)
	}
	n.Udp, _, _ = wire.ParseUdp(b[n.ipLen():])
	return n.HasIpv6 || ethertype == EthertypeIpv4
}

// ours tells whether the IP and UDP headers are of the kind that the profile handles.
func (n *Network) ours() bool {
	if n.Udp.DestinationPort != profile.UdpPort {
		return false
	}
	if n.HasIpv6 {
		return n.Ipv6.Version == ipv6Version && n.Ipv6.NextHeader == ProtocolUdp
	}
	h := &n.Ipv4
	whole := h.Flags&ipv4MoreFragments == 0 && h.FragmentOffset == 0
	return h.Version == ipv4Version && h.HeaderWords == ipv4HeaderWords && whole && h.Protocol == ProtocolUdp
}

// lengthsRight tells whether the IP and UDP lengths are those of a frame of length bytes.
func (n *Network) lengthsRight(length int) bool {
	ip := int(n.Ipv4.TotalLength) + n.linkLen()
	if n.HasIpv6 {
		ip = int(n.Ipv6.PayloadLength) + n.linkLen() + wire.Ipv6Bytes
	}
	return ip == length && int(n.Udp.Length) == length-n.Len()+wire.UdpBytes
}

// parse reads the profile's own headers.
func (d *Data) parse(b []byte) {
	d.Base, _, _ = wire.ParseBase(b)
	d.Data, _, _ = wire.ParseData(b[wire.BaseBytes:])
}

// wellFormed is the check malformed of rule rx.check.
func (d *Data) wellFormed() bool {
	if d.Base.Version != profile.WireVersion || d.Base.Type != wire.PacketTypeData {
		return false
	}
	switch d.Base.Opcode {
	case wire.OpcodeWrite, wire.OpcodeWriteImm, wire.OpcodeSend, wire.OpcodeSendImm:
	default:
		return false
	}
	h := &d.Data
	if int(h.PayloadLength)+dataOverhead != int(d.Udp.Length)-wire.UdpBytes || h.PayloadLength > profile.MtuBytes {
		return false
	}
	return uint64(h.Offset)+uint64(h.PayloadLength) <= uint64(h.MessageLength)
}
