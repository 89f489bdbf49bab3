package cc

import (
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/oracle"
	"pgregory.net/rapid"
)

// Sizes of the tables under test: small enough that identifiers out of range and neighbours of one index come up often.
const (
	testConnections = 2
	testPaths       = 3
)

// subject is what the oracle judges: a Table, or one with a planted fault.
type subject interface {
	Apply(req *event.RateReq, rsp *event.RateRsp) Notes
}

// step is a run of operations that are alike but for time and counters. In req, Now, Received, CeMarked and HintSequence
// count from what the operation before said (of the path, for the counters), so that histories hang together.
type step struct {
	req event.RateReq
	run int // operations, 1 .. 256
}

type counters struct{ received, ce uint32 }

// past is what the relative fields of a step count from.
type past struct {
	now      uint64
	sequence uint16
	paths    map[[2]uint32]counters
}

// resolve makes the absolute request and moves the past on. OPEN_PATH sets the path's counters back, as the rule does.
func (p *past) resolve(req event.RateReq) event.RateReq {
	p.now = (p.now + req.Now) % (1 << 48)
	req.Now = p.now
	path := [2]uint32{req.Connection, uint32(req.Path)}
	switch req.Op {
	case event.RateOpOpenPath:
		p.paths[path] = counters{}
	case event.RateOpAck:
		p.sequence += req.HintSequence
		c := p.paths[path]
		p.paths[path] = counters{c.received + req.Received, c.ce + req.CeMarked}
		req.Received, req.CeMarked, req.HintSequence = c.received+req.Received, c.ce+req.CeMarked, p.sequence
	}
	return req
}

// tally counts what a comparison met.
type tally struct {
	status          map[event.RateStatus]int
	stale, illegal  int
	noAlpha, lowest int // responses of an ACK with alpha 0, with a window of one packet
	early           int // granted departures that are not now
}

func (m *tally) count(req *event.RateReq, want *oracle.RateResult) {
	m.status[want.Rsp.Status]++
	for _, c := range []struct {
		met  bool
		into *int
	}{
		{want.StaleAck, &m.stale}, {want.IllegalRate, &m.illegal},
		{req.Op == event.RateOpAck && want.Rsp.Status == event.RateStatusDone && want.Rsp.PathAlpha == 0, &m.noAlpha},
		{want.Rsp.PathWindow == windowMin, &m.lowest},
		{want.Rsp.Status == event.RateStatusGranted && want.Rsp.Departure != req.Now<<10, &m.early},
	} {
		if c.met {
			*c.into++
		}
	}
}

// judge gives subject and oracle the same operations from a start time on and returns the first difference.
func judge(s subject, now uint64, steps []step) (tally, error) {
	model := oracle.NewRate(testConnections, testPaths)
	then := past{now: now, paths: map[[2]uint32]counters{}}
	met := tally{status: map[event.RateStatus]int{}}
	for n, st := range steps {
		for i := range st.run {
			req := then.resolve(st.req)
			// What a response held before must not show through.
			got := event.RateRsp{Departure: 1, PathWindow: 2, ConnectionWindow: 3, PathInFlight: 4, ConnectionInFlight: 5, PathAlpha: 6}
			notes := s.Apply(&req, &got)
			want := model.Apply(req)
			met.count(&req, &want)
			wantNotes := Notes{want.IllegalRate, want.StaleAck, want.Update.Srtt, want.Update.Rttvar}
			if got != want.Rsp || notes != wantNotes {
				return met, fmt.Errorf("step %d, operation %d, %+v:\n got  %+v %+v\n want %+v %+v", n, i, req, got, notes, want.Rsp, wantNotes)
			}
		}
	}
	return met, nil
}

// code draws rate codes: slow and fast ones, neighbours in value with different exponents, no limit, illegal ones.
func code(t *rapid.T) uint16 {
	switch rapid.IntRange(0, 5).Draw(t, "code") {
	case 0:
		return 0xffff
	case 1:
		return rapid.Uint16Range(0, 31).Draw(t, "exponent") << 11
	case 2: // values 3 * 2^k and their neighbours, in every way they can be written
		k := rapid.Uint16Range(0, 8).Draw(t, "k")
		return k<<11 | 3<<(8-k) + rapid.Uint16Range(0, 2).Draw(t, "off") - 1
	case 3: // about 100 and 400 Gb/s
		return rapid.SampledFrom([]uint16{10<<11 | 1526, 12<<11 | 1526, 11<<11 | 1526}).Draw(t, "fast")
	}
	return rapid.Uint16().Draw(t, "any")
}

// since draws times between operations in ns.
func since(t *rapid.T) uint64 {
	return rapid.SampledFrom([]uint64{0, 1, 100, 1023, 1024, 1025, 10000, 1 << 20, 1 << 30, 1<<47 - 1, 1 << 47, 1<<48 - 1}).Draw(t, "since")
}

func flag(t *rapid.T, name string) bool { return rapid.IntRange(0, 7).Draw(t, name) == 0 }

