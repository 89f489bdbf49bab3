package cosim

import (
	"encoding/binary"
	"slices"
)

// hexPairs are the two digits of each byte, the first in the low half: a record file of a long run is hexadecimal for the
// most part, and this is what it costs.
var hexPairs = func() (pairs [256]uint16) {
	const digits = "0123456789abcdef"
	for b := range pairs {
		pairs[b] = uint16(digits[b>>4]) | uint16(digits[b&15])<<8
	}
	return pairs
}()

// appendHex appends bytes as lower-case hexadecimal digits.
func appendHex(dst, b []byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 2*len(b))[:at+2*len(b)]
	for i := range b {
		binary.LittleEndian.PutUint16(dst[at+2*i:], hexPairs[b[i]])
	}
	return dst
}
