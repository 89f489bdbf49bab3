package frame

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"metaroce/golden/wire"
)

// Ipv4Checksum is the checksum of a header whose own checksum field is not looked at (RFC 791).
func Ipv4Checksum(h wire.Ipv4) uint16 {
	h.Checksum = 0
	var buffer [wire.Ipv4Bytes]byte
	return ^onesSum(h.Append(buffer[:0]))
}

// onesSum is the one's complement sum of the 16-bit words of b, whose length is even.
func onesSum(b []byte) uint16 {
	sum := uint32(0)
	for ; len(b) >= 2; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	sum = sum&0xFFFF + sum>>16
	return uint16(sum&0xFFFF + sum>>16)
}

// appendCrc adds the trailer of a UDP payload, with some bits of the CRC turned over if wrong is not 0.
func appendCrc(dst, udpPayload []byte, wrong uint32) []byte {
	crc := crc32.ChecksumIEEE(udpPayload) ^ wrong
	return wire.Trailer{Crc: bits.ReverseBytes32(crc)}.Append(dst) // least significant byte first
}

// crcRight tells whether a UDP payload ends with its CRC. One too short to hold a CRC does not.
func crcRight(udpPayload []byte) bool {
	at := len(udpPayload) - wire.TrailerBytes
	return at >= 0 && crc32.ChecksumIEEE(udpPayload[:at]) == binary.LittleEndian.Uint32(udpPayload[at:])
}
