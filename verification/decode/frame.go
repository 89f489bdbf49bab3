package decode

import (
	"fmt"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"metaroce/golden/wire"
)

// Decoder decodes Ethernet frames, one at a time, into memory that it keeps.
type Decoder struct {
	parser   *gopacket.DecodingLayerParser
	ethernet layers.Ethernet
	vlan     layers.Dot1Q
	ipv4     layers.IPv4
	ipv6     layers.IPv6
	udp      layers.UDP
	meta     MetaRoCE
	payload  gopacket.Payload
	found    []gopacket.LayerType
	frame    Frame
}

// Frame is a decoded frame. It is valid until the decoder's next call.
type Frame struct {
	Headers []string // "ethernet", "ipv4", ...
	Fields  []Field
	Meta    *MetaRoCE // nil: none of the profile's packets
	Payload []byte    // what the last header carries
	Err     error     // why decoding stopped early, or nil
}

var plans = map[string]plan{
	"ethernet": newPlan("ethernet", wire.Ethernet{}), "vlan": newPlan("vlan", wire.Vlan{}),
	"ipv4": newPlan("ipv4", wire.Ipv4{}), "ipv6": newPlan("ipv6", wire.Ipv6{}), "udp": newPlan("udp", wire.Udp{}),
	"base": newPlan("base", wire.Base{}), "data": newPlan("data", wire.Data{}), "ack": newPlan("ack", wire.Ack{}),
}

// NewDecoder returns a decoder.
func NewDecoder() *Decoder {
	d := &Decoder{}
	d.parser = gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet,
		&d.ethernet, &d.vlan, &d.ipv4, &d.ipv6, &d.udp, &d.meta, &d.payload)
	d.parser.IgnoreUnsupported = true
	return d
}

// Decode decodes one Ethernet frame as far as it goes.
func (d *Decoder) Decode(b []byte) *Frame {
	f := &d.frame
	*f = Frame{Headers: f.Headers[:0], Fields: f.Fields[:0]}
	f.Err = d.parser.DecodeLayers(b, &d.found)
	rest := b
	for _, t := range d.found {
		rest = d.take(f, t, rest)
	}
	f.Payload = rest
	return f
}

// take appends the fields of one layer and returns what it carries.
func (d *Decoder) take(f *Frame, t gopacket.LayerType, rest []byte) []byte {
	switch t {
	case layers.LayerTypeEthernet:
		h, _, err := wire.ParseEthernet(d.ethernet.Contents)
		d.header(f, "ethernet", h, err)
		return d.ethernet.Payload
	case layers.LayerTypeDot1Q:
		h, _, err := wire.ParseVlan(d.vlan.Contents)
		d.header(f, "vlan", h, err)
		return d.vlan.Payload
	case layers.LayerTypeIPv4:
		h, _, err := wire.ParseIpv4(d.ipv4.Contents)
		d.header(f, "ipv4", h, err)
		return d.ipv4.Payload
	case layers.LayerTypeIPv6:
		h, _, err := wire.ParseIpv6(d.ipv6.Contents)
		d.header(f, "ipv6", h, err)
		return d.ipv6.Payload
	case layers.LayerTypeUDP:
		h, _, err := wire.ParseUdp(d.udp.Contents)
		d.header(f, "udp", h, err)
		return d.udp.Payload
	case LayerTypeMetaRoCE:
		d.transport(f)
		return d.meta.Payload
	}
	return rest
}

func (d *Decoder) header(f *Frame, name string, header any, err error) {
	f.Headers = append(f.Headers, name)
	if err != nil {
		f.Err = err
		return
	}
	f.Fields = plans[name].append(f.Fields, header)
}

func (d *Decoder) transport(f *Frame) {
	f.Meta = &d.meta
	d.header(f, "base", d.meta.Base, nil)
	switch d.meta.Base.Type {
	case wire.PacketTypeData:
		d.header(f, "data", d.meta.Data, nil)
	case wire.PacketTypeAck:
		d.header(f, "ack", d.meta.Ack, nil)
	}
	ok := "1"
	if !d.meta.CrcOK() {
		ok = "0"
	}
	f.Headers = append(f.Headers, "trailer")
	f.Fields = append(f.Fields,
		Field{Header: "trailer", Name: "crc", Value: fmt.Sprintf("0x%08x", d.meta.Crc)},
		Field{Header: "trailer", Name: "crc_ok", Value: ok, Number: true})
}
