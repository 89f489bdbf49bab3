package vectors

import (
	"fmt"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// cycleBits is the width of a cycle number in a word.
const cycleBits = 32

// file is the name of a port's file.
func (p *portTrace) file() string { return p.port.Name + ".mem" }

// bits is the width of a port's words: the beat in the low bits, then for an input the earliest cycle, then the cycle of
// the handshake or event.
func (p *portTrace) bits() int {
	if p.port.In {
		return 8*p.port.Bytes + 2*cycleBits
	}
	return 8*p.port.Bytes + cycleBits
}

// memory is a port's words for $readmemh, one a line.
func (p *portTrace) memory(s *model.Spec) []byte {
	t := &output.Text{}
	t.WriteString(output.Banner("// ", s))
	t.Line("// Port %s, %d words of %d bits.", p.port.Name, len(p.beats), p.bits())
	for _, b := range p.beats {
		fmt.Fprintf(t, "%08x", b.cycle)
		if p.port.In {
			fmt.Fprintf(t, "%08x", b.earliest)
		}
		t.Line("%s", number(b.bytes))
	}
	return []byte(t.String())
}

// number is bytes, least significant first, as one hex number.
func number(bytes []byte) string {
	text := ""
	for _, b := range bytes {
		text = fmt.Sprintf("%02x", b) + text
	}
	return text
}

// counterMemory is the counters at the end for $readmemh.
func (t *trace) counterMemory(s *model.Spec) []byte {
	b := &output.Text{}
	b.WriteString(output.Banner("// ", s))
	b.Line("// Counters of unit %s at the end, %d words of 32 bits.", t.unit.Name, len(t.counters))
	for _, c := range t.counters {
		b.Line("%08x", c)
	}
	return []byte(b.String())
}
