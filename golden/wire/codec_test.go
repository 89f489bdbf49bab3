package wire

import (
	"bytes"
	"errors"
	"testing"
)

// codec is one header's generated functions.
type codec struct {
	name  string
	bytes int
	// recode parses b, and returns the encoding of what was read behind a prefix, its Len, and how many bytes were read.
	recode func(prefix, b []byte) (out []byte, length, n int, err error)
}

// header is what every generated header has.
type header interface {
	Len() int
	Append([]byte) []byte
}

func codecOf[H header](name string, bytes int, parse func([]byte) (H, int, error)) codec {
	return codec{name, bytes, func(prefix, b []byte) ([]byte, int, int, error) {
		h, n, err := parse(b)
		return h.Append(prefix), h.Len(), n, err
	}}
}

var codecs = []codec{
	codecOf("ethernet", EthernetBytes, ParseEthernet), codecOf("vlan", VlanBytes, ParseVlan), codecOf("ipv4", Ipv4Bytes, ParseIpv4),
	codecOf("ipv6", Ipv6Bytes, ParseIpv6), codecOf("udp", UdpBytes, ParseUdp), codecOf("base", BaseBytes, ParseBase),
	codecOf("data", DataBytes, ParseData), codecOf("ack", AckBytes, ParseAck), codecOf("trailer", TrailerBytes, ParseTrailer),
}

// FuzzCodecs: every header reads any bytes of its length and writes the same bytes again, Len agrees with Append, what is
// behind the header is not looked at, and every proper prefix is a ShortError that says what is missing.
func FuzzCodecs(f *testing.F) {
	f.Add(make([]byte, 56))
	f.Add(bytes.Repeat([]byte{0xff}, 57))
	f.Add([]byte("\x12\x34\x56\x78\x9a\xbc\xde\xf0\x0f\xed\xcb\xa9\x87\x65\x43\x21 and more that is behind the shorter headers"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range codecs {
			c.check(t, data)
		}
	})
}

func (c *codec) check(t *testing.T, data []byte) {
	t.Helper()
	prefix := []byte{1, 2, 3}
	out, length, n, err := c.recode(prefix, data)
	if len(data) < c.bytes {
		c.checkShort(t, data, n, err)
		return
	}
	if err != nil || n != c.bytes || length != c.bytes {
		t.Fatalf("%s: n %d, Len %d, error %v; want %d bytes", c.name, n, length, err, c.bytes)
	}
	if want := append([]byte{1, 2, 3}, data[:c.bytes]...); !bytes.Equal(out, want) {
		t.Fatalf("%s: read and written again:\n%x\nwant\n%x", c.name, out, want)
	}
	for cut := range c.bytes {
		_, _, n, err := c.recode(nil, data[:cut])
		c.checkShort(t, data[:cut], n, err)
	}
}

// checkShort demands the error of a header that is cut.
func (c *codec) checkShort(t *testing.T, data []byte, n int, err error) {
	t.Helper()
	var short *ShortError
	if !errors.As(err, &short) || n != 0 || short.Header != c.name || short.Want != c.bytes || short.Got != len(data) {
		t.Fatalf("%s of %d bytes: n %d, error %v", c.name, len(data), n, err)
	}
}

// TestSpareBitsAreNotSent: a value wider than its field does not reach its neighbours.
func TestSpareBitsAreNotSent(t *testing.T) {
	wide := Base{Version: 0xff, Type: 0xff, Path: 0xffff, Epoch: 0xff, Connection: 0xffffffff}
	want := Base{Version: 0xf, Type: 0xf, Path: 0xfff, Epoch: 0xf, Connection: 0xffffff}
	if got, want := wide.Append(nil), want.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
	for _, field := range []Base{{Version: 0xf0}, {Type: 0xf0}, {Path: 0xf000}, {Epoch: 0xf0}, {Connection: 0xff000000}} {
		if got := field.Append(nil); !bytes.Equal(got, make([]byte, BaseBytes)) {
			t.Errorf("%+v is sent as %x", field, got)
		}
	}
}

func TestNamesOfValues(t *testing.T) {
	for _, c := range []struct {
		value interface{ String() string }
		want  string
	}{
		{PacketTypeAck, "ACK"}, {PacketType(9), "packet_type(9)"}, {OpcodeWriteImm, "WRITE_IMM"}, {BaseFlag(0), "0"},
		{BaseFlagFirst | BaseFlagTail, "FIRST|TAIL"}, {BaseFlag(0x81), "FIRST|0x80"},
		{AckFlagRefused | AckFlag(RefuseReasonStream)<<8, "REFUSED|0x200"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
