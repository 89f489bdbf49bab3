package protocol

import "encoding/binary"

// PatternKind is how a sink drives ready (spec: bench.sink).
type PatternKind uint8

// The patterns. Parameters A, B and Seed not named are 0.
const (
	Always    PatternKind = 0 // ready in every cycle
	After     PatternKind = 1 // ready from cycle A on
	Duty      PatternKind = 2 // A cycles ready, B cycles not, from cycle 0; A + B > 0
	Random    PatternKind = 3 // ready with probability A / 256 (A at most 256), drawn from Seed and the cycle
	StallLast PatternKind = 4 // each last beat first meets A cycles without ready
)

// Pattern drives ready of one output port.
type Pattern struct {
	Kind PatternKind
	A, B uint64
	Seed uint64
}

// Initial says what registers and memories hold before reset.
type Initial uint8

// The initial values.
const (
	InitialRandom Initial = 0 // drawn from Setup.InitialSeed: a missing reset shows
	InitialZero   Initial = 1
)

// Waves asks for a dump of the cycles From <= t < To, and of the reset where From is 0. The harness must be built with a
// trace variant.
type Waves struct {
	File     string // empty: none
	From, To uint64
}

// Setup is all that a run needs besides its stimulus.
type Setup struct {
	QuietCycles uint64 // spec: bench.end
	MaxCycles   uint64 // at least 1
	FirstReady  uint64 // spec: cycle.reset
	Initial     Initial
	InitialSeed uint64    // 0 is a seed like any other
	Sinks       []Pattern // one a port, in the order of the ports; those of inputs and events are not used
	Waves       Waves
}

// AppendSetup appends the frame.
func AppendSetup(dst []byte, s *Setup) []byte {
	start := len(dst)
	dst = begin(dst, KindSetup)
	for _, v := range []uint64{s.QuietCycles, s.MaxCycles, s.FirstReady} {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	dst = append(dst, byte(s.Initial))
	dst = binary.LittleEndian.AppendUint64(dst, s.InitialSeed)
	dst = append(dst, byte(len(s.Sinks)))
	for _, p := range s.Sinks {
		dst = append(dst, byte(p.Kind))
		for _, v := range []uint64{p.A, p.B, p.Seed} {
			dst = binary.LittleEndian.AppendUint64(dst, v)
		}
	}
	dst = appendText(dst, s.Waves.File)
	dst = binary.LittleEndian.AppendUint64(dst, s.Waves.From)
	dst = binary.LittleEndian.AppendUint64(dst, s.Waves.To)
	return end(dst, start)
}

// ParseSetup reads the frame and refuses patterns that mean nothing.
func ParseSetup(f *Frame) (Setup, error) {
	c := f.cursor()
	s := Setup{QuietCycles: c.uint64("quiet cycles"), MaxCycles: c.uint64("max cycles"), FirstReady: c.uint64("first ready")}
	s.Initial = Initial(c.uint8("initial values"))
	s.InitialSeed = c.uint64("initial seed")
	for n := c.uint8("number of sinks"); n > 0 && c.err == nil; n-- {
		p := Pattern{Kind: PatternKind(c.uint8("pattern")), A: c.uint64("pattern A"), B: c.uint64("pattern B"), Seed: c.uint64("pattern seed")}
		s.Sinks = append(s.Sinks, p)
	}
	s.Waves = Waves{File: c.text("wave file"), From: c.uint64("first wave cycle"), To: c.uint64("end of waves")}
	if err := c.done(); err != nil {
		return s, err
	}
	if what := s.fault(); what != "" {
		return s, &FormatError{Offset: f.body(), Kind: f.Kind, What: what}
	}
	return s, nil
}

// fault says what is wrong with a setup, or nothing.
func (s *Setup) fault() string {
	if s.MaxCycles == 0 {
		return "max cycles is 0: the run would have no cycle"
	}
	if s.Initial > InitialZero {
		return "initial values " + itoa(uint64(s.Initial)) + ": unknown"
	}
	if len(s.Sinks) > MaxPorts {
		return itoa(uint64(len(s.Sinks))) + " sinks: more than there can be ports"
	}
	for i, p := range s.Sinks {
		at := "sink of port " + itoa(uint64(i)) + ": "
		switch {
		case p.Kind > StallLast:
			return at + "pattern " + itoa(uint64(p.Kind)) + ": unknown"
		case p.Kind == Duty && (p.A+p.B == 0 || p.A+p.B < p.A):
			return at + "duty of no cycle"
		case p.Kind == Random && p.A > 256:
			return at + "probability above 256/256"
		}
	}
	return ""
}

// Check tells whether a harness of that unit can carry out the setup.
func (s *Setup) Check(u *Unit) error {
	if what := s.fault(); what != "" {
		return &FormatError{Kind: KindSetup, What: what}
	}
	if len(s.Sinks) != len(u.Ports) {
		return &MismatchError{"number of sinks", itoa(uint64(len(s.Sinks))), itoa(uint64(len(u.Ports))) + " ports"}
	}
	if len(s.Waves.File) > MaxText {
		return &FormatError{Kind: KindSetup, What: "wave file name longer than " + itoa(MaxText) + " bytes"}
	}
	return nil
}
