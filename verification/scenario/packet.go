package scenario

import (
	"github.com/goccy/go-yaml/ast"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
	"metaroce/verification/stimulus"
)

// packetKey reads one key of a packet: so many bits into its place.
type packetKey struct {
	bits int
	set  func(p *stimulus.Packet, v uint64)
}

// packetKeys are the keys of a DATA packet in a scenario: the headers' fields under their names in the spec, and what
// is around them. Keys left out are 0, but for ecn (2: capable) and payload_length (message_length, at most the MTU).
var packetKeys = map[string]packetKey{
	"ipv6":           {1, func(p *stimulus.Packet, v uint64) { p.IPv6 = v != 0 }},
	"vlan":           {1, func(p *stimulus.Packet, v uint64) { p.VLAN = v != 0 }},
	"ecn":            {2, func(p *stimulus.Packet, v uint64) { p.Ecn = uint8(v) }},
	"source_port":    {16, func(p *stimulus.Packet, v uint64) { p.SourcePort = uint16(v) }},
	"payload_seed":   {64, func(p *stimulus.Packet, v uint64) { p.Seed = v }},
	"flags":          {8, func(p *stimulus.Packet, v uint64) { p.Base.Flags = wire.BaseFlag(v) }},
	"path":           {12, func(p *stimulus.Packet, v uint64) { p.Base.Path = uint16(v) }},
	"epoch":          {4, func(p *stimulus.Packet, v uint64) { p.Base.Epoch = uint8(v) }},
	"connection":     {24, func(p *stimulus.Packet, v uint64) { p.Base.Connection = uint32(v) }},
	"psn":            {32, func(p *stimulus.Packet, v uint64) { p.Base.Psn = uint32(v) }},
	"stamp":          {32, func(p *stimulus.Packet, v uint64) { p.Base.Stamp = uint32(v) }},
	"stream":         {16, func(p *stimulus.Packet, v uint64) { p.Data.Stream = uint16(v) }},
	"payload_length": {16, func(p *stimulus.Packet, v uint64) { p.Data.PayloadLength = uint16(v) }},
	"message":        {32, func(p *stimulus.Packet, v uint64) { p.Data.Message = uint32(v) }},
	"message_length": {32, func(p *stimulus.Packet, v uint64) { p.Data.MessageLength = uint32(v) }},
	"offset":         {32, func(p *stimulus.Packet, v uint64) { p.Data.Offset = uint32(v) }},
	"address":        {64, func(p *stimulus.Packet, v uint64) { p.Data.Address = v }},
	"key":            {32, func(p *stimulus.Packet, v uint64) { p.Data.Key = uint32(v) }},
	"immediate":      {32, func(p *stimulus.Packet, v uint64) { p.Data.Immediate = uint32(v) }},
}

// packet reads a DATA packet and encodes it as a frame with right lengths, checksum and CRC.
func (r *reader) packet(n ast.Node) ([]byte, error) {
	entries, err := r.mapping(n, "packet")
	if err != nil {
		return nil, err
	}
	p := &stimulus.Packet{Ecn: 2}
	p.Base.Version, p.Base.Type, p.Base.Opcode = profile.WireVersion, wire.PacketTypeData, wire.OpcodeWrite
	given := false
	for _, e := range entries {
		key, known := packetKeys[e.key]
		switch {
		case e.key == "opcode":
			v, err := r.value(&event.Field{Name: "opcode", Bits: 8, Enum: "opcode"}, e.value)
			if err != nil {
				return nil, err
			}
			p.Base.Opcode = wire.Opcode(v.Uint64())
		case known:
			v, err := r.number(e.value, e.key, key.bits)
			if err != nil {
				return nil, err
			}
			key.set(p, v.Uint64())
			given = given || e.key == "payload_length"
		default:
			return nil, r.fault(e.name, "unknown key %q of a packet", e.key)
		}
	}
	if !given {
		p.Data.PayloadLength = uint16(min(p.Data.MessageLength-min(p.Data.Offset, p.Data.MessageLength), profile.MtuBytes))
	}
	return p.Frame(), nil
}
