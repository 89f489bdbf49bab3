package oracle

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Sack is the oracle of the rules sack.*. Make it with NewSack.
type Sack struct {
	connections, paths uint32
	open               map[key]*sackPath
}

type sackPath struct {
	base, next         position
	set                map[position]bool
	received, ceMarked uint64
	pending            int
	lastCe             bool
}

// NewSack makes an oracle in which every path is closed.
func NewSack(connections, paths int) *Sack {
	return &Sack{uint32(connections), uint32(paths), map[key]*sackPath{}}
}

// Apply carries out one operation (spec: sack.open, sack.packet).
func (s *Sack) Apply(req event.SackReq) event.SackRsp {
	rsp := event.SackRsp{Op: req.Op, Connection: req.Connection, Path: req.Path, Psn: req.Psn}
	k := key{req.Connection, uint32(req.Path)}
	inRange := k[0] < s.connections && k[1] < s.paths
	if inRange && req.Op == event.SackOpOpen {
		s.open[k] = &sackPath{base: start(req.Psn), next: start(req.Psn), set: map[position]bool{}}
		rsp.Class, rsp.Cumulative, rsp.Next = event.SackClassOpened, req.Psn, req.Psn
		return rsp
	}
	p := s.open[k]
	if p == nil {
		rsp.Class = event.SackClassClosed
		return rsp
	}
	p.packet(req, &rsp)
	return rsp
}

func (p *sackPath) packet(req event.SackReq, rsp *event.SackRsp) {
	psn := place(req.Psn, p.base)
	holeBefore := p.next != p.base
	rsp.Class = p.classify(psn)
	p.received++
	if req.Ce {
		p.ceMarked++
	}
	fresh := rsp.Class == event.SackClassNewInOrder || rsp.Class == event.SackClassNewOutOfOrder
	if fresh && !req.Refused {
		p.set[psn] = true
		p.next = max(p.next, psn+1)
		for p.set[p.base] {
			delete(p.set, p.base)
			p.base++
		}
	}
	for _, reason := range []bool{
		rsp.Class != event.SackClassNewInOrder, req.Refused, holeBefore, p.next != p.base,
		req.Ce != p.lastCe, req.AckRequest, req.Tail, p.pending+1 >= profile.AckEvery,
	} {
		rsp.AckNow = rsp.AckNow || reason
	}
	if p.pending++; rsp.AckNow {
		p.pending = 0
	}
	p.lastCe = req.Ce
	p.show(rsp)
}

func (p *sackPath) classify(psn position) event.SackClass {
	switch d := psn - p.base; {
	case d < 0:
		return event.SackClassOld
	case d >= profile.WindowPackets:
		return event.SackClassBeyond
	case p.set[psn]:
		return event.SackClassDuplicate
	case d == 0:
		return event.SackClassNewInOrder
	}
	return event.SackClassNewOutOfOrder
}

func (p *sackPath) show(rsp *event.SackRsp) {
	rsp.Cumulative, rsp.Next = p.base.number(), p.next.number()
	rsp.Received, rsp.CeMarked = uint32(p.received), uint32(p.ceMarked)
	for i := range position(profile.WindowPackets) {
		if p.set[p.base+i] {
			rsp.Vector[i/64] |= 1 << (i % 64)
		}
	}
}
