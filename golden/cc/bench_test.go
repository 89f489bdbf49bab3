package cc

import (
	"math/rand/v2"
	"testing"

	"metaroce/golden/event"
)

func TestApplyDoesNotAllocate(t *testing.T) {
	table := New(4, 4)
	var rsp event.RateRsp
	table.Apply(&event.RateReq{Op: event.RateOpOpenConnection, Rate: 0xffff}, &rsp)
	table.Apply(&event.RateReq{Op: event.RateOpOpenPath}, &rsp)
	send := event.RateReq{Op: event.RateOpSend, Bytes: 4210}
	ack := event.RateReq{Op: event.RateOpAck, Acked: 1, Rtt: 1000, Rate: 12<<11 | 1526}
	granted := 0
	if got := testing.AllocsPerRun(1000, func() {
		send.Now += 100
		if table.Apply(&send, &rsp); rsp.Status == event.RateStatusGranted {
			granted++
		}
		ack.Now = send.Now + 50
		ack.Received++
		ack.CeMarked += ack.Received & 1
		ack.HintSequence++
		table.Apply(&ack, &rsp)
	}); got != 0 || granted != 1001 {
		t.Errorf("%v allocations and %d packets granted, want 0 and 1001", got, granted)
	}
}

// benchmark sends one packet and acknowledges it, on one path after another in a fixed random order: what a network
// simulation of many connections does to the cache. One operation of it is a SEND and an ACK.
func benchmark(b *testing.B, connections, paths int, marked uint32) {
	table := New(connections, paths)
	var rsp event.RateRsp
	for c := range connections {
		table.Apply(&event.RateReq{Op: event.RateOpOpenConnection, Connection: uint32(c), Rate: 12<<11 | 1526}, &rsp)
		for p := range paths {
			table.Apply(&event.RateReq{Op: event.RateOpOpenPath, Connection: uint32(c), Path: uint16(p)}, &rsp)
		}
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(connections * paths)
	b.ReportAllocs()
	at, round, now := 0, uint32(0), uint64(0)
	for b.Loop() {
		index := order[at]
		if at++; at == len(order) {
			at, round = 0, round+1
		}
		now += 100
		c, p := uint32(index/paths), uint16(index%paths)
		table.Apply(&event.RateReq{Op: event.RateOpSend, Connection: c, Path: p, Now: now, Bytes: 4210}, &rsp)
		table.Apply(&event.RateReq{
			Op: event.RateOpAck, Connection: c, Path: p, Now: now + 50, Acked: 1, Received: round, CeMarked: round * marked,
			Rtt: 10000, Rate: 12<<11 | 1526, HintSequence: uint16(round),
		}, &rsp)
	}
}

func BenchmarkSendAndAck(b *testing.B)           { benchmark(b, 1, 1, 0) }
func BenchmarkSendAndAckMarked(b *testing.B)     { benchmark(b, 1, 1, 1) }
func BenchmarkSendAndAck32768Paths(b *testing.B) { benchmark(b, 4096, 8, 0) }
func BenchmarkInterval(b *testing.B) {
	sum, code := uint64(0), uint16(0)
	for b.Loop() {
		code += 0x1357
		sum += Interval(code, 4210)
	}
	if sum == 0 {
		b.Error("all intervals are 0")
	}
}
