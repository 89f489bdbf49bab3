package cc

// AIMD is a copy of the window state of a path or a connection (spec: rate.context).
type AIMD struct {
	Window                 uint32 // 16.8 packets
	Alpha                  uint16 // 2^-16
	AckedSum               uint32 // packets
	RoundReceived, RoundCe uint16 // packets
	RoundStart             uint64 // ns
}

// PathContext is a copy of one path's state, for reports and tests (spec: rate.context).
type PathContext struct {
	Open         bool
	RttValid     bool
	Srtt         uint64 // 2^-3 ns
	Rttvar       uint64 // 2^-2 ns
	LastReceived uint32
	LastCe       uint32
	InFlight     uint16 // packets
	Aimd         AIMD
}

// ConnectionContext is a copy of one connection's state, for reports and tests (spec: rate.context).
type ConnectionContext struct {
	Open             bool
	Cap, Hint        uint16 // rate codes
	HintSequence     uint16
	HintValid        bool
	LossIsCongestion bool
	NextTime         uint64 // 2^-10 ns
	InFlight         uint32 // packets
	Aimd             AIMD
}

// Path returns the state of a path; false if the table has no such path.
func (t *Table) Path(connection uint32, path uint16) (PathContext, bool) {
	if connection >= t.connections || uint32(path) >= t.paths {
		return PathContext{}, false
	}
	p := &t.all[connection*t.paths+uint32(path)]
	return PathContext{
		Open: p.open, RttValid: p.rtt.valid, Srtt: p.rtt.srtt, Rttvar: p.rtt.rttvar,
		LastReceived: p.lastReceived, LastCe: p.lastCe, InFlight: p.inFlight, Aimd: p.aimd.copy(),
	}, true
}

// Connection returns the state of a connection; false if the table has no such connection.
func (t *Table) Connection(connection uint32) (ConnectionContext, bool) {
	if connection >= t.connections {
		return ConnectionContext{}, false
	}
	c := &t.conns[connection]
	return ConnectionContext{
		Open: c.open, Cap: c.cap, Hint: c.hint, HintSequence: c.hintSequence, HintValid: c.hintValid,
		LossIsCongestion: c.lossIsCongestion, NextTime: uint64(c.nextTime), InFlight: c.inFlight, Aimd: c.aimd.copy(),
	}, true
}

func (a *aimd) copy() AIMD {
	return AIMD{
		Window: a.window, Alpha: a.alpha, AckedSum: a.ackedSum,
		RoundReceived: a.roundReceived, RoundCe: a.roundCE, RoundStart: a.roundStart,
	}
}