func drawAck(t *rapid.T, req *event.RateReq) {
	req.Acked = rapid.SampledFrom([]uint16{0, 1, 1, 2, 3, 4, 16, 255, 256, 65535}).Draw(t, "acked")
	req.Received = rapid.SampledFrom([]uint32{0, 1, 1, 2, 2, 3, 200, 255, 256, 300, 65534, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1}).Draw(t, "received")
	if !rapid.Bool().Draw(t, "unmarked") {
		req.CeMarked = rapid.SampledFrom([]uint32{0, 1, 1, 2, 3, 100, 255, 65535, 1 << 31, 1<<32 - 1}).Draw(t, "ce")
	}
	req.Rtt = rapid.SampledFrom([]uint32{0, 0, 1, 7, 8, 1000, 10000, 1<<31 + 5, 1<<32 - 1}).Draw(t, "rtt")
	req.Lost = rapid.IntRange(0, 3).Draw(t, "lost") == 0
	req.Rate = code(t)
	req.HintSequence = rapid.SampledFrom([]uint16{0, 1, 1, 1, 2, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1<<16 - 1}).Draw(t, "sequence")
}

func drawStep(t *rapid.T) step {
	s := step{req: event.RateReq{Op: event.RateOpSend, Now: since(t)}, run: 1}
	if flag(t, "elsewhere") {
		s.req.Connection = rapid.Uint32Range(0, testConnections).Draw(t, "connection")
		s.req.Path = rapid.Uint16Range(0, testPaths).Draw(t, "path")
	}
	switch op := rapid.IntRange(0, 31).Draw(t, "op"); {
	case op == 0:
		s.req.Op, s.req.Rate, s.req.LossIsCongestion = event.RateOpOpenConnection, code(t), rapid.Bool().Draw(t, "loss")
	case op <= 2:
		s.req.Op = event.RateOpOpenPath
	case op <= 17:
		s.req.Op = event.RateOpAck
		drawAck(t, &s.req)
	default:
		s.req.Bytes = rapid.SampledFrom([]uint16{0, 1, 64, 1500, 4096, 4210, 65535}).Draw(t, "bytes")
	}
	if flag(t, "many") && s.req.Op >= event.RateOpAck {
		s.run = rapid.SampledFrom([]int{2, 5, 17, 200}).Draw(t, "run")
	}
	return s
}

// history is a start time and what happens from then on.
type history struct {
	now   uint64
	steps []step
}

// stimulus draws whole histories; they begin by opening two paths of one connection.
func stimulus() *rapid.Generator[history] {
	return rapid.Custom(func(t *rapid.T) history {
		h := history{now: rapid.SampledFrom([]uint64{0, 5, 1<<47 - 1, 1 << 47, 1<<48 - 2000}).Draw(t, "now")}
		h.steps = opened(code(t), rapid.Bool().Draw(t, "loss"))
		h.steps = append(h.steps, rapid.SliceOfN(rapid.Custom(drawStep), 0, 64).Draw(t, "steps")...)
		return h
	})
}

// opened opens connection 0 with a cap, and its paths 0 and 1.
func opened(limit uint16, loss bool) []step {
	return []step{
		{req: event.RateReq{Op: event.RateOpOpenConnection, Rate: limit, LossIsCongestion: loss}, run: 1},
		{req: event.RateReq{Op: event.RateOpOpenPath}, run: 1},
		{req: event.RateReq{Op: event.RateOpOpenPath, Path: 1}, run: 1},
	}
}

// append writes a step as fuzzers do: op and flags, place, run - 1, then the fields, least significant byte first.
func (s step) append(dst []byte) []byte {
	flags := byte(s.req.Op)
	if s.req.Lost {
		flags |= 4
	}
	if s.req.LossIsCongestion {
		flags |= 8
	}
	dst = append(dst, flags, byte(s.req.Connection&3)|byte(s.req.Path&3)<<2, byte(s.run-1))
	dst = binary.LittleEndian.AppendUint64(dst, s.req.Now)
	for _, v := range []uint32{s.req.Received, s.req.CeMarked, s.req.Rtt} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	for _, v := range []uint16{s.req.Bytes, s.req.Acked, s.req.Rate, s.req.HintSequence} {
		dst = binary.LittleEndian.AppendUint16(dst, v)
	}
	return dst
}

const stepBytes = 3 + 8 + 3*4 + 4*2

// parseSteps reads what append wrote, at most 80 steps; bytes left over are ignored, and so are bits of Now above 48.
func parseSteps(data []byte) (steps []step) {
	le := binary.LittleEndian
	for ; len(data) >= stepBytes && len(steps) < 80; data = data[stepBytes:] {
		steps = append(steps, step{run: int(data[2]) + 1, req: event.RateReq{
			Op: event.RateOp(data[0] & 3), Lost: data[0]&4 != 0, LossIsCongestion: data[0]&8 != 0,
			Connection: uint32(data[1] & 3), Path: uint16(data[1] >> 2 & 3), Now: le.Uint64(data[3:]) % (1 << 48),
			Received: le.Uint32(data[11:]), CeMarked: le.Uint32(data[15:]), Rtt: le.Uint32(data[19:]),
			Bytes: le.Uint16(data[23:]), Acked: le.Uint16(data[25:]), Rate: le.Uint16(data[27:]), HintSequence: le.Uint16(data[29:]),
		}})
	}
	return steps
}

// names puts a map's keys in order, so that every run goes through them alike.
func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestFuzzedStepsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := stimulus().Draw(t, "history").steps
		var data []byte
		for _, s := range want {
			data = s.append(data)
		}
		if got := parseSteps(data); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
