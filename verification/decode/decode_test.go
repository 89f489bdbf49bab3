package decode

import (
	"bytes"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/stretchr/testify/require"

	"metaroce/golden/wire"
)

// ack is an ACK frame put together by hand: IPv4, UDP port 49200, headers by the generated codec.
func ack(t testing.TB, trailer []byte) []byte {
	t.Helper()
	body := wire.Base{Version: 1, Type: wire.PacketTypeAck, Path: 3, Epoch: 2, Connection: 0x010203, Psn: 0xFFFFFFFF, Stamp: 7}.Append(nil)
	body = wire.Ack{Trigger: 9, Hold: 5, SackOffset: 0xFFFF, Flags: wire.AckFlagDuplicateSeen, Vector: [4]uint64{1, 0, 0, 1 << 63}}.Append(body)
	if trailer == nil {
		sum := crc32.ChecksumIEEE(body)
		trailer = []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)}
	}
	return udp(append(body, trailer...))
}

func udp(body []byte) []byte {
	n := len(body)
	f := []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0}
	f = append(f, 0x45, 0, byte((n+28)>>8), byte(n+28), 0, 0, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2)
	f = append(f, 0xC3, 0x50, 0xC0, 0x30, byte((n+8)>>8), byte(n+8), 0, 0)
	return append(f, body...)
}

func value(t testing.TB, f *Frame, name string) string {
	t.Helper()
	for _, v := range f.Fields {
		if v.Header+"."+v.Name == name {
			return v.Value
		}
	}
	require.Fail(t, "no field "+name)
	return ""
}

func TestAnAckIsDecoded(t *testing.T) {
	f := NewDecoder().Decode(append(ack(t, nil), make([]byte, 9)...)) // Ethernet padding behind it
	require.NoError(t, f.Err)
	require.Equal(t, "ethernet ipv4 udp base ack trailer", strings.Join(f.Headers, " "))
	require.True(t, f.Meta.CrcOK())
	for name, want := range map[string]string{
		"ethernet.destination": "02:00:00:00:00:01", "ipv4.source": "10.0.0.1", "udp.destination_port": "49200",
		"base.type": "ACK", "base.connection": "66051", "base.psn": "4294967295", "ack.sack_offset": "65535",
		"ack.vector": "0x8000000000000000" + strings.Repeat("0", 47) + "1", "trailer.crc_ok": "1",
	} {
		require.Equal(t, want, value(t, f, name), name)
	}
}

// Every field of the generated headers is shown, in transmission order.
func TestNoFieldIsLeftOut(t *testing.T) {
	f := NewDecoder().Decode(ack(t, nil))
	var names []string
	for _, v := range f.Fields {
		if v.Header == "ack" {
			names = append(names, v.Name)
		}
	}
	require.Equal(t, "trigger hold sack_offset flags credit received ce_marked hint hint_sequence vector", strings.Join(names, " "))
}

func TestAWrongCrcIsShown(t *testing.T) {
	f := NewDecoder().Decode(ack(t, []byte{1, 2, 3, 4}))
	require.NoError(t, f.Err)
	require.False(t, f.Meta.CrcOK())
	require.Equal(t, "0", value(t, f, "trailer.crc_ok"))
	require.Equal(t, "0x04030201", value(t, f, "trailer.crc"))
}

func TestTheLayerWorksInsideGopacket(t *testing.T) {
	p := gopacket.NewPacket(ack(t, nil), layers.LayerTypeEthernet, gopacket.Default)
	require.Nil(t, p.ErrorLayer())
	m, ok := p.Layer(LayerTypeMetaRoCE).(*MetaRoCE)
	require.True(t, ok)
	require.Equal(t, uint32(9), m.Ack.Trigger)
	require.Equal(t, "MetaRoCE", m.LayerType().String())
}

// Every prefix of a frame decodes as far as it goes, without a panic, and is never taken for the whole.
func TestEveryPrefix(t *testing.T) {
	whole := ack(t, nil)
	d := NewDecoder()
	for n := range whole {
		f := d.Decode(whole[:n])
		if f.Meta != nil && f.Err == nil {
			require.False(t, f.Meta.CrcOK(), "%d bytes", n)
		}
	}
	short := udp(make([]byte, 15))
	require.ErrorContains(t, d.Decode(short).Err, "base header: 15 bytes, want 16")
	ackOnly := udp(append(wire.Base{Type: wire.PacketTypeAck}.Append(nil), 1, 2))
	require.ErrorContains(t, d.Decode(ackOnly).Err, "ack header")
	probe := udp(append(wire.Base{Type: wire.PacketTypeProbe}.Append(nil), 1, 2))
	require.ErrorContains(t, d.Decode(probe).Err, "trailer header")
}

func TestOtherFramesAreNotOurs(t *testing.T) {
	f := NewDecoder().Decode([]byte("\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x08\x06arp"))
	require.NoError(t, f.Err)
	require.Nil(t, f.Meta)
	require.Equal(t, "arp", string(f.Payload))
	other := ack(t, nil)
	other[36], other[37] = 0x12, 0xB7 // RoCEv2's port
	require.Nil(t, NewDecoder().Decode(other).Meta)
}

func FuzzDecode(f *testing.F) {
	f.Add(ack(f, nil))
	f.Add(udp(append(wire.Base{Type: wire.PacketTypeData}.Append(nil), bytes.Repeat([]byte{1}, 60)...)))
	d := NewDecoder()
	f.Fuzz(func(t *testing.T, b []byte) {
		if v := d.Decode(b); len(v.Payload) > len(b) {
			t.Fatal("more payload than frame")
		}
	})
}
