package frame_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/wire"
)

// example is a DATA frame with every field set; the variant is one of the four kinds of addressing.
func example(vlan, ipv6 bool, payload int) frame.Data {
	d := frame.Data{
		Base: wire.Base{
			Flags: wire.BaseFlagFirst | wire.BaseFlagTail, Path: 0x345, Epoch: 0x6, Connection: 0x789ABC, Opcode: wire.OpcodeSendImm,
			Psn: 0xDEADBEEF, Stamp: 0x01020304,
		},
		Data: wire.Data{
			Stream: 0x1122, Message: 0x33445566, MessageLength: 0x10000, Offset: 0x8000,
			Address: 0x1020304050607080, Key: 0xA1A2A3A4, Immediate: 0xB1B2B3B4,
		},
	}
	d.HasVlan, d.HasIpv6 = vlan, ipv6
	d.Ethernet.Destination, d.Ethernet.Source = 0x0200000000AA, 0x0200000000BB
	d.Vlan.TagControl = 0x6007
	d.Ipv4.Source, d.Ipv4.Destination, d.Ipv4.Ttl, d.Ipv4.Ecn, d.Ipv4.Dscp = 0xC0000201, 0xC6336402, 61, 3, 10
	d.Ipv6.Source, d.Ipv6.Destination = [16]byte{0x20, 0x01, 15: 1}, [16]byte{0x20, 0x01, 15: 2}
	d.Ipv6.HopLimit, d.Ipv6.Ecn, d.Ipv6.Dscp = 61, 3, 10
	d.Udp.SourcePort = 0xC001
	for i := range payload {
		d.Payload = append(d.Payload, byte(i*7+1))
	}
	return d
}

// The bytes of a frame over IPv4, written down from the layouts by hand. Only the checksums are not: they have their own
// tests.
func TestDataBytes(t *testing.T) {
	d := example(true, false, 2)
	got := d.Encode()
	want := "" +
		"0200000000aa 0200000000bb 8100 6007 0800" + // Ethernet, VLAN
		"45 2b 0052 0000 0000 3d 11 ???? c0000201 c6336402" + // IPv4: 20 + 8 + 54 bytes
		"c001 c030 003e 0000" + // UDP
		"11 11 3456 789abc 04 deadbeef 01020304" + // base
		"1122 0002 33445566 00010000 00008000 1020304050607080 a1a2a3a4 b1b2b3b4" + // DATA
		"01 08 ????????"
	compareHex(t, got, want)
}

// compareHex compares bytes with hex digits, in which a question mark stands for any.
func compareHex(t *testing.T, got []byte, want string) {
	t.Helper()
	want = strings.ReplaceAll(want, " ", "")
	have := []byte(hex.EncodeToString(got))
	if len(have) != len(want) {
		t.Fatalf("%d bytes, want %d: %s", len(got), len(want)/2, have)
	}
	for i := range have {
		if want[i] != '?' && have[i] != want[i] {
			t.Fatalf("byte %d: got\n%s, want\n%s", i/2, have, want)
		}
	}
}

// The example of the checksum that is in many textbooks: 45 00 00 73 ... gives 0xB861.
func TestIpv4ChecksumExample(t *testing.T) {
	h := wire.Ipv4{
		Version: 4, HeaderWords: 5, TotalLength: 0x73, Flags: 2, Ttl: 64, Protocol: 17, Checksum: 0x1234,
		Source: 0xC0A80001, Destination: 0xC0A800C7,
	}
	if got := frame.Ipv4Checksum(h); got != 0xB861 {
		t.Errorf("checksum 0x%04x, want 0xb861", got)
	}
}

// bitwiseCrc is the CRC-32 of IEEE 802.3, one bit at a time from its polynomial.
func bitwiseCrc(b []byte) uint32 {
	crc := ^uint32(0)
	for _, v := range b {
		for i := range 8 {
			bit := (crc ^ uint32(v)>>i) & 1
			crc = crc>>1 ^ bit*0xEDB88320
		}
	}
	return ^crc
}

func TestTrailerIsTheCrcOfTheUdpPayload(t *testing.T) {
	if got := bitwiseCrc([]byte("123456789")); got != 0xCBF43926 {
		t.Fatalf("the test's own CRC is wrong: 0x%08x", got)
	}
	d := example(false, true, 33)
	b := d.Encode()
	crc := bitwiseCrc(b[62 : len(b)-4])
	want := []byte{byte(crc), byte(crc >> 8), byte(crc >> 16), byte(crc >> 24)}
	if got := b[len(b)-4:]; !bytes.Equal(got, want) {
		t.Errorf("trailer %x, want %x", got, want)
	}
}

// What is built is accepted, and every field comes back, for each addressing and at the sizes where beats begin and end.
func TestBuiltIsReceived(t *testing.T) {
	for variant := range 4 {
		for _, payload := range []int{0, 1, 15, 16, 31, 32, 63, 64, 65, 1024, 4095, 4096} {
			d := example(variant&1 != 0, variant&2 != 0, payload)
			b := d.Encode()
			var got frame.Data
			if r := frame.Receive(b, &got); r != frame.Accepted {
				t.Fatalf("variant %d payload %d: reject %d", variant, payload, r)
			}
			d.Complete()
			if got.Base != d.Base || got.Data != d.Data || got.Udp != d.Udp || !bytes.Equal(got.Payload, d.Payload) {
				t.Fatalf("variant %d payload %d: got %+v, want %+v", variant, payload, got, d)
			}
			if got.Ethernet != d.Ethernet || got.Ecn() != 3 || got.Len() != []int{42, 46, 62, 66}[variant] {
				t.Fatalf("variant %d: network %+v, want %+v", variant, got.Network, d.Network)
			}
		}
	}
}

