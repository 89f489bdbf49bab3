package tables

import (
	"encoding/binary"
	"hash/crc32"

	"metaroce/golden/cc"
)

// makers is the formula of each table.
var makers = map[string]func(entries int) []uint32{
	"mark_reciprocal": func(int) []uint32 { t := cc.MarkReciprocal(); return t[:] },
	"rate_reciprocal": func(int) []uint32 { t := cc.RateReciprocal(); return t[:] },
	"crc_residue":     crcResidue,
}

// crcResidue is the CRC register behind a correct payload with its CRC and k bytes of zero, by definition: the bytes are
// fed. The payload does not matter, which a test shows.
func crcResidue(entries int) []uint32 { return residueBehind([]byte("MetaRoCE"), entries) }

// residueBehind is crcResidue for one payload.
func residueBehind(payload []byte, entries int) []uint32 {
	message := binary.LittleEndian.AppendUint32(append([]byte(nil), payload...), crc32.ChecksumIEEE(payload))
	table := make([]uint32, entries)
	for k := range table {
		table[k] = ^crc32.ChecksumIEEE(message) // hash/crc32 inverts at the end, the register is before that
		message = append(message, 0)
	}
	return table
}
