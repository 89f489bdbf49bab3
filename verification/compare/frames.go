package compare

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/wire"
)

// isFrames tells whether a port's beats are compared as whole frames at order level: an AXI-Stream output of packets,
// whose data holds something that the device decides.
func isFrames(port *event.Port) bool { return port.Style == event.Axis && port.Packet != "" }

// assembler joins the beats of one side's frames.
type assembler struct{ frame []byte }

// add takes a beat, up to its highest kept byte. A hole in tkeep, which no frame has, makes the frame longer. With the last beat it returns the frame as a record of that beat's cycle.
func (a *assembler) add(port *event.Port, r engine.Record) (engine.Record, bool) {
	data := fieldBytes(fieldByName(port, "tdata"), r.Beat)
	keep := value(fieldByName(port, "tkeep"), r.Beat)
	a.frame = append(a.frame, data[:min(len(data), bits.Len64(keep))]...)
	if keep&(keep+1) != 0 {
		a.frame = append(a.frame, "hole"...)
	}
	if value(fieldByName(port, "tlast"), r.Beat) == 0 {
		return r, false
	}
	r.Beat = a.frame
	a.frame = nil
	return r, true
}

// Offsets that the frame's own ethertypes decide.
const (
	ethertypeVLAN = 0x8100
	ethertypeIPv6 = 0x86DD
)

// udpPayload is the offset of a frame's UDP payload (spec: rx.frame); false where the frame is too short for an ACK.
func udpPayload(frame []byte) (int, bool) {
	u := wire.EthernetBytes
	if len(frame) < u+wire.VlanBytes {
		return 0, false
	}
	ethertype := binary.BigEndian.Uint16(frame[u-2:])
	if ethertype == ethertypeVLAN {
		u += wire.VlanBytes
		ethertype = binary.BigEndian.Uint16(frame[u-2:])
	}
	if ethertype == ethertypeIPv6 {
		u += wire.Ipv6Bytes
	} else {
		u += wire.Ipv4Bytes
	}
	u += wire.UdpBytes
	return u, len(frame) >= u+wire.BaseBytes+wire.AckBytes+wire.TrailerBytes
}

// holdOffset is that of the hold time in an ACK header, which begins with the 32-bit trigger.
const holdOffset, holdBytes = 4, 2

// sameFrame compares two ACK frames but for what the device decides: the hold time, and with it the CRC, which must
// be right for the frame that carries it.
func sameFrame(want, got []byte) bool {
	u, ok := udpPayload(want)
	if !ok || len(want) != len(got) {
		return bytes.Equal(want, got)
	}
	ack := u + wire.BaseBytes
	return bytes.Equal(want[:ack], got[:ack]) && sameAck(want, got, u) && crcIsRight(got, u)
}

// sameAck compares what follows the base headers of two frames of one length, but for the hold time and the CRC.
func sameAck(want, got []byte, u int) bool {
	ack, end := u+wire.BaseBytes, len(want)-wire.TrailerBytes
	hold := ack + holdOffset
	return bytes.Equal(want[ack:hold], got[ack:hold]) && bytes.Equal(want[hold+holdBytes:end], got[hold+holdBytes:end])
}

func crcIsRight(frame []byte, u int) bool {
	end := len(frame) - wire.TrailerBytes
	return crc32.ChecksumIEEE(frame[u:end]) == binary.LittleEndian.Uint32(frame[end:])
}

// frameDifference names the first field in which two frames differ, and both its values.
func frameDifference(want, got []byte) (field, wantText, gotText string) {
	if len(want) != len(got) {
		return "frame length", fmt.Sprint(len(want)), fmt.Sprint(len(got))
	}
	a, b := decodeFrame(want), decodeFrame(got)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i].name != "ack.hold" && a[i].name != "trailer.crc" {
			return a[i].name, a[i].value, b[i].value
		}
	}
	if u, ok := udpPayload(got); ok && !crcIsRight(got, u) {
		right := crc32.ChecksumIEEE(got[u : len(got)-wire.TrailerBytes])
		return "trailer.crc", fmt.Sprintf("%#x", right), fmt.Sprintf("%#x", binary.LittleEndian.Uint32(got[len(got)-wire.TrailerBytes:]))
	}
	return "frame", fmt.Sprintf("%x", want), fmt.Sprintf("%x", got)
}
