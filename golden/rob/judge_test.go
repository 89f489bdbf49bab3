package rob

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/oracle"
	"metaroce/golden/wire"
	"pgregory.net/rapid"
)

// Sizes of the tables under test: small enough that identifiers out of range, neighbours and a full ring come up often.
const (
	testConnections = 2
	testStreams     = 3
	testDepth       = 8
)

// subject is what the oracle judges: a Table, or one with a planted fault.
type subject interface {
	Apply(req *event.RobReq, rsp *event.RobRsp, retired []event.RobCqe) []event.RobCqe
	Head(connection uint32, stream uint16) (uint32, bool)
}

// step is a run of operations on consecutive messages that are alike otherwise.
type step struct {
	req      event.RobReq // Message counts from the stream's head unless absolute
	absolute bool
	run      int  // operations, 1 .. 16
	down     bool // the run goes down, so that messages complete last to first
}

func (s step) message(head uint32, i int) uint32 {
	m := s.req.Message
	if !s.absolute {
		m += head
	}
	if s.down {
		return m - uint32(i)
	}
	return m + uint32(i)
}

// outcome is all that one operation shows.
type outcome struct {
	rsp  event.RobRsp
	cqes []event.RobCqe
	head uint32
}

// judge gives subject and oracle, whose rings have depth entries, the same operations and returns the first difference,
// with a tally of verdicts and the most messages that one operation retired.
func judge(s subject, depth int, steps []step) (tally map[event.RobVerdict]int, longest int, err error) {
	model := oracle.NewRob(testConnections, testStreams, depth)
	heads := map[[2]uint32]uint32{}
	tally = map[event.RobVerdict]int{}
	kept := event.RobCqe{Message: 77} // what the caller had before must stay
	for n, st := range steps {
		stream := [2]uint32{st.req.Connection, uint32(st.req.Stream)}
		first := heads[stream]
		for i := range st.run {
			req := st.req
			req.Message = st.message(first, i)
			got := outcome{rsp: event.RobRsp{Retired: 99, Verdict: 7}}
			cqes := s.Apply(&req, &got.rsp, []event.RobCqe{kept})
			got.cqes = cqes[1:]
			got.head, _ = s.Head(req.Connection, req.Stream)
			rsp, wantCqes, update := model.Apply(req)
			want := outcome{rsp, wantCqes, update.Head}
			if cqes[0] != kept || got.rsp != want.rsp || got.head != want.head || !slices.Equal(got.cqes, want.cqes) {
				return tally, longest, fmt.Errorf("step %d, operation %d, %+v:\n got  %+v\n want %+v", n, i, req, got, want)
			}
			heads[stream] = want.head
			tally[rsp.Verdict]++
			longest = max(longest, len(wantCqes))
		}
	}
	return tally, longest, nil
}

// nearWrap draws message numbers close to where a counter of some width, or the ring, wraps.
func nearWrap(t *rapid.T) uint32 {
	power := rapid.SampledFrom([]uint{0, 3, 8, 16, 31, 32}).Draw(t, "wrap")
	return uint32(uint64(1)<<power + rapid.Uint64Range(0, 4).Draw(t, "off") - 2)
}

// offset draws distances from the head, most of them inside the ring or at an edge.
func offset(t *rapid.T) uint32 {
	switch rapid.IntRange(0, 7).Draw(t, "offset") {
	case 0:
		return rapid.SampledFrom([]uint32{testDepth - 1, testDepth, testDepth + 1}).Draw(t, "edge")
	case 1:
		return 1<<31 + rapid.Uint32Range(0, 4).Draw(t, "half") - 2
	case 2:
		return -rapid.Uint32Range(1, testDepth+1).Draw(t, "behind")
	}
	return rapid.Uint32Range(0, testDepth-1).Draw(t, "inside")
}

// A few lengths and sizes that add up in many ways: complete at once, in two, in many, too many, near 2^32.
var (
	lengths = []uint32{0, 1, 2, 64, 4096, 65535, 65536, 131070, 1<<32 - 1}
	sizes   = []uint16{0, 1, 63, 64, 4095, 4096, 65535}
)

