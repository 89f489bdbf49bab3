package protocol

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

func unit() Unit {
	return Unit{
		Name: "toy", Top: "mr_toy", Config: "small", ClockPeriodPS: 4000, TimeUnit: -12, SpecHash: 0x0123456789abcdef,
		Tables: []Table{{"primes", 7}, {"squares", 1 << 63}},
		Ports: []Port{
			{"s_req", In, Stream, 3},
			{"m_rsp", Out, Stream, 2},
			{"m_axis", Out, Axis, 70},
			{"dbg", Out, Event, 1},
		},
		Counters: []string{"good", "bad"},
	}
}

func hello(side Side) Hello {
	return Hello{Version: Version, Side: side, LayoutHash: 0x0123456789abcdef, Unit: unit()}
}

func records() []Record {
	return []Record{
		{Cycle: 0, Port: 0},
		{Cycle: 0, Port: 1, Beat: []byte{1, 2}},
		{Cycle: 127, Port: 3, Beat: []byte{0xff}},
		{Cycle: 255, Port: 2, Beat: bytes.Repeat([]byte{0xa5}, 70)},
		{Cycle: 1 << 40, Port: 0},
		{Cycle: 1<<64 - 1, Port: 0},
	}
}

func endFrame() End {
	return End{Cause: Limit, Cycle: 1 << 63, Pending: 1, Waiting: 6, Unsent: true, SpecHash: 0x0123456789abcdef,
		Tables: []uint64{7, 1 << 63}, Time: Time{1, 2, 3}}
}

// session is what a harness sends in a short run.
func session() []byte {
	h, e := hello(Harness), endFrame()
	b := AppendHello(nil, &h)
	b = AppendRecords(b, records()[:3])
	b = AppendCycle(b, KindProgress, 128)
	b = AppendRecords(b, records()[3:])
	b = AppendCycle(b, KindReached, 1<<64-1)
	b = AppendCounters(b, []uint32{1, 1<<32 - 1})
	return AppendEnd(b, &e)
}

// driverFrames is what a driver sends in a short run.
func driverFrames() []byte {
	h, s := hello(Driver), setup()
	b := AppendHello(nil, &h)
	b = AppendSetup(b, &s)
	b = AppendStimulus(b, stimulus())
	b = AppendAdvance(b, Advance{Until: 9})
	b = AppendAdvance(b, Advance{Until: 1<<64 - 1, Final: true})
	return AppendError(b, "enough")
}

func setup() Setup {
	return Setup{QuietCycles: 1, MaxCycles: 2, FirstReady: 3, Initial: InitialZero, InitialSeed: 1<<64 - 1,
		Sinks: []Pattern{{}, {Kind: Duty, A: 1, B: 2}, {Kind: Random, A: 256, Seed: 1 << 63}, {Kind: StallLast, A: 9}},
		Waves: Waves{File: "out/x.vcd", From: 4, To: 1<<64 - 1}}
}

func stimulus() []Stimulus {
	return []Stimulus{{0, 0, []byte{1, 2, 3}}, {0, 1<<64 - 1, []byte{0xff, 0, 0xff}}}
}

// parse reads a frame as its kind says.
func parse(f *Frame, u *Unit) error {
	var err error
	switch f.Kind {
	case KindHello:
		_, err = ParseHello(f)
	case KindSetup:
		_, err = ParseSetup(f)
	case KindStimulus:
		_, err = ParseStimulus(nil, f, u)
	case KindAdvance:
		_, err = ParseAdvance(f)
	case KindRecords:
		_, err = ParseRecords(nil, f, u)
	case KindReached, KindProgress:
		_, err = ParseCycle(f)
	case KindCounters:
		_, err = ParseCounters(f, u)
	case KindEnd:
		_, err = ParseEnd(f, u)
	case KindError:
		var remote *RemoteError
		if err = ParseError(f); errors.As(err, &remote) {
			err = nil
		}
	}
	return err
}

// readAll reads and parses a stream to its end and returns the number of frames.
func readAll(stream []byte) (int, error) {
	u := unit()
	r := NewReader(bytes.NewReader(stream))
	for n := 0; ; n++ {
		f, err := r.Next()
		if err == io.EOF {
			return n, nil
		}
		if err == nil {
			err = parse(&f, &u)
		}
		if err != nil {
			return n, err
		}
	}
}

// where tells whether an error names a byte.
func where(err error) bool { return strings.Contains(err.Error(), "byte ") }
