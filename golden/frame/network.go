// Package frame is whole Ethernet frames of the interim profile: it builds DATA and ACK frames, checks received ones, and
// cuts frames into the beats of an AXI-Stream port. Header layouts are those of golden/wire.
package frame

import (
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// Numbers of the protocols around the profile's own (IEEE 802.3, IEEE 802.1Q, RFC 791, RFC 8200, RFC 768).
const (
	EthertypeIpv4 = 0x0800
	EthertypeIpv6 = 0x86DD
	EthertypeVlan = 0x8100
	ProtocolUdp   = 17

	ipv4Version, ipv6Version = 4, 6
	ipv4HeaderWords          = 5
	ipv4DoNotFragment        = 2 // of the three flags
	ipv4MoreFragments        = 1
)

// Network is the headers below the profile's own. It holds an IPv4 or an IPv6 header; the other one is not looked at.
type Network struct {
	Ethernet wire.Ethernet
	HasVlan  bool
	Vlan     wire.Vlan
	HasIpv6  bool
	Ipv4     wire.Ipv4
	Ipv6     wire.Ipv6
	Udp      wire.Udp
}

// Len is the length of the headers in bytes, which is where the UDP payload starts: 42, 46, 62 or 66.
func (n *Network) Len() int { return n.linkLen() + n.ipLen() + wire.UdpBytes }

func (n *Network) linkLen() int {
	if n.HasVlan {
		return wire.EthernetBytes + wire.VlanBytes
	}
	return wire.EthernetBytes
}

func (n *Network) ipLen() int {
	if n.HasIpv6 {
		return wire.Ipv6Bytes
	}
	return wire.Ipv4Bytes
}

// Complete sets every field that follows from the others and from the length of the UDP payload in bytes: ethertypes,
// versions, protocols, lengths, the UDP destination port and the IPv4 checksum. The UDP checksum is 0.
func (n *Network) Complete(udpPayload int) {
	ethertype := uint16(EthertypeIpv4)
	if n.HasIpv6 {
		ethertype = EthertypeIpv6
	}
	n.Ethernet.Ethertype = ethertype
	if n.HasVlan {
		n.Ethernet.Ethertype, n.Vlan.Ethertype = EthertypeVlan, ethertype
	}
	length := uint16(wire.UdpBytes + udpPayload)
	n.Udp.Length, n.Udp.Checksum, n.Udp.DestinationPort = length, 0, profile.UdpPort
	if n.HasIpv6 {
		n.Ipv6.Version, n.Ipv6.NextHeader, n.Ipv6.PayloadLength = ipv6Version, ProtocolUdp, length
		return
	}
	n.Ipv4.Version, n.Ipv4.HeaderWords, n.Ipv4.Protocol = ipv4Version, ipv4HeaderWords, ProtocolUdp
	n.Ipv4.TotalLength = wire.Ipv4Bytes + length
	n.Ipv4.Checksum = Ipv4Checksum(n.Ipv4)
}

// Append adds the headers as they are.
func (n *Network) Append(dst []byte) []byte {
	dst = n.Ethernet.Append(dst)
	if n.HasVlan {
		dst = n.Vlan.Append(dst)
	}
	if n.HasIpv6 {
		dst = n.Ipv6.Append(dst)
	} else {
		dst = n.Ipv4.Append(dst)
	}
	return n.Udp.Append(dst)
}

// Reply is the headers of the ACK that answers a frame, but for what Complete sets (spec: rx.ack).
func (n *Network) Reply() Network {
	r := Network{HasVlan: n.HasVlan, HasIpv6: n.HasIpv6}
	r.Ethernet.Destination, r.Ethernet.Source = n.Ethernet.Source, n.Ethernet.Destination
	if n.HasVlan {
		r.Vlan.TagControl = n.Vlan.TagControl
	}
	r.Udp.SourcePort = n.Udp.SourcePort
	if n.HasIpv6 {
		r.Ipv6.Dscp, r.Ipv6.HopLimit = profile.AckDscp, profile.AckTtl
		r.Ipv6.Source, r.Ipv6.Destination = n.Ipv6.Destination, n.Ipv6.Source
		return r
	}
	r.Ipv4.Dscp, r.Ipv4.Ttl, r.Ipv4.Flags = profile.AckDscp, profile.AckTtl, ipv4DoNotFragment
	r.Ipv4.Source, r.Ipv4.Destination = n.Ipv4.Destination, n.Ipv4.Source
	return r
}

// Ecn is the two ECN bits of the IP header.
func (n *Network) Ecn() uint8 {
	if n.HasIpv6 {
		return n.Ipv6.Ecn
	}
	return n.Ipv4.Ecn
}