func TestPayloadBeyondTheMtuIsMalformed(t *testing.T) {
	d := example(false, false, 4097)
	var got frame.Data
	if r := frame.Receive(d.Encode(), &got); r != frame.Malformed {
		t.Errorf("reject %d, want malformed", r)
	}
}

// A prefix of a frame is never accepted, nor is a frame with bytes behind it, and no bytes at all make the check panic.
func TestPrefixesAndPaddingAreRejected(t *testing.T) {
	for variant := range 4 {
		d := example(variant&1 != 0, variant&2 != 0, 70)
		b := d.Encode()
		var got frame.Data
		for n := range b {
			if r := frame.Receive(b[:n], &got); r == frame.Accepted {
				t.Fatalf("variant %d: the first %d of %d bytes are accepted", variant, n, len(b))
			}
		}
		if r := frame.Receive(append(b, 0), &got); r != frame.LengthError {
			t.Errorf("variant %d: a byte of padding gives reject %d, want length error", variant, r)
		}
	}
}

func TestAckRoundTrip(t *testing.T) {
	for variant := range 4 {
		d := example(variant&1 != 0, variant&2 != 0, 0)
		want := frame.Ack{
			Network: d.Network.Reply(),
			Base:    wire.Base{Path: 0x345, Epoch: 6, Connection: 0xFEDCBA, Psn: 0x11111111, Stamp: 0x22222222},
			Ack: wire.Ack{
				Trigger: 0x33333333, Hold: 0x4444, SackOffset: 0xFFFF, Flags: wire.AckFlagRefused | 0x100, Credit: 5,
				Received: 6, CeMarked: 7, Hint: 8, HintSequence: 9, Vector: [4]uint64{1, 2, 3, 1 << 63},
			},
		}
		want.Complete()
		b := want.Append(nil)
		got, err := frame.ParseAck(b)
		if err != nil || got != want {
			t.Fatalf("variant %d: %+v, %v; want %+v", variant, got, err, want)
		}
		if len(b) != []int{118, 122, 138, 142}[variant] {
			t.Errorf("variant %d: %d bytes", variant, len(b))
		}
		for n := range b {
			if _, err := frame.ParseAck(b[:n]); err == nil {
				t.Fatalf("variant %d: the first %d of %d bytes are an ACK", variant, n, len(b))
			}
		}
		for i := range b { // addresses and priorities may be any; all else is checked or covered by the CRC
			b[i] ^= 0x10
			if _, err := frame.ParseAck(b); err == nil && i >= got.Len() {
				t.Fatalf("variant %d: a flipped bit in byte %d of the UDP payload is not seen", variant, i)
			}
			b[i] ^= 0x10
		}
	}
}

// The reply goes back where the packet came from, with the fields of rule rx.ack.
func TestReplyBytes(t *testing.T) {
	d := example(true, false, 0)
	reply := d.Network.Reply()
	reply.Complete(76)
	compareHex(t, reply.Append(nil), ""+
		"0200000000bb 0200000000aa 8100 6007 0800"+
		"45 c0 0068 0000 4000 40 11 ???? c6336402 c0000201"+ // dscp 48, do not fragment, ttl 64
		"c001 c030 0054 0000")
	d = example(false, true, 0)
	reply = d.Network.Reply()
	reply.Complete(76)
	compareHex(t, reply.Append(nil), ""+
		"0200000000bb 0200000000aa 86dd"+
		"6c000000 0054 11 40 20010000000000000000000000000002 20010000000000000000000000000001"+
		"c001 c030 0054 0000")
}

func TestBeatsAndJoiner(t *testing.T) {
	var j frame.Joiner
	for _, n := range []int{1, 63, 64, 65, 128, 4224} {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i + n)
		}
		beats := frame.Beats(b)
		if len(beats) != (n+63)/64 {
			t.Fatalf("%d bytes: %d beats", n, len(beats))
		}
		var got []byte
		for _, beat := range beats {
			out, err := j.Add(&event.RxAxisOut{Tdata: beat.Tdata, Tkeep: beat.Tkeep, Tlast: beat.Tlast})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, out...)
		}
		if !bytes.Equal(got, b) {
			t.Fatalf("%d bytes come back as %d", n, len(got))
		}
	}
}

func TestJoinerRefusesBadKeep(t *testing.T) {
	for _, beat := range []event.RxAxisOut{
		{Tkeep: 0, Tlast: true}, {Tkeep: 0b101, Tlast: true}, {Tkeep: 0xFF, Tlast: false}, {Tkeep: 2, Tlast: true},
	} {
		var j frame.Joiner
		if _, err := j.Add(&beat); err == nil {
			t.Errorf("tkeep 0x%x, tlast %v is taken", beat.Tkeep, beat.Tlast)
		}
	}
}
