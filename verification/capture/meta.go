// Package capture writes and reads the handshakes of a unit as a pcapng file, so that a run can be looked at with the
// tools for packets and be diffed again later. README.md states the convention.
package capture

import (
	"fmt"
	"strconv"
	"strings"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/trace"
)

const (
	marker  = "metaroce-capture"
	version = 1
)

// DefaultClockPs is the clock period of a run that states none: 250 MHz, at which the ACK's hold unit is one clock.
const DefaultClockPs = profile.HoldUnitNs * 1000

// maxClockPs is the longest clock period: a second.
const maxClockPs = 1e12

// Meta is what a capture says of the run it was taken from.
type Meta struct {
	Unit    string
	Config  string // name of the configuration
	ClockPs uint64 // clock period in ps; 0 is DefaultClockPs
	Spec    string // spec hash; written as this program's own
	Seed    *uint64
}

func (m Meta) comment() string {
	text := fmt.Sprintf("%s version=%d unit=%s config=%s clock_ps=%d spec=%s", marker, version, m.Unit, m.Config, m.ClockPs, profile.SpecHash)
	if m.Seed != nil {
		text += fmt.Sprintf(" seed=%d", *m.Seed)
	}
	return text
}

// ParseMeta finds a capture's statement among the comments of a section. ok is false where there is none: the file is
// then somebody else's capture.
func ParseMeta(comments []string) (m Meta, ok bool, err error) {
	for _, c := range comments {
		if words := strings.Fields(c); len(words) > 0 && words[0] == marker {
			m, err = parseWords(words[1:])
			return m, true, err
		}
	}
	return Meta{}, false, nil
}

func parseWords(words []string) (Meta, error) {
	var m Meta
	found := uint64(0)
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		var err error
		switch name {
		case "version":
			found, err = strconv.ParseUint(value, 10, 64)
		case "unit":
			m.Unit = value
		case "config":
			m.Config = value
		case "clock_ps":
			m.ClockPs, err = strconv.ParseUint(value, 10, 64)
		case "spec":
			m.Spec = value
		case "seed":
			var seed uint64
			seed, err = strconv.ParseUint(value, 10, 64)
			m.Seed = &seed
		}
		if err != nil {
			return m, fmt.Errorf("capture comment: %q: %w", w, err)
		}
	}
	return m, m.check(found)
}

func (m Meta) check(found uint64) error {
	if found != version {
		return fmt.Errorf("capture convention version %d: this program reads version %d", found, version)
	}
	if _, ok := event.UnitByName(m.Unit); !ok {
		return fmt.Errorf("capture of unit %q: no such unit", m.Unit)
	}
	if m.ClockPs == 0 || m.ClockPs > maxClockPs {
		return fmt.Errorf("capture comment: clock_ps is missing, or not in 1..%d", uint64(maxClockPs))
	}
	return nil
}

// unit is the time unit that holds every multiple of the clock period.
func (m Meta) unit() (trace.Resolution, uint64) {
	if m.ClockPs%1000 == 0 {
		return trace.Nanoseconds, m.ClockPs / 1000
	}
	return trace.Picoseconds, m.ClockPs
}

// framed tells whether a port's packets are whole Ethernet frames.
func framed(p *event.Port) bool {
	return p.Style == event.Axis && (p.Name == "s_axis" || p.Name == "m_axis")
}
