package frame_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"metaroce/golden/frame"
	"metaroce/golden/wire"
)

// faults spoils a completed frame, one way each, in the order of the checks (spec: rx.check). Some are of IPv4 or IPv6
// only.
var faults = []struct {
	name   string
	reject frame.Reject
	family int // 4, 6 or 0 for both
	spoil  func(*frame.Data)
}{
	{"ethertype", frame.NotOurs, 0, func(d *frame.Data) { *ethertype(d) = 0x0806 }},
	{"tag behind a tag", frame.NotOurs, 0, func(d *frame.Data) { d.HasVlan, d.Ethernet.Ethertype, d.Vlan.Ethertype = true, 0x8100, 0x8100 }},
	{"version 4", frame.NotOurs, 4, func(d *frame.Data) { d.Ipv4.Version = 5 }},
	{"options", frame.NotOurs, 4, func(d *frame.Data) { d.Ipv4.HeaderWords = 6 }},
	{"more fragments", frame.NotOurs, 4, func(d *frame.Data) { d.Ipv4.Flags |= 1 }},
	{"fragment offset", frame.NotOurs, 4, func(d *frame.Data) { d.Ipv4.FragmentOffset = 1 }},
	{"protocol", frame.NotOurs, 4, func(d *frame.Data) { d.Ipv4.Protocol = 6 }},
	{"version 6", frame.NotOurs, 6, func(d *frame.Data) { d.Ipv6.Version = 4 }},
	{"next header", frame.NotOurs, 6, func(d *frame.Data) { d.Ipv6.NextHeader = 0 }},
	{"port", frame.NotOurs, 0, func(d *frame.Data) { d.Udp.DestinationPort = 4791 }},
	{"total length", frame.LengthError, 4, func(d *frame.Data) { d.Ipv4.TotalLength++ }},
	{"ip payload length", frame.LengthError, 6, func(d *frame.Data) { d.Ipv6.PayloadLength-- }},
	{"udp length", frame.LengthError, 0, func(d *frame.Data) { d.Udp.Length++ }},
	{"checksum", frame.ChecksumError, 4, func(d *frame.Data) { d.Ipv4.Checksum++ }},
	{"crc", frame.CrcError, 0, func(d *frame.Data) { d.CrcError = 1 << 17 }},
	{"wire version", frame.Malformed, 0, func(d *frame.Data) { d.Base.Version = 2 }},
	{"type", frame.Malformed, 0, func(d *frame.Data) { d.Base.Type = wire.PacketTypeAck }},
	{"opcode 0", frame.Malformed, 0, func(d *frame.Data) { d.Base.Opcode = 0 }},
	{"read", frame.Malformed, 0, func(d *frame.Data) { d.Base.Opcode = wire.OpcodeReadRequest }},
	{"payload too long", frame.Malformed, 0, func(d *frame.Data) { d.Data.PayloadLength++ }},
	{"payload wraps", frame.Malformed, 0, func(d *frame.Data) { d.Data.PayloadLength -= 100 }},
	{"behind the message", frame.Malformed, 0, func(d *frame.Data) { d.Data.Offset = d.Data.MessageLength }},
	{"offset wraps", frame.Malformed, 0, func(d *frame.Data) { d.Data.Offset = 0xFFFFFFFF }},
}

func ethertype(d *frame.Data) *uint16 {
	if d.HasVlan {
		return &d.Vlan.Ethertype
	}
	return &d.Ethernet.Ethertype
}

func TestEachFault(t *testing.T) {
	for variant := range 4 {
		for _, fault := range faults {
			d := example(variant&1 != 0, variant&2 != 0, 10)
			if family := 4 + variant&2; fault.family != 0 && fault.family != family {
				continue
			}
			d.Complete()
			fault.spoil(&d)
			var got frame.Data
			if r := frame.Receive(d.Append(nil), &got); r != fault.reject {
				t.Errorf("variant %d, %s: reject %d, want %d", variant, fault.name, r, fault.reject)
			}
		}
	}
}

// Of several faults the one that is checked first counts. A changed IPv4 field spoils the checksum besides; a right CRC
// covers whatever the profile's headers hold.
func TestFirstFaultCounts(t *testing.T) {
	for variant := range 4 {
		for i, first := range faults {
			for _, second := range faults[i+1:] {
				family := 4 + variant&2
				if first.family != 0 && first.family != family || second.family != 0 && second.family != family {
					continue
				}
				d := example(variant&1 != 0, variant&2 != 0, 10)
				d.Complete()
				second.spoil(&d)
				first.spoil(&d)
				var got frame.Data
				name := fmt.Sprintf("variant %d: %s and %s", variant, first.name, second.name)
				if r := frame.Receive(d.Append(nil), &got); r != min(first.reject, second.reject) {
					t.Errorf("%s: reject %d, want %d", name, r, min(first.reject, second.reject))
				}
			}
		}
	}
}

// A frame that ends inside the UDP header may have lengths that fit: bytes beyond its end read as 0. It has no CRC.
func TestFrameEndsInTheUdpHeader(t *testing.T) {
	d := example(false, false, 0)
	d.Complete()
	d.Ipv4.TotalLength, d.Udp.Length = 26, 6
	d.Ipv4.Checksum = frame.Ipv4Checksum(d.Ipv4)
	var got frame.Data
	if r := frame.Receive(d.Append(nil)[:40], &got); r != frame.CrcError {
		t.Errorf("reject %d, want %d", r, frame.CrcError)
	}
}

// No bytes whatever make the check panic, and a single flipped bit behind the UDP header is always seen.
func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var got frame.Data
	for range 20000 {
		d := example(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(200))
		b := d.Encode()
		at := r.IntN(len(b))
		b[at] ^= 1 << r.IntN(8)
		reject := frame.Receive(b, &got)
		if reject == frame.Accepted && at >= d.Len() {
			t.Fatalf("a flipped bit in byte %d of %d is not seen", at, len(b))
		}
		for range r.IntN(30) {
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		frame.Receive(b[:r.IntN(len(b))], &got)
	}
}

func FuzzReceive(f *testing.F) {
	for variant := range 4 {
		d := example(variant&1 != 0, variant&2 != 0, 5)
		f.Add(d.Encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var d frame.Data
		if frame.Receive(b, &d) != frame.Accepted {
			return
		}
		// What is accepted says how long it is: building it again gives as many bytes.
		if n := len(d.Append(nil)); n != len(b) {
			t.Errorf("accepted %d bytes, built again %d", len(b), n)
		}
	})
}
