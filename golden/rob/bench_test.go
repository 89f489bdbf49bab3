package rob

import (
	"math/rand/v2"
	"testing"

	"metaroce/golden/event"
)

func TestApplyDoesNotAllocate(t *testing.T) {
	const depth = 16
	table := New(4, 4, depth)
	var rsp event.RobRsp
	retired := make([]event.RobCqe, 0, depth)
	table.Apply(&event.RobReq{Op: event.RobOpOpen}, &rsp, nil)
	message, total := uint32(0), 0
	if got := testing.AllocsPerRun(1000, func() {
		for i := range uint32(depth) { // last to first, so that the last operation retires the whole ring
			req := event.RobReq{Op: event.RobOpPacket, Message: message + depth - 1 - i, Length: 9, Bytes: 9}
			retired = table.Apply(&req, &rsp, retired[:0])
			total += len(retired)
		}
		message += depth
	}); got != 0 || total != 1001*depth {
		t.Errorf("%v allocations per full ring and %d completions, want 0 and %d", got, total, 1001*depth)
	}
}

// benchmark applies one-packet or many-packet messages; offset is how far ahead of the head the next packet is.
func benchmark(b *testing.B, connections, streams int, packets uint32, ahead []uint32) {
	const depth = 64
	table := New(connections, streams, depth)
	var rsp event.RobRsp
	for c := range connections {
		for s := range streams {
			table.Apply(&event.RobReq{Op: event.RobOpOpen, Connection: uint32(c), Stream: uint16(s)}, &rsp, nil)
		}
	}
	// A fixed random order of streams: what a network simulation of many connections does to the cache.
	order := rand.New(rand.NewPCG(1, 2)).Perm(connections * streams)
	sent := make([]uint32, len(order)) // packets of each stream
	retired := make([]event.RobCqe, 0, depth)
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		index := order[at]
		if at++; at == len(order) {
			at = 0
		}
		message := sent[index] / packets
		sent[index]++
		message = message - message%uint32(len(ahead)) + ahead[message%uint32(len(ahead))]
		req := event.RobReq{
			Op: event.RobOpPacket, Connection: uint32(index / streams), Stream: uint16(index % streams),
			Message: message, Length: 4096 * packets, Bytes: 4096, Opcode: 1,
		}
		retired = table.Apply(&req, &rsp, retired[:0])
	}
}

func BenchmarkOnePacketMessages(b *testing.B)     { benchmark(b, 1, 1, 1, []uint32{0}) }
func BenchmarkSixteenPacketMessages(b *testing.B) { benchmark(b, 1, 1, 16, []uint32{0}) }
func BenchmarkReorderedMessages(b *testing.B)     { benchmark(b, 1, 1, 1, []uint32{3, 1, 2, 0}) }
func BenchmarkReordered16384Streams(b *testing.B) { benchmark(b, 4096, 4, 1, []uint32{3, 1, 2, 0}) }
