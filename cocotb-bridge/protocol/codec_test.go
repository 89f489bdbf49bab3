package protocol

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// next reads one frame that follows a HELLO.
func next(t *testing.T, frame []byte) *Frame {
	t.Helper()
	h := hello(Harness)
	r := NewReader(bytes.NewReader(append(AppendHello(nil, &h), frame...)))
	_, err := r.Next()
	require.NoError(t, err)
	f, err := r.Next()
	require.NoError(t, err)
	return &f
}

func TestFramesComeBackAsTheyWere(t *testing.T) {
	u := unit()
	h := hello(Driver)
	f, err := NewReader(bytes.NewReader(AppendHello(nil, &h))).Next()
	require.NoError(t, err)
	gotHello, err := ParseHello(&f)
	require.NoError(t, err)
	require.Equal(t, h, gotHello)

	s := setup()
	gotSetup, err := ParseSetup(next(t, AppendSetup(nil, &s)))
	require.NoError(t, err)
	require.Equal(t, s, gotSetup)

	gotStimulus, err := ParseStimulus(nil, next(t, AppendStimulus(nil, stimulus())), &u)
	require.NoError(t, err)
	require.Equal(t, stimulus(), gotStimulus)

	gotRecords, err := ParseRecords(nil, next(t, AppendRecords(nil, records())), &u)
	require.NoError(t, err)
	require.Equal(t, records(), gotRecords)

	gotAdvance, err := ParseAdvance(next(t, AppendAdvance(nil, Advance{Until: 5, Final: true})))
	require.NoError(t, err)
	require.Equal(t, Advance{Until: 5, Final: true}, gotAdvance)

	e := endFrame()
	gotEnd, err := ParseEnd(next(t, AppendEnd(nil, &e)), &u)
	require.NoError(t, err)
	require.Equal(t, e, gotEnd)
	require.True(t, gotEnd.Hang())

	require.EqualError(t, ParseError(next(t, AppendError(nil, "no"))), "the peer gave up: no")
	long := strings.Repeat("x", 2*MaxText)
	require.EqualError(t, ParseError(next(t, AppendError(nil, long))), "the peer gave up: "+long[:MaxText])
}

// The layout is fixed to the byte: another implementation reads it.
func TestRecordsLayout(t *testing.T) {
	got := AppendRecords(nil, []Record{{Cycle: 5, Port: 0}, {Cycle: 5, Port: 1, Beat: []byte{7, 8}}, {Cycle: 305, Port: 3, Beat: []byte{9}}})
	require.Equal(t, []byte{
		22, 0, 0, 0, 5, // length, kind
		5, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, // first cycle, count
		0, 0, // input port 0, same cycle
		0, 1, 7, 8,
		0xac, 0x02, 3, 9, // 300 cycles later
	}, got)
}

func TestRecordsOutOfOrderAreRefused(t *testing.T) {
	u := unit()
	for name, list := range map[string][]Record{
		"same port twice": {{Cycle: 1, Port: 3, Beat: []byte{1}}, {Cycle: 1, Port: 3, Beat: []byte{1}}},
		"port goes back":  {{Cycle: 1, Port: 1, Beat: []byte{1, 2}}, {Cycle: 1, Port: 0}},
		"cycle goes back": {{Cycle: 2, Port: 0}, {Cycle: 1, Port: 0}},
		"no such port":    {{Cycle: 2, Port: 4}},
	} {
		_, err := ParseRecords(nil, next(t, AppendRecords(nil, list)), &u)
		require.ErrorIs(t, err, ErrProtocol, name)
	}
}

func TestSetupsThatMeanNothingAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Setup){
		"no cycle":        func(s *Setup) { s.MaxCycles = 0 },
		"initial":         func(s *Setup) { s.Initial = 2 },
		"pattern":         func(s *Setup) { s.Sinks[0].Kind = 5 },
		"duty 0 of 0":     func(s *Setup) { s.Sinks[0] = Pattern{Kind: Duty} },
		"duty overflow":   func(s *Setup) { s.Sinks[0] = Pattern{Kind: Duty, A: 2, B: 1<<64 - 1} },
		"probability 257": func(s *Setup) { s.Sinks[0] = Pattern{Kind: Random, A: 257} },
	} {
		s, u := setup(), unit()
		change(&s)
		_, err := ParseSetup(next(t, AppendSetup(nil, &s)))
		require.ErrorIs(t, err, ErrProtocol, name)
		require.ErrorIs(t, s.Check(&u), ErrProtocol, name)
	}
	s, u := setup(), unit()
	require.NoError(t, s.Check(&u))
	s.Sinks = s.Sinks[:3]
	require.Error(t, s.Check(&u))
}

