package protocol

import "encoding/binary"

// Advance asks the harness to run until cycle Until has been reached, or the run has ended.
type Advance struct {
	Until uint64
	// Final: every beat of the run has been sent. Without it the sender promises at least one more beat, whose earliest
	// cycle is Until or later; the run does not end by quiet before.
	Final bool
}

// AppendAdvance appends the frame.
func AppendAdvance(dst []byte, a Advance) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint64(begin(dst, KindAdvance), a.Until)
	return end(appendBool(dst, a.Final), start)
}

// ParseAdvance reads the frame.
func ParseAdvance(f *Frame) (Advance, error) {
	c := f.cursor()
	a := Advance{Until: c.uint64("cycle"), Final: c.bool("final")}
	return a, c.done()
}

// AppendCycle appends a REACHED or PROGRESS frame.
func AppendCycle(dst []byte, kind Kind, cycle uint64) []byte {
	start := len(dst)
	return end(binary.LittleEndian.AppendUint64(begin(dst, kind), cycle), start)
}

// ParseCycle reads a REACHED or PROGRESS frame.
func ParseCycle(f *Frame) (uint64, error) {
	c := f.cursor()
	cycle := c.uint64("cycle")
	return cycle, c.done()
}

// AppendCounters appends the frame.
func AppendCounters(dst []byte, counters []uint32) []byte {
	start := len(dst)
	dst = append(begin(dst, KindCounters), byte(len(counters)))
	for _, v := range counters {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return end(dst, start)
}

// ParseCounters reads the frame of a unit.
func ParseCounters(f *Frame, u *Unit) ([]uint32, error) {
	c := f.cursor()
	n := int(c.uint8("number of counters"))
	if n != len(u.Counters) {
		c.fail("%d counters, unit %s has %d", n, u.Name, len(u.Counters))
	}
	counters := make([]uint32, 0, len(u.Counters))
	for i := 0; i < n && c.err == nil; i++ {
		counters = append(counters, c.uint32("counter "+u.Counters[i]))
	}
	return counters, c.done()
}

// Cause is what ended a run (spec: bench.end).
type Cause uint8

// The causes.
const (
	Quiet Cause = 0 // nothing happened for the quiet cycles of the run
	Limit Cause = 1 // the run's last cycle was reached
)

// End is the explicit end of a run.
type End struct {
	Cause    Cause
	Cycle    uint64 // first cycle that was not run
	Pending  uint32 // bit i: the source of port i still has beats
	Waiting  uint32 // bit i: output or event port i is valid
	Unsent   bool   // the driver had announced more stimulus
	SpecHash uint64 // read from the device's outputs
	Tables   []uint64
	Time     Time
}

// Time is where the harness spent its time. It is the only part of a stream that differs between two equal runs.
type Time struct {
	RunNS  uint64 // evaluating cycles and encoding their records
	WaitNS uint64 // waiting for the driver
	SendNS uint64 // handing records to the socket
}

// Hang tells whether the run ended with something still waiting on either side.
func (e *End) Hang() bool { return e.Pending != 0 || e.Waiting != 0 || e.Unsent }

// AppendEnd appends the frame.
func AppendEnd(dst []byte, e *End) []byte {
	start := len(dst)
	dst = append(begin(dst, KindEnd), byte(e.Cause))
	dst = binary.LittleEndian.AppendUint64(dst, e.Cycle)
	dst = binary.LittleEndian.AppendUint32(dst, e.Pending)
	dst = binary.LittleEndian.AppendUint32(dst, e.Waiting)
	dst = appendBool(dst, e.Unsent)
	dst = binary.LittleEndian.AppendUint64(dst, e.SpecHash)
	dst = append(dst, byte(len(e.Tables)))
	for _, h := range e.Tables {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	for _, ns := range []uint64{e.Time.RunNS, e.Time.WaitNS, e.Time.SendNS} {
		dst = binary.LittleEndian.AppendUint64(dst, ns)
	}
	return end(dst, start)
}

// ParseEnd reads the frame.
func ParseEnd(f *Frame, u *Unit) (End, error) {
	c := f.cursor()
	e := End{Cause: Cause(c.uint8("cause")), Cycle: c.uint64("cycle")}
	e.Pending, e.Waiting, e.Unsent = c.uint32("pending ports"), c.uint32("waiting ports"), c.bool("unsent")
	if e.Cause > Limit {
		c.fail("cause %d: unknown", e.Cause)
	}
	e.SpecHash = c.uint64("spec hash")
	if n := int(c.uint8("number of tables")); n != len(u.Tables) {
		c.fail("%d tables, unit %s has %d", n, u.Name, len(u.Tables))
	}
	for range u.Tables {
		e.Tables = append(e.Tables, c.uint64("table hash"))
	}
	e.Time = Time{RunNS: c.uint64("run time"), WaitNS: c.uint64("wait time"), SendNS: c.uint64("send time")}
	return e, c.done()
}

// AgreeEnd compares what the device says of itself at the end with what it said at the handshake.
func AgreeEnd(u *Unit, e *End) error {
	if e.SpecHash != u.SpecHash {
		return &HashError{Name: "spec (at the end)", Own: u.SpecHash, Peer: e.SpecHash}
	}
	for i, t := range u.Tables {
		if e.Tables[i] != t.Hash {
			return &HashError{Name: "table " + t.Name + " (at the end)", Own: t.Hash, Peer: e.Tables[i]}
		}
	}
	return nil
}

// AppendError appends the frame; text beyond MaxText is cut.
func AppendError(dst []byte, text string) []byte {
	start := len(dst)
	return end(appendText(begin(dst, KindError), text), start)
}

// ParseError reads the frame as the error that it is, or says what is wrong with it.
func ParseError(f *Frame) error {
	c := f.cursor()
	text := c.text("text")
	if err := c.done(); err != nil {
		return err
	}
	return &RemoteError{Text: text}
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func (c *cursor) bool(what string) bool {
	b := c.uint8(what)
	if b > 1 {
		c.fail("%s: %d is neither 0 nor 1", what, b)
	}
	return b == 1
}
