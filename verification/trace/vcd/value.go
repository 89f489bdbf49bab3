package vcd

// Extend appends value to dst as exactly width digits: a short value is extended with 0, or with x or z where that is
// its leftmost digit.
func Extend(dst, value []byte, width int) []byte {
	fill := byte('0')
	if len(value) > 0 && value[0] != '1' {
		fill = value[0]
	}
	for n := len(value); n < width; n++ {
		dst = append(dst, fill)
	}
	return append(dst, value...)
}

// Pack stores a value in dst, little-endian; dst has a bit for each of the signal's. known is false where a bit is x
// or z, or there is no value; such bits are 0 in dst.
func Pack(dst, value []byte) (known bool) {
	clear(dst)
	known = true
	for i := range value { // i-th digit from the right
		switch value[len(value)-1-i] {
		case '1':
			dst[i>>3] |= 1 << (i & 7)
		case '0':
		default:
			known = false
		}
	}
	return known && len(value) > 0
}