func drawStep(t *rapid.T) step {
	s := step{req: event.RobReq{Op: event.RobOpPacket}, run: 1}
	if rapid.IntRange(0, 7).Draw(t, "elsewhere") == 0 {
		s.req.Connection = rapid.Uint32Range(0, testConnections).Draw(t, "connection")
		s.req.Stream = rapid.Uint16Range(0, testStreams).Draw(t, "stream")
	}
	if rapid.IntRange(0, 23).Draw(t, "open") == 0 {
		s.req.Op, s.absolute, s.req.Message = event.RobOpOpen, true, nearWrap(t)
		return s
	}
	s.req.Message = offset(t)
	if rapid.Bool().Draw(t, "usual") { // so that many packets agree on their message
		s.req.Length, s.req.Bytes, s.req.Opcode = 128, 64, wire.OpcodeWrite
	} else {
		s.drawOdd(t)
	}
	s.req.Ordinal, s.req.Immediate = rapid.Uint32Range(0, 3).Draw(t, "ordinal"), rapid.Uint32Range(0, 3).Draw(t, "immediate")
	if rapid.IntRange(0, 3).Draw(t, "many") == 0 {
		s.run, s.down = rapid.IntRange(2, 2*testDepth).Draw(t, "run"), rapid.Bool().Draw(t, "down")
	}
	return s
}

// drawOdd draws a size, length and opcode that may or may not fit a message already started.
func (s *step) drawOdd(t *rapid.T) {
	s.req.Length = rapid.SampledFrom(lengths).Draw(t, "length")
	s.req.Bytes = rapid.SampledFrom(sizes).Draw(t, "bytes")
	if rapid.Bool().Draw(t, "whole") {
		s.req.Bytes = uint16(min(s.req.Length, 65535))
	}
	s.req.Opcode = rapid.SampledFrom([]wire.Opcode{wire.OpcodeWrite, wire.OpcodeWrite, wire.OpcodeSendImm, 0}).Draw(t, "opcode")
}

// stimulus draws whole histories; the first step opens the busy stream, so that few packets are wasted on CLOSED.
func stimulus() *rapid.Generator[[]step] {
	return rapid.Custom(func(t *rapid.T) []step {
		return append([]step{open(nearWrap(t))}, rapid.SliceOfN(rapid.Custom(drawStep), 0, 64).Draw(t, "steps")...)
	})
}

// stepBytes is the size of a step as fuzzers write it.
const stepBytes = 18

func (s step) append(dst []byte) []byte {
	flags := byte(s.req.Op) & 1
	if s.absolute {
		flags |= 2
	}
	if s.down {
		flags |= 4
	}
	place := byte(s.req.Connection&3) | byte(s.req.Stream&3)<<2 | byte(s.run-1)<<4
	dst = append(dst, flags, place, byte(s.req.Opcode), byte(s.req.Ordinal), byte(s.req.Immediate), 0, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, s.req.Message)
	dst = binary.LittleEndian.AppendUint32(dst, s.req.Length)
	return binary.LittleEndian.AppendUint16(dst, s.req.Bytes)
}

// parseSteps reads what append wrote, at most 64 steps; bytes left over are ignored.
func parseSteps(data []byte) (steps []step) {
	for ; len(data) >= stepBytes && len(steps) < 64; data = data[stepBytes:] {
		steps = append(steps, step{
			req: event.RobReq{
				Op: event.RobOp(data[0] & 1), Connection: uint32(data[1] & 3), Stream: uint16(data[1] >> 2 & 3),
				Opcode: wire.Opcode(data[2]), Ordinal: uint32(data[3]), Immediate: uint32(data[4]),
				Message: binary.LittleEndian.Uint32(data[8:]), Length: binary.LittleEndian.Uint32(data[12:]),
				Bytes: binary.LittleEndian.Uint16(data[16:]),
			},
			absolute: data[0]&2 != 0, down: data[0]&4 != 0, run: int(data[1]>>4) + 1,
		})
	}
	return steps
}

func open(message uint32) step {
	return step{req: event.RobReq{Op: event.RobOpOpen, Message: message}, absolute: true, run: 1}
}

// packets is a run of packets from head + message, each with so many bytes of a message of a length.
func packets(message, length uint32, bytes uint16, run int) step {
	return step{req: event.RobReq{
		Op: event.RobOpPacket, Message: message, Length: length, Bytes: bytes, Opcode: wire.OpcodeSend, Ordinal: 5, Immediate: 6,
	}, run: run}
}

// names puts a map's keys in order, so that every run goes through them alike.
func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestFuzzedStepsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := stimulus().Draw(t, "steps")
		want = want[:min(len(want), 64)]
		var data []byte
		for _, s := range want {
			data = s.append(data)
		}
		if got := parseSteps(data); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
