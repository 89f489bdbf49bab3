// Package protocol is the language between a driver (the side that holds the golden model) and a harness (the side that
// holds the simulated or real device). It knows bytes, ports and cycles, and nothing of what the bytes mean.
//
// A frame is a 32-bit length of its payload, an 8-bit kind and the payload; all integers are little-endian. Each side
// sends HELLO first and compares what the other side says of itself before anything else is read. The README of
// cocotb-bridge describes every frame.
package protocol

// Magic opens every HELLO. Its place, the version's place and the frame header stay the same in every version, so that
// two versions can always name each other.
const Magic = "MRBRIDGE"

// Version of the frames' layout and meaning. Any change of either raises it; there is no negotiation.
const Version uint16 = 1

// Limits of what a peer can make this side allocate.
const (
	HeaderBytes = 5       // length and kind
	MaxPayload  = 1 << 22 // 4 MiB: a window of 50,000 cycles of 512-bit beats
	MaxPorts    = 32      // ports are bits of a 32-bit mask
	MaxBeat     = 4096    // bytes of one beat: 32768-bit data
	MaxNames    = 255     // counters, tables, ports: counted in one byte
	MaxText     = 4096    // bytes of an ERROR's text or of a file name
)

// ResetCycles is how long the harness holds reset: cycle t begins at (ResetCycles + t) times the clock period of the
// simulated time.
const ResetCycles = 16

// Kind says what a frame's payload is.
type Kind uint8

// The frame kinds. D: sent by the driver, H: sent by the harness.
const (
	KindHello    Kind = 1  // D, H  identity of the side
	KindSetup    Kind = 2  // D     limits, sink patterns, waves of the run
	KindStimulus Kind = 3  // D     beats with their earliest cycles
	KindAdvance  Kind = 4  // D     run until a cycle
	KindRecords  Kind = 5  // H     handshakes with their cycles
	KindReached  Kind = 6  // H     answer to ADVANCE: every record before this cycle has been sent
	KindProgress Kind = 7  // H     sign of life in a long window; means what REACHED means, but answers nothing
	KindCounters Kind = 8  // H     the unit's counters, before END
	KindEnd      Kind = 9  // H     explicit end of the run
	KindError    Kind = 10 // D, H  why the sender gives up
)

var kindNames = [...]string{"", "HELLO", "SETUP", "STIMULUS", "ADVANCE", "RECORDS", "REACHED", "PROGRESS", "COUNTERS", "END", "ERROR"}

// Known tells whether this version has such a frame.
func (k Kind) Known() bool { return k >= KindHello && k <= KindError }

func (k Kind) String() string {
	if k.Known() {
		return kindNames[k]
	}
	return "kind " + itoa(uint64(k))
}
