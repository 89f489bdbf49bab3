package engine

import (
	"fmt"

	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// clock is what every unit has besides its FIFOs: its description, its cycle and the end of its sweep.
type clock struct {
	info       *event.Unit
	now        uint64 // cycle
	firstReady uint64 // cycle; spec: cycle.reset
}

func newClock(info *event.Unit, c profile.Config) clock {
	firstReady := 1
	for _, sizes := range info.Sweep {
		product := 1
		for _, size := range sizes {
			product *= c.Size(size)
		}
		firstReady = max(firstReady, product)
	}
	return clock{info: info, firstReady: uint64(firstReady)}
}

// Info describes the unit.
func (c *clock) Info() *event.Unit { return c.info }

// FirstReady is the cycle in which the in ports are ready first.
func (c *clock) FirstReady() uint64 { return c.firstReady }

// swept tells whether the sweep is over at this cycle.
func (c *clock) swept() bool { return c.now >= c.firstReady }

// mask puts bools at the bits of ports.
func mask(port int, on bool) uint32 {
	if on {
		return 1 << port
	}
	return 0
}

// has tells whether the bit of a port is set.
func has(mask uint32, port int) bool { return mask>>port&1 != 0 }

// mustBe is for beats that Step takes: who drives the unit has checked them.
func mustBe(err error) {
	if err != nil {
		panic(fmt.Sprintf("engine: a beat that is no beat of its port was driven: %v", err))
	}
}