func TestAgreeNamesBothValues(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Hello)
		want   error
		text   []string
	}{
		"version":       {func(h *Hello) { h.Version = 9 }, new(VersionError), []string{"1", "9"}},
		"side":          {func(h *Hello) { h.Side = Driver }, new(MismatchError), []string{"driver"}},
		"unit":          {func(h *Hello) { h.Unit.Name = "other" }, new(MismatchError), []string{"toy", "other"}},
		"top":           {func(h *Hello) { h.Unit.Top = "mr_x" }, new(MismatchError), []string{"mr_toy", "mr_x"}},
		"configuration": {func(h *Hello) { h.Unit.Config = "large" }, new(MismatchError), []string{"small", "large"}},
		"period":        {func(h *Hello) { h.Unit.ClockPeriodPS = 4 }, new(MismatchError), []string{"4000 ps", "4 ps"}},
		"time unit":     {func(h *Hello) { h.Unit.TimeUnit = -9 }, new(MismatchError), []string{"10^-12", "10^-9"}},
		"layout":        {func(h *Hello) { h.LayoutHash = 1 }, new(HashError), []string{"layouts", "0123456789abcdef", "0000000000000001"}},
		"spec":          {func(h *Hello) { h.Unit.SpecHash = 1 }, new(HashError), []string{"spec", "0123456789abcdef", "0000000000000001"}},
		"table":         {func(h *Hello) { h.Unit.Tables[0].Hash = 8 }, new(HashError), []string{"primes", "0000000000000007", "0000000000000008"}},
		"table name":    {func(h *Hello) { h.Unit.Tables[1].Name = "cubes" }, new(MismatchError), []string{"squares", "cubes"}},
		"tables":        {func(h *Hello) { h.Unit.Tables = nil }, new(MismatchError), []string{"tables", "2", "0"}},
		"ports":         {func(h *Hello) { h.Unit.Ports = h.Unit.Ports[:2] }, new(MismatchError), []string{"ports", "4", "2"}},
		"port name":     {func(h *Hello) { h.Unit.Ports[1].Name = "m_x" }, new(PortError), []string{"m_rsp", "m_x"}},
		"direction":     {func(h *Hello) { h.Unit.Ports[1].Direction = In }, new(PortError), []string{"out", "in"}},
		"style":         {func(h *Hello) { h.Unit.Ports[1].Style = Axis }, new(PortError), []string{"stream", "axis"}},
		"beat":          {func(h *Hello) { h.Unit.Ports[1].BeatBytes = 1 }, new(PortError), []string{"2 bytes", "1 bytes"}},
		"counters":      {func(h *Hello) { h.Unit.Counters = nil }, new(MismatchError), []string{"counters"}},
		"counter":       {func(h *Hello) { h.Unit.Counters[1] = "ugly" }, new(MismatchError), []string{"bad", "ugly"}},
	} {
		own, theirs := hello(Driver), hello(Harness)
		require.NoError(t, Agree(&own, &theirs))
		c.change(&theirs)
		err := Agree(&own, &theirs)
		require.IsType(t, c.want, err, name)
		require.ErrorIs(t, err, ErrProtocol)
		for _, text := range c.text {
			require.Contains(t, err.Error(), text, name)
		}
	}
}

// Of another version nothing but the version is read.
func TestHelloOfAnotherVersionIsNotReadFurther(t *testing.T) {
	b := append(begin(nil, KindHello), Magic...)
	b = end(append(b, 2, 0, 0xff, 0xff, 0xff), 0)
	f, err := NewReader(bytes.NewReader(b)).Next()
	require.NoError(t, err)
	theirs, err := ParseHello(&f)
	require.NoError(t, err)
	own := hello(Driver)
	require.Equal(t, &VersionError{Own: Version, Peer: 2}, Agree(&own, &theirs))
}

func TestAgreeEnd(t *testing.T) {
	u, e := unit(), endFrame()
	require.NoError(t, AgreeEnd(&u, &e))
	e.Tables[1]++
	require.ErrorContains(t, AgreeEnd(&u, &e), "squares")
	e.SpecHash++
	require.ErrorContains(t, AgreeEnd(&u, &e), "spec")
}

func TestUnitsThatFramesCannotCarry(t *testing.T) {
	for name, change := range map[string]func(*Unit){
		"no name":     func(u *Unit) { u.Name = "" },
		"no port":     func(u *Unit) { u.Ports = nil },
		"33 ports":    func(u *Unit) { u.Ports = make([]Port, 33) },
		"empty beat":  func(u *Unit) { u.Ports[0].BeatBytes = 0 },
		"event input": func(u *Unit) { u.Ports[0].Style = Event },
		"odd period":  func(u *Unit) { u.ClockPeriodPS = 3 },
		"no period":   func(u *Unit) { u.ClockPeriodPS = 0 },
	} {
		u := unit()
		require.NoError(t, u.Check())
		change(&u)
		require.Error(t, u.Check(), name)
	}
}

func TestHashPrefix(t *testing.T) {
	h, err := HashPrefix("0123456789abcdef" + strings.Repeat("00", 24))
	require.NoError(t, err)
	require.EqualValues(t, 0x0123456789abcdef, h)
	for _, bad := range []string{"", "0123", "zz23456789abcdef"} {
		_, err := HashPrefix(bad)
		require.Error(t, err)
	}
}
