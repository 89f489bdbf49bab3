package sack

import (
	"math/rand/v2"
	"testing"

	"metaroce/golden/event"
)

func TestApplyDoesNotAllocate(t *testing.T) {
	table := New(4, 4)
	req := event.SackReq{Op: event.SackOpOpen}
	var rsp event.SackRsp
	table.Apply(&req, &rsp)
	req.Op = event.SackOpPacket
	if got := testing.AllocsPerRun(1000, func() {
		req.Psn = req.Psn*5 + 1
		table.Apply(&req, &rsp)
		req.Psn = rsp.Cumulative
		table.Apply(&req, &rsp)
	}); got != 0 {
		t.Errorf("%v allocations per two packets, want 0", got)
	}
}

// benchmark applies packets whose PSN is the next one of their path plus an offset from the list, round and round.
func benchmark(b *testing.B, connections, paths int, offsets []uint32) {
	table := New(connections, paths)
	var rsp event.SackRsp
	for c := range connections {
		for p := range paths {
			table.Apply(&event.SackReq{Op: event.SackOpOpen, Connection: uint32(c), Path: uint16(p)}, &rsp)
		}
	}
	// A fixed random order of paths: what a network simulation of many connections does to the cache.
	order := rand.New(rand.NewPCG(1, 2)).Perm(connections * paths)
	next := make([]uint32, len(order))
	b.ReportAllocs()
	at, i := 0, 0
	for b.Loop() {
		index := order[at]
		if at++; at == len(order) {
			at, i = 0, i+1
			if i == len(offsets) {
				i = 0
			}
		}
		req := event.SackReq{Op: event.SackOpPacket, Connection: uint32(index / paths), Path: uint16(index % paths)}
		req.Psn = next[index] + offsets[i]
		table.Apply(&req, &rsp)
		next[index] = rsp.Cumulative
	}
}

func BenchmarkInOrder(b *testing.B)           { benchmark(b, 1, 1, []uint32{0}) }
func BenchmarkReordered(b *testing.B)         { benchmark(b, 1, 1, []uint32{2, 1, 0, 40, 3, 0, 0, 0}) }
func BenchmarkInOrder32768Paths(b *testing.B) { benchmark(b, 4096, 8, []uint32{0}) }
func BenchmarkReordered32768Paths(b *testing.B) {
	benchmark(b, 4096, 8, []uint32{2, 1, 0, 40, 3, 0, 0, 0})
}
