package diff

import "metaroce/verification/trace"

// placesKept is how many of a port's last records can be found again in the file.
const placesKept = 1024

// places remembers where in a capture the last records of one port were.
type places struct {
	ring  [placesKept]placed
	count uint64
}

type placed struct {
	number uint64 // of the packet, from 1
	raw    trace.Time
	time   string
}

func (p *places) add(packet *trace.Packet) {
	p.ring[p.count%placesKept] = placed{number: packet.Number, raw: packet.Time}
	p.count++
}

// at returns the place of the record with that ordinal, if it is still known.
func (p *places) at(record uint64) (placed, bool) {
	if record >= p.count || p.count-record > placesKept {
		return placed{}, false
	}
	found := p.ring[record%placesKept]
	if found.raw.Valid {
		found.time = found.raw.String()
	}
	return found, true
}
