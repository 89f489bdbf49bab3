package oracle

import (
	"strings"
	"testing"

	"metaroce/golden/event"
)

// The oracle is judged by cases worked out by hand from the text of the rules.

func TestPlaceChoosesTheNearestPosition(t *testing.T) {
	cases := []struct {
		number uint32
		from   uint32
		want   position // distance from the reference
	}{
		{5, 5, 0}, {0, 1<<32 - 1, 1}, {1<<32 - 1, 0, -1}, {1<<31 - 1, 0, 1<<31 - 1}, {1 << 31, 0, -1 << 31}, {2, 2 + 1<<31, -1 << 31},
	}
	for _, c := range cases {
		reference := start(c.from)
		if got := place(c.number, reference) - reference; got != c.want {
			t.Errorf("%#x next to %#x: got distance %d, want %d", c.number, c.from, got, c.want)
		}
	}
}

func TestBeforeAtHalfTheRange(t *testing.T) {
	if !before(n(1<<15), n(0), 16) || !before(n(0), n(1<<15), 16) || before(n(1<<15-1), n(0), 16) || before(n(7), n(7), 16) {
		t.Error("16 bits: at half the range each is before the other; one less is after, and a number is not before itself")
	}
}

func TestFitsStopsAtTheWidth(t *testing.T) {
	if got := n(1<<35-1).fits("x", 35); got != 1<<35-1 {
		t.Errorf("got %d", got)
	}
	for _, bad := range []num{n(1 << 35), n(0).minus(n(1))} {
		func() {
			defer func() {
				if message, _ := recover().(string); !strings.Contains(message, "35 bits") {
					t.Errorf("%v in 35 bits: got %q, want a panic that names the width", bad.v, message)
				}
			}()
			bad.fits("srtt", 35)
		}()
	}
}

func TestSackByHand(t *testing.T) {
	s := NewSack(1, 1)
	s.Apply(event.SackReq{Op: event.SackOpOpen, Psn: 1<<32 - 1})
	packet := func(psn uint32) event.SackRsp { return s.Apply(event.SackReq{Op: event.SackOpPacket, Psn: psn}) }
	packet(1<<32 - 1)
	packet(2) // 0 and 1 are missing
	got := packet(0)
	want := event.SackRsp{
		Op: event.SackOpPacket, Class: event.SackClassNewInOrder, AckNow: true,
		Cumulative: 1, Next: 3, Received: 3, Vector: [4]uint64{2},
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestRobByHand(t *testing.T) {
	r := NewRob(1, 1, 4)
	r.Apply(event.RobReq{Op: event.RobOpOpen, Message: 1<<32 - 1})
	r.Apply(event.RobReq{Op: event.RobOpPacket, Message: 0, Length: 0, Ordinal: 3})
	rsp, cqes, update := r.Apply(event.RobReq{Op: event.RobOpPacket, Message: 1<<32 - 1, Length: 5, Bytes: 5, Immediate: 8})
	if rsp.Verdict != event.RobVerdictCompleted || rsp.Retired != 2 || update.Head != 1 || len(cqes) != 2 {
		t.Fatalf("got %+v, %d completions, head %d; want COMPLETED, 2 retired, head 1", rsp, len(cqes), update.Head)
	}
	if cqes[0].Immediate != 8 || cqes[0].Length != 5 || cqes[1].Ordinal != 3 || cqes[1].Message != 0 {
		t.Errorf("completions out of order or with other fields: %+v", cqes)
	}
}

// One round of four packets, one marked, after 2,000 ns with an RTT of 1,000 ns. F = 1/4 = 16384. alpha = 65535 - 4095 + 1024
// = 62464. The path's window is 4 * 256 = 1024, less floor(1024 * 62464 / 2^17) = 488: 536.
func TestRateByHand(t *testing.T) {
	r := NewRate(1, 1)
	r.Apply(event.RateReq{Op: event.RateOpOpenConnection, Rate: 1000}) // 64 Mb/s: 125 ns a byte
	r.Apply(event.RateReq{Op: event.RateOpOpenPath})
	first := r.Apply(event.RateReq{Op: event.RateOpSend, Now: 10, Bytes: 100})
	second := r.Apply(event.RateReq{Op: event.RateOpSend, Now: 10, Bytes: 100})
	// The first starts the pace at 10 ns; the second may go a burst of 1,024 ns ahead of 10 + 12,500 ns.
	if first.Rsp.Departure != 10<<10 || second.Rsp.Departure != (10+12500-1024)<<10 {
		t.Errorf("departures %d and %d, want %d and %d", first.Rsp.Departure, second.Rsp.Departure, 10<<10, (10+12500-1024)<<10)
	}
	got := r.Apply(event.RateReq{
		Op: event.RateOpAck, Now: 2000, Acked: 2, Received: 4, CeMarked: 1, Rtt: 1000, Rate: 500, HintSequence: 1,
	})
	want := event.RateRsp{
		Op: event.RateOpAck, Status: event.RateStatusDone, PathWindow: 536, PathAlpha: 62464,
		ConnectionWindow: 4096 - 4096*62464>>17,
	}
	if got.Rsp != want || got.Update.Srtt != 8000 || got.Update.Rttvar != 2000 {
		t.Errorf("got  %+v srtt %d rttvar %d\nwant %+v 8000 2000", got.Rsp, got.Update.Srtt, got.Update.Rttvar, want)
	}
}
