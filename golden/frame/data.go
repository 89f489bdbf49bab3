package frame

import (
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// dataOverhead is the bytes of a DATA frame's UDP payload besides the payload: 52.
const dataOverhead = wire.BaseBytes + wire.DataBytes + wire.TrailerBytes

// Data is a DATA frame. To build one, set the fields of interest, call Complete, spoil what is to be wrong, call Append.
type Data struct {
	Network
	Base    wire.Base
	Data    wire.Data
	Payload []byte
	// CrcError is bits to turn over in the CRC; 0 gives a right one. Receive leaves it 0.
	CrcError uint32
}

// Complete sets every field that follows from the others: those of Network.Complete, the version and type of the base
// header, and the payload length.
func (d *Data) Complete() {
	d.Base.Version, d.Base.Type = profile.WireVersion, wire.PacketTypeData
	d.Data.PayloadLength = uint16(len(d.Payload))
	d.Network.Complete(dataOverhead + len(d.Payload))
}

// Append adds the frame with its fields as they are, and the CRC over what they are.
func (d *Data) Append(dst []byte) []byte {
	dst = d.Network.Append(dst)
	from := len(dst)
	dst = d.Base.Append(dst)
	dst = d.Data.Append(dst)
	dst = append(dst, d.Payload...)
	return appendCrc(dst, dst[from:], d.CrcError)
}

// Encode is Append of a completed copy.
func (d Data) Encode() []byte {
	d.Complete()
	return d.Append(nil)
}

// Beats is the number of beats of the payload.
func (d *Data) Beats() int { return beats(len(d.Payload)) }
