package trace

import (
	"bytes"
	"fmt"
)

// Format is a trace format. The zero Format is unknown.
type Format string

// Formats that the readers take.
const (
	FormatPcap   Format = "pcap"
	FormatPcapng Format = "pcapng"
	FormatVCD    Format = "vcd"
)

// MagicBytes is how much of a file's start Detect wants to see; fewer are fine where the file is shorter.
const MagicBytes = 64

// Magic numbers of pcap as a little-endian file has them; a big-endian file has them reversed.
const (
	MagicMicroseconds = 0xA1B2C3D4
	MagicNanoseconds  = 0xA1B23C4D
)

var magics = []struct {
	prefix []byte
	format Format
	advice string // why a recognised format is not read
}{
	{prefix: []byte{0x0A, 0x0D, 0x0D, 0x0A}, format: FormatPcapng},
	{prefix: []byte{0xD4, 0xC3, 0xB2, 0xA1}, format: FormatPcap},
	{prefix: []byte{0xA1, 0xB2, 0xC3, 0xD4}, format: FormatPcap},
	{prefix: []byte{0x4D, 0x3C, 0xB2, 0xA1}, format: FormatPcap},
	{prefix: []byte{0xA1, 0xB2, 0x3C, 0x4D}, format: FormatPcap},
	{prefix: []byte{0x34, 0xCD, 0xB2, 0xA1}, advice: "pcap with the 1999 patched record header; rewrite it with tshark -F pcapng"},
	{prefix: []byte{0xA1, 0xB2, 0xCD, 0x34}, advice: "pcap with the 1999 patched record header; rewrite it with tshark -F pcapng"},
	{prefix: []byte{0x1F, 0x8B}, advice: "gzip-compressed; decompress it first"},
	{prefix: []byte{0x28, 0xB5, 0x2F, 0xFD}, advice: "zstd-compressed; decompress it first"},
	{prefix: []byte{'P', 'K', 3, 4}, advice: "a zip archive; unpack it first"},
	{prefix: []byte{0, 0, 0, 0, 0, 0, 0, 1, 0x49}, advice: "FST; convert it with fst2vcd"},
}

// Detect tells the format from the first bytes of a file; names and extensions are never looked at. A VCD file is
// text whose first word begins with "$". The error says what was found instead.
func Detect(start []byte) (Format, error) {
	for _, m := range magics {
		if !bytes.HasPrefix(start, m.prefix) {
			continue
		}
		if m.format == "" {
			return "", fmt.Errorf("this is %s", m.advice)
		}
		return m.format, nil
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if len(text) > 0 && text[0] == '$' {
		return FormatVCD, nil
	}
	if len(start) == 0 {
		return "", fmt.Errorf("the file is empty")
	}
	return "", fmt.Errorf("not a pcap, pcapng or VCD file: it starts with % x", start[:min(len(start), 8)])
}
