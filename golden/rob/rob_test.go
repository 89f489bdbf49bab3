package rob

import (
	"reflect"
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/wire"
	"pgregory.net/rapid"
)

// starts are message numbers around which every named history is run.
var starts = []uint32{0, 1, 6, 7, 8, 254, 256, 1<<16 - 1, 1<<31 - 2, 1<<31 - 1, 1 << 31, 1<<32 - 9, 1<<32 - 2, 1<<32 - 1}

// reopcode is a packet of another opcode than its fellows.
func reopcode(s step) step {
	s.req.Opcode = wire.OpcodeWriteImm
	return s
}

// down turns the run of a step round: from its first message to lower ones.
func down(s step) step {
	s.down = true
	return s
}

// histories are the cases that a random walk meets rarely; they also seed the fuzzer.
var histories = map[string][]step{
	"zero length at once":                {packets(0, 0, 0, 1), packets(1, 0, 0, 1), packets(0, 0, 0, 1)},
	"zero length with bytes":             {packets(0, 0, 1, 1)},
	"one packet each, past the ring":     {packets(0, 64, 64, 8), packets(0, 64, 64, 8), packets(0, 64, 64, 4)},
	"full ring retires at once":          {down(packets(7, 64, 64, 7)), packets(0, 64, 64, 1)},
	"full ring of empty messages":        {down(packets(7, 0, 0, 8))},
	"two packets a message, interleaved": {packets(0, 128, 64, 8), packets(0, 128, 64, 8)},
	"bytes without progress":             {packets(0, 1, 0, 2), packets(0, 1, 1, 1), packets(^uint32(0), 1, 0, 1)},
	"repeats of a complete message":      {packets(1, 9, 9, 1), packets(1, 9, 9, 1), packets(1, 8, 9, 1), packets(0, 9, 9, 1)},
	"beyond the ring":                    {packets(8, 1, 1, 1), packets(9, 1, 1, 1), packets(7, 1, 1, 1), packets(1<<31-1, 1, 1, 1)},
	"half the range":                     {packets(1<<31, 1, 1, 1), packets(1<<31+1, 1, 1, 1)},
	"another length":                     {packets(0, 128, 64, 1), packets(0, 129, 64, 1), packets(0, 128, 64, 1)},
	"another opcode":                     {packets(0, 128, 64, 1), reopcode(packets(0, 128, 64, 1)), packets(0, 128, 64, 1)},
	"more bytes than the length":         {packets(0, 100, 64, 1), packets(0, 100, 37, 1), packets(0, 100, 36, 1)},
	"first packet longer than message":   {packets(0, 63, 64, 1), packets(0, 64, 64, 1)},
	"sum above 2^16":                     {packets(0, 131070, 65535, 1), packets(0, 131070, 65535, 1)},
	"opened again with a full ring":      {packets(1, 64, 64, 7), open(3), packets(0, 0, 0, 1), packets(0, 64, 64, 8)},
}

func TestAgreesWithOracleOnNamedHistories(t *testing.T) {
	for _, name := range names(histories) {
		history := histories[name]
		for _, message := range starts {
			if _, _, err := judge(New(testConnections, testStreams, testDepth), testDepth, append([]step{open(message)}, history...)); err != nil {
				t.Errorf("%s from message %#x: %v", name, message, err)
			}
		}
	}
}

// Every depth that the spec allows: the ring is filled from its end, so that the packet of the head retires all of it.
func TestFullRingOfEveryDepthRetiresAtOnce(t *testing.T) {
	for depth := 4; depth <= 256; depth *= 2 {
		for _, message := range starts {
			steps := []step{open(message), packets(uint32(depth), 64, 64, 1)}
			for from := uint32(depth - 1); from > 0; from-- {
				steps = append(steps, packets(from, 64, 64, 1))
			}
			steps = append(steps, packets(0, 64, 64, 1), packets(0, 64, 64, 1))
			tally, longest, err := judge(New(testConnections, testStreams, depth), depth, steps)
			if err != nil || longest != depth || tally[event.RobVerdictBeyond] != 1 {
				t.Errorf("depth %d from message %#x: %d retired at once, %v, %v", depth, message, longest, tally, err)
			}
		}
	}
}

func TestAgreesWithOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, _, err := judge(New(testConnections, testStreams, testDepth), testDepth, stimulus().Draw(t, "steps")); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzAgreesWithOracle(f *testing.F) {
	for _, name := range names(histories) {
		history := histories[name]
		for _, message := range []uint32{0, 1<<31 - 2, 1<<32 - 2} {
			var data []byte
			for _, s := range append([]step{open(message)}, history...) {
				data = s.append(data)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, _, err := judge(New(testConnections, testStreams, testDepth), testDepth, parseSteps(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// A comparison that never meets a verdict, or never retires a full ring, proves nothing about it.
func TestStimulusMeetsEveryVerdictOften(t *testing.T) {
	total, longest := map[event.RobVerdict]int{}, 0
	for seed := range 100 {
		tally, retired, err := judge(New(testConnections, testStreams, testDepth), testDepth, stimulus().Example(seed))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for verdict, count := range tally {
			total[verdict] += count
		}
		longest = max(longest, retired)
	}
	for verdict := event.RobVerdictCounted; verdict <= event.RobVerdictOpened; verdict++ {
		if total[verdict] < 50 {
			t.Errorf("verdict %v was met %d times in 100 histories, want 50 at least", verdict, total[verdict])
		}
	}
	if longest < testDepth/2 {
		t.Errorf("at most %d messages retired at once, want %d at least", longest, testDepth/2)
	}
}

// Counting up to lengths near 2^32 takes too many packets for a history, so the entry is put there.
func TestSumNearTheLargestLengthDoesNotWrap(t *testing.T) {
	const most = 1<<32 - 1
	cases := []struct {
		received uint32
		bytes    uint16
		want     event.RobVerdict
	}{
		{most - 1, 1, event.RobVerdictCompleted},
		{most - 1, 2, event.RobVerdictInconsistent}, // the sum is 2^32, which would wrap to 0
		{most - 2, 1, event.RobVerdictCounted},
		{most - 65534, 65535, event.RobVerdictInconsistent},
		{most - 65535, 65535, event.RobVerdictCompleted},
	}
	for _, c := range cases {
		e := entry{received: c.received, length: most, state: started}
		req := event.RobReq{Length: most, Bytes: c.bytes}
		got := event.RobVerdictInconsistent
		if e.consistent(&req) {
			got = e.add(&req)
		}
		if got != c.want {
			t.Errorf("%d received + %d: got %v, want %v", c.received, c.bytes, got, c.want)
		}
	}
}

func TestZeroTableAnswersClosed(t *testing.T) {
	var table Table
	var rsp event.RobRsp
	if cqes := table.Apply(&event.RobReq{Op: event.RobOpOpen}, &rsp, nil); len(cqes) != 0 || rsp.Verdict != event.RobVerdictClosed {
		t.Errorf("OPEN of a zero Table: got %v and %d completions, want CLOSED and none", rsp.Verdict, len(cqes))
	}
}

func TestContextIsTheStreamsState(t *testing.T) {
	table := New(1, 2, 4)
	var rsp event.RobRsp
	table.Apply(&event.RobReq{Op: event.RobOpOpen, Stream: 1, Message: 1<<32 - 1}, &rsp, nil)
	table.Apply(&event.RobReq{Op: event.RobOpPacket, Stream: 1, Message: 1, Length: 8, Bytes: 8, Opcode: 3, Ordinal: 4, Immediate: 5}, &rsp, nil)
	table.Apply(&event.RobReq{Op: event.RobOpPacket, Stream: 1, Message: 0, Length: 9, Bytes: 2, Opcode: 1}, &rsp, nil)
	want := Context{Open: true, Head: 1<<32 - 1, Entries: []Entry{
		{Message: 0, Received: 2, Length: 9, Opcode: 1},
		{Message: 1, Received: 8, Length: 8, Complete: true, Opcode: 3, Ordinal: 4, Immediate: 5},
	}}
	if got, ok := table.Context(0, 1); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, ok, want)
	}
	if head, open := table.Head(0, 0); head != 0 || open {
		t.Errorf("head of a closed stream: got %d, %v; want 0, false", head, open)
	}
	if _, ok := table.Context(0, 2); ok {
		t.Error("stream 2 of 2 must have no context")
	}
}

func TestNewRefusesSizes(t *testing.T) {
	for _, size := range [][3]int{{0, 1, 4}, {1, 0, 4}, {1, 1, 0}, {1, 1, 12}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New(%v) did not panic", size)
				}
			}()
			New(size[0], size[1], size[2])
		}()
	}
}
