package sack

import (
	"encoding/binary"
	"fmt"
	"maps"
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
	Apply(req *event.SackReq, rsp *event.SackRsp)
}

// anchor says what the PSN of a step counts from. The judge knows base and next from the oracle's last answer.
type anchor uint8

const (
	anchorZero anchor = iota // an absolute PSN
	anchorBase               // next expected PSN
	anchorNext               // highest seen + 1
	anchorRing               // first PSN at or behind base that is at this place of the ring
	anchors
)

// step is a run of operations with consecutive PSNs that are alike otherwise.
type step struct {
	req    event.SackReq // Psn counts from the anchor
	anchor anchor
	run    int // operations, 1 .. 256
}

type edge struct{ base, next uint32 }

// psn resolves the first PSN of a step.
func (s step) psn(at edge) uint32 {
	switch s.anchor {
	case anchorBase:
		return at.base + s.req.Psn
	case anchorNext:
		return at.next + s.req.Psn
	case anchorRing:
		return at.base + (s.req.Psn-at.base)%256
	}
	return s.req.Psn
}

// judge gives subject and oracle the same operations and returns the first difference, with a tally of classes.
func judge(s subject, steps []step) (map[event.SackClass]int, error) {
	model := oracle.NewSack(testConnections, testPaths)
	seen := map[[2]uint32]edge{}
	tally := map[event.SackClass]int{}
	count := 0
	for _, st := range steps {
		path := [2]uint32{st.req.Connection, uint32(st.req.Path)}
		first := st.psn(seen[path])
		for i := range st.run {
			req := st.req
			req.Psn = first + uint32(i)
			// What a response held before must not show through.
			got := event.SackRsp{Cumulative: 1, Next: 2, Received: 3, CeMarked: 4, AckNow: true, Vector: [4]uint64{5, 6, 7, 8}}
			s.Apply(&req, &got)
			want := model.Apply(req)
			if got != want {
				return tally, fmt.Errorf("operation %d, %+v:\n got  %+v\n want %+v", count, req, got, want)
			}
			seen[path] = edge{want.Cumulative, want.Next}
			tally[want.Class]++
			count++
		}
	}
	return tally, nil
}

// nearWrap draws PSNs close to where a counter of some width wraps.
func nearWrap(t *rapid.T) uint32 {
	power := rapid.SampledFrom([]uint{0, 5, 8, 16, 31, 32}).Draw(t, "wrap")
	return uint32(uint64(1)<<power + rapid.Uint64Range(0, 4).Draw(t, "off") - 2)
}

// offset draws distances from an anchor, most of them at an edge of the window or of the comparison.
func offset(t *rapid.T) uint32 {
	switch rapid.IntRange(0, 7).Draw(t, "offset") {
	case 0, 1, 2:
		return rapid.Uint32Range(0, 3).Draw(t, "close")
	case 3:
		return rapid.SampledFrom([]uint32{254, 255, 256, 257}).Draw(t, "edge")
	case 4:
		return 1<<31 + rapid.Uint32Range(0, 4).Draw(t, "half") - 2
	case 5:
		return -rapid.Uint32Range(1, 3).Draw(t, "behind")
	case 6:
		return rapid.Uint32Range(0, 255).Draw(t, "inside")
	}
	return rapid.Uint32().Draw(t, "anywhere")
}

func flag(t *rapid.T, name string) bool { return rapid.IntRange(0, 7).Draw(t, name) == 0 }

func drawStep(t *rapid.T) step {
	s := step{req: event.SackReq{Op: event.SackOpPacket}, anchor: anchorBase, run: 1}
	// One path gets most of the traffic; identifiers reach one beyond the table.
	if flag(t, "elsewhere") {
		s.req.Connection = rapid.Uint32Range(0, testConnections).Draw(t, "connection")
		s.req.Path = rapid.Uint16Range(0, testPaths).Draw(t, "path")
	}
	if rapid.IntRange(0, 15).Draw(t, "open") == 0 {
		s.req.Op, s.anchor, s.req.Psn = event.SackOpOpen, anchorZero, nearWrap(t)
		return s
	}
	s.anchor = anchor(rapid.IntRange(0, int(anchors)-1).Draw(t, "anchor"))
	switch s.anchor {
	case anchorZero:
		s.req.Psn = nearWrap(t)
	case anchorRing:
		s.req.Psn = rapid.SampledFrom([]uint32{0, 31, 32, 63, 64, 254, 255}).Draw(t, "ring")
	default:
		s.req.Psn = offset(t)
	}
	s.req.Ce, s.req.Tail = flag(t, "ce"), flag(t, "tail")
	s.req.AckRequest, s.req.Refused = flag(t, "ack"), flag(t, "refused")
	if flag(t, "many") {
		s.run = rapid.SampledFrom([]int{2, 63, 64, 65, 255, 256}).Draw(t, "run")
	}
	return s
}

// stimulus draws whole histories; the first step opens the busy path, so that few packets are wasted on CLOSED.
func stimulus() *rapid.Generator[[]step] {
	return rapid.Custom(func(t *rapid.T) []step {
		open := step{req: event.SackReq{Op: event.SackOpOpen, Psn: nearWrap(t)}, run: 1}
		return append([]step{open}, rapid.SliceOfN(rapid.Custom(drawStep), 0, 48).Draw(t, "steps")...)
	})
}

// stepBytes is the size of a step as fuzzers write it: flags and op, place and anchor, run - 1, PSN.
const stepBytes = 7

func (s step) append(dst []byte) []byte {
	flags := byte(s.req.Op) & 1
	for i, f := range []bool{s.req.Ce, s.req.AckRequest, s.req.Tail, s.req.Refused} {
		if f {
			flags |= 2 << i
		}
	}
	place := byte(s.req.Connection&3) | byte(s.req.Path&3)<<2 | byte(s.anchor)<<4
	return binary.LittleEndian.AppendUint32(append(dst, flags, place, byte(s.run-1)), s.req.Psn)
}

// parseSteps reads what append wrote, at most 64 steps; bytes left over are ignored.
func parseSteps(data []byte) (steps []step) {
	for ; len(data) >= stepBytes && len(steps) < 64; data = data[stepBytes:] {
		steps = append(steps, step{
			req: event.SackReq{
				Op: event.SackOp(data[0] & 1), Connection: uint32(data[1] & 3), Path: uint16(data[1] >> 2 & 3),
				Psn: binary.LittleEndian.Uint32(data[3:]),
				Ce:  data[0]&2 != 0, AckRequest: data[0]&4 != 0, Tail: data[0]&8 != 0, Refused: data[0]&16 != 0,
			},
			anchor: anchor(data[1] >> 4 & 3),
			run:    int(data[2]) + 1,
		})
	}
	return steps
}

func open(psn uint32) step {
	return step{req: event.SackReq{Op: event.SackOpOpen, Psn: psn}, run: 1}
}

func packets(a anchor, psn uint32, run int) step {
	return step{req: event.SackReq{Op: event.SackOpPacket, Psn: psn}, anchor: a, run: run}
}

// names puts a map's keys in order, so that every run goes through them alike.
func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestFuzzedStepsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := stimulus().Draw(t, "steps")
		var data []byte
		for _, s := range want {
			data = s.append(data)
		}
		if got := parseSteps(data); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
