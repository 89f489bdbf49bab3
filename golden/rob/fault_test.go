package rob

import (
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/oracle"
)

type completions = []event.RobCqe

// faulty is a Table with one planted fault: before and after see the operation and the stream's ring around it.
type faulty struct {
	*Table
	before func(h *head, ring []entry, req *event.RobReq)
	after  func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions
}

func (f *faulty) Apply(req *event.RobReq, rsp *event.RobRsp, retired []event.RobCqe) []event.RobCqe {
	index, ok := f.index(req.Connection, req.Stream)
	if !ok {
		return f.Table.Apply(req, rsp, retired)
	}
	changed := *req
	if f.before != nil {
		f.before(&f.heads[index], f.ring(index), &changed)
	}
	cqes := f.Table.Apply(&changed, rsp, nil)
	rsp.Message = req.Message
	if f.after != nil {
		cqes = f.after(&f.heads[index], f.ring(index), req, rsp, cqes)
	}
	return append(retired, cqes...)
}

// stale carries an entry from before to after.
var stale entry

// faults are mistakes that implementations make. Each must be found, or the comparison proves nothing against it.
var faults = map[string]faulty{
	"message numbers compared without the wrap": {before: func(h *head, ring []entry, req *event.RobReq) {
		if req.Op == event.RobOpPacket && req.Message < uint32(h.message) {
			req.Message = uint32(h.message) - 1
		}
	}},
	"half the range is beyond, not stale": {after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		if rsp.Verdict == event.RobVerdictStale && req.Message-uint32(h.message) == 1<<31 {
			rsp.Verdict = event.RobVerdictBeyond
		}
		return cqes
	}},
	"ring one message too long": {before: func(h *head, ring []entry, req *event.RobReq) {
		if req.Op == event.RobOpPacket && req.Message-uint32(h.message) == testDepth {
			req.Message--
		}
	}},
	"other length not noticed": {before: func(h *head, ring []entry, req *event.RobReq) {
		if e := ring[req.Message%testDepth]; e.state == started {
			req.Length = e.length
		}
	}},
	"other opcode not noticed": {before: func(h *head, ring []entry, req *event.RobReq) {
		if e := ring[req.Message%testDepth]; e.state == started {
			req.Opcode = e.opcode
		}
	}},
	"too many bytes cut to the length": {before: func(h *head, ring []entry, req *event.RobReq) {
		if uint32(req.Bytes) > req.Length {
			req.Bytes = uint16(req.Length)
		}
	}},
	"immediate of the last packet, not the first": {before: func(h *head, ring []entry, req *event.RobReq) {
		if e := &ring[req.Message%testDepth]; e.state == started {
			e.immediate = req.Immediate
		}
	}},
	"ordinal lost": {before: func(h *head, ring []entry, req *event.RobReq) { req.Ordinal = 0 }},
	"message retired early": {after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		if e := &ring[uint32(h.message)%testDepth]; rsp.Verdict == event.RobVerdictCounted && e.received > 0 && e.received+1 >= e.length {
			e.state = idle
			h.message++
		}
		return cqes
	}},
	"zero-length message waits for bytes": {after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		if rsp.Verdict == event.RobVerdictCompleted && req.Length == 0 {
			rsp.Verdict = event.RobVerdictCounted
		}
		return cqes
	}},
	"at most four retired at once": {after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		return cqes[:min(len(cqes), 4)]
	}},
	"completions in reverse": {after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		if last := len(cqes) - 1; last > 0 {
			cqes[0], cqes[last] = cqes[last], cqes[0]
		}
		return cqes
	}},
	"OPEN keeps one entry of the ring": {before: func(h *head, ring []entry, req *event.RobReq) {
		if req.Op == event.RobOpOpen {
			stale = ring[testDepth-1]
		}
	}, after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		if rsp.Verdict == event.RobVerdictOpened {
			ring[testDepth-1] = stale
		}
		return cqes
	}},
	"head not moved over the last complete message": {after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
		if len(cqes) > 1 {
			h.message--
		}
		return cqes
	}},
}

// plantedSeeds is how many fixed histories a fault may take to show.
const plantedSeeds = 200

func TestOracleFindsPlantedFaults(t *testing.T) {
	for _, name := range names(faults) {
		fault := faults[name]
		t.Run(name, func(t *testing.T) {
			for seed := range plantedSeeds {
				f := fault
				f.Table = New(testConnections, testStreams, testDepth)
				if _, _, err := judge(&f, testDepth, stimulus().Example(seed)); err != nil {
					t.Logf("found with seed %d: %v", seed, err)
					return
				}
			}
			t.Errorf("not found in %d histories", plantedSeeds)
		})
	}
}

func TestOracleSeesEveryFieldOfResponseAndCompletion(t *testing.T) {
	history := []step{open(7), packets(0, 0, 0, 1)}
	var name string
	for field := range oracle.Fields(&event.RobRsp{}) {
		f := faulty{Table: New(testConnections, testStreams, testDepth), after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
			name = oracle.Flip(rsp, field)
			return cqes
		}}
		if _, _, err := judge(&f, testDepth, history); err == nil {
			t.Errorf("a changed %s of the response was not seen", name)
		}
	}
	for field := range oracle.Fields(&event.RobCqe{}) {
		f := faulty{Table: New(testConnections, testStreams, testDepth), after: func(h *head, ring []entry, req *event.RobReq, rsp *event.RobRsp, cqes completions) completions {
			for i := range cqes {
				name = oracle.Flip(&cqes[i], field)
			}
			return cqes
		}}
		if _, _, err := judge(&f, testDepth, history); err == nil {
			t.Errorf("a changed %s of the completion was not seen", name)
		}
	}
}
