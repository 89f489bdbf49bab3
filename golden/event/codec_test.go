package event

import (
	"bytes"
	"errors"
	"testing"
)

// codec is one port's generated functions.
type codec struct {
	unit, port string
	bytes      int
	// recode parses b, and returns the encoding of what was read behind a prefix, and its Len.
	recode func(prefix, b []byte) (out []byte, length int, err error)
}

// record is what every generated beat has.
type record interface {
	Len() int
	Append([]byte) []byte
}

func codecOf[R record](unit, port string, bytes int, parse func([]byte) (R, error)) codec {
	return codec{unit, port, bytes, func(prefix, b []byte) ([]byte, int, error) {
		r, err := parse(b)
		return r.Append(prefix), r.Len(), err
	}}
}

var codecs = []codec{
	codecOf("sack", "s_req", SackReqBytes, ParseSackReq), codecOf("sack", "m_rsp", SackRspBytes, ParseSackRsp),
	codecOf("sack", "dbg_update", SackDbgUpdateBytes, ParseSackDbgUpdate),
	codecOf("rob", "s_req", RobReqBytes, ParseRobReq), codecOf("rob", "m_rsp", RobRspBytes, ParseRobRsp),
	codecOf("rob", "m_cqe", RobCqeBytes, ParseRobCqe), codecOf("rob", "dbg_update", RobDbgUpdateBytes, ParseRobDbgUpdate),
	codecOf("rob", "dbg_floor", RobDbgFloorBytes, ParseRobDbgFloor),
	codecOf("rate", "s_req", RateReqBytes, ParseRateReq), codecOf("rate", "m_rsp", RateRspBytes, ParseRateRsp),
	codecOf("rate", "dbg_update", RateDbgUpdateBytes, ParseRateDbgUpdate),
	codecOf("rx", "s_axis", RxAxisInBytes, ParseRxAxisIn), codecOf("rx", "s_cfg", RxCfgBytes, ParseRxCfg),
	codecOf("rx", "m_place", RxPlaceBytes, ParseRxPlace), codecOf("rx", "m_payload", RxPayloadBytes, ParseRxPayload),
	codecOf("rx", "m_cqe", RxCqeBytes, ParseRxCqe), codecOf("rx", "m_axis", RxAxisOutBytes, ParseRxAxisOut),
	codecOf("rx", "dbg_update", RxDbgUpdateBytes, ParseRxDbgUpdate),
}

// port is the description of the codec's port.
func (c *codec) describe(t *testing.T) *Port {
	t.Helper()
	u, ok := UnitByName(c.unit)
	if !ok {
		t.Fatalf("no unit %s", c.unit)
	}
	p, ok := u.PortByName(c.port)
	if !ok || p.Bytes != c.bytes {
		t.Fatalf("unit %s: port %s: %+v, want %d bytes", c.unit, c.port, p, c.bytes)
	}
	return p
}

// TestEveryPortHasACodec: the table above misses none, and ids are places.
func TestEveryPortHasACodec(t *testing.T) {
	n := 0
	for _, u := range Units {
		for i, p := range u.Ports {
			n++
			if int(p.ID) != i {
				t.Errorf("port %s of unit %s has id %d at place %d", p.Name, u.Name, p.ID, i)
			}
		}
	}
	if n != len(codecs) {
		t.Errorf("%d ports, %d codecs", n, len(codecs))
	}
}

// FuzzCodecs: a beat of the right length without spare bits is read and written again unchanged and Len agrees; with a
// spare bit it is a WidthError; any other length, so every proper prefix, is a LengthError.
func FuzzCodecs(f *testing.F) {
	f.Add(make([]byte, 80))
	f.Add(bytes.Repeat([]byte{0xff}, 80))
	f.Add([]byte("\x01\x34\x56\x78\x9a\x0c\xde\xf0\x0f\xed\xcb\x01\x00\x01\x43\x21 and more that is behind the shorter beats, up to 80 bytes"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for i := range codecs {
			codecs[i].check(t, data)
		}
	})
}

func (c *codec) check(t *testing.T, data []byte) {
	t.Helper()
	c.checkLength(t, data)
	if len(data) < c.bytes {
		return
	}
	beat := bytes.Clone(data[:c.bytes])
	for _, f := range c.describe(t).Fields {
		if spare := f.Bits % 8; spare != 0 {
			beat[f.Offset+f.Bytes-1] &= 1<<spare - 1
		}
	}
	out, length, err := c.recode([]byte{7}, beat)
	if err != nil || length != c.bytes || !bytes.Equal(out, append([]byte{7}, beat...)) {
		t.Fatalf("%s.%s: Len %d, error %v:\n%x\nwant\n07%x", c.unit, c.port, length, err, out, beat)
	}
	for cut := range beat {
		c.checkLength(t, beat[:cut])
	}
	c.checkWidths(t, beat)
}

// checkLength demands a LengthError unless the length is right.
func (c *codec) checkLength(t *testing.T, data []byte) {
	t.Helper()
	var wrong *LengthError
	if _, _, err := c.recode(nil, data); errors.As(err, &wrong) != (len(data) != c.bytes) {
		t.Fatalf("%s.%s of %d bytes: error %v", c.unit, c.port, len(data), err)
	} else if wrong != nil && (wrong.Want != c.bytes || wrong.Got != len(data) || wrong.Beat != c.unit+"."+c.port) {
		t.Fatalf("%s.%s of %d bytes: error %v", c.unit, c.port, len(data), err)
	}
}

// checkWidths sets each spare bit of each field and demands the error that names the field.
func (c *codec) checkWidths(t *testing.T, beat []byte) {
	t.Helper()
	for _, f := range c.describe(t).Fields {
		for bit := f.Bits; bit < 8*f.Bytes; bit++ {
			spoilt := bytes.Clone(beat)
			spoilt[f.Offset+bit/8] |= 1 << (bit % 8)
			var wide *WidthError
			if _, _, err := c.recode(nil, spoilt); !errors.As(err, &wide) || wide.Field != f.Name || wide.Bits != f.Bits {
				t.Fatalf("%s.%s: bit %d of %s set: error %v", c.unit, c.port, bit, f.Name, err)
			}
		}
	}
}

// TestFieldValue: a description reads the value that the codec wrote.
func TestFieldValue(t *testing.T) {
	r := RateRsp{Connection: 0xabcdef, Status: RateStatusClosed, Departure: 1<<58 - 2, PathAlpha: 0x1234}
	u, _ := UnitByName("rate")
	p, _ := u.PortByName("m_rsp")
	for name, want := range map[string]uint64{
		"connection": 0xabcdef, "status": uint64(RateStatusClosed), "departure": 1<<58 - 2, "path_alpha": 0x1234, "path": 0,
	} {
		f, ok := p.FieldByName(name)
		if !ok || f.Value(r.Append(nil)) != want {
			t.Errorf("field %s is not %#x", name, want)
		}
	}
	if got := EnumName("rate_status", 4); got != "CLOSED" {
		t.Errorf("rate_status 4 is %q", got)
	}
	if got := EnumName("opcode", 3); got != "SEND" {
		t.Errorf("opcode 3 is %q", got)
	}
	if got := EnumName("nothing", 3); got != "3" {
		t.Errorf("without an enum 3 is %q", got)
	}
}
