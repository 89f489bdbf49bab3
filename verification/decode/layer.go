// Package decode decodes MetaRoCE frames: a gopacket layer for the transport headers, and every header's fields as
// named values in transmission order.
package decode

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"metaroce/golden/wire"
)

// MetaRoCE is one UDP payload of the profile. The zero value is ready to decode into.
type MetaRoCE struct {
	layers.BaseLayer // Contents: headers; Payload: the message's bytes, without the CRC
	Base             wire.Base
	Data             wire.Data // where Base.Type is DATA
	Ack              wire.Ack  // where Base.Type is ACK
	Crc              uint32    // as sent
	CrcDue           uint32    // of the bytes before it (spec: rx.check)
}

// LayerType is LayerTypeMetaRoCE.
func (m *MetaRoCE) LayerType() gopacket.LayerType { return LayerTypeMetaRoCE }

// CanDecode is LayerTypeMetaRoCE.
func (m *MetaRoCE) CanDecode() gopacket.LayerClass { return LayerTypeMetaRoCE }

// NextLayerType says that the rest is a message's bytes.
func (m *MetaRoCE) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// CrcOK tells whether the CRC is that of the bytes before it.
func (m *MetaRoCE) CrcOK() bool { return m.Crc == m.CrcDue }

// DecodeFromBytes decodes a whole UDP payload. Types other than DATA and ACK have no header behind the base header.
// Errors name the header that does not fit.
func (m *MetaRoCE) DecodeFromBytes(b []byte, feedback gopacket.DecodeFeedback) error {
	base, at, err := wire.ParseBase(b)
	if err != nil {
		return short(feedback, err)
	}
	m.Base = base
	switch base.Type {
	case wire.PacketTypeData:
		var n int
		if m.Data, n, err = wire.ParseData(b[at:]); err != nil {
			return short(feedback, err)
		}
		at += n
	case wire.PacketTypeAck:
		var n int
		if m.Ack, n, err = wire.ParseAck(b[at:]); err != nil {
			return short(feedback, err)
		}
		at += n
	}
	end := len(b) - wire.TrailerBytes
	if end < at {
		return short(feedback, &wire.ShortError{Header: "trailer", Want: wire.TrailerBytes, Got: len(b) - at})
	}
	m.BaseLayer = layers.BaseLayer{Contents: b[:at], Payload: b[at:end]}
	m.Crc, m.CrcDue = binary.LittleEndian.Uint32(b[end:]), crc32.ChecksumIEEE(b[:end])
	return nil
}

func short(feedback gopacket.DecodeFeedback, err error) error {
	feedback.SetTruncated()
	return fmt.Errorf("MetaRoCE: %w", err)
}

func decodeMetaRoCE(b []byte, p gopacket.PacketBuilder) error {
	m := &MetaRoCE{}
	if err := m.DecodeFromBytes(b, p); err != nil {
		return err
	}
	p.AddLayer(m)
	return p.NextDecoder(m.NextLayerType())
}
