// Package pcapng reads and writes pcapng captures. The reader takes what the standard allows (any number of sections,
// both byte orders, unknown blocks, every time resolution) in constant memory and refuses what lies; the writer's
// bytes depend on its arguments only: it names no host, no program version and no clock.
package pcapng

import "encoding/binary"

// Block types.
const (
	blockSection    = 0x0A0D0D0A
	blockInterface  = 1
	blockOldPacket  = 2
	blockSimple     = 3
	blockStatistics = 5
	blockEnhanced   = 6
)

// Option codes, by the block they belong to.
const (
	optEnd     = 0
	optComment = 1 // any block, repeatable, UTF-8

	optInterfaceName        = 2
	optInterfaceDescription = 3
	optInterfaceSpeed       = 8
	optInterfaceResolution  = 9
	optInterfaceOffset      = 14

	optPacketFlags = 2

	optSectionHardware    = 2
	optSectionSystem      = 3
	optSectionApplication = 4
)

const (
	byteOrderMagic = 0x1A2B3C4D
	versionMajor   = 1

	blockHeadBytes = 8  // type and total length
	blockMinBytes  = 12 // both, and the total length again

	// maxBlock bounds the memory of one block that is looked into; other blocks are skipped at any length.
	maxBlock = 16 << 20
	// maxInterfaces bounds the memory of one section.
	maxInterfaces = 1 << 16
)

// byteOrder is what the codecs need of a byte order.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func padded(n int) int { return (n + 3) &^ 3 }
