package cc

import (
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/oracle"
	"metaroce/golden/seq"
)

// scene is one operation of a faulty Table: the contexts it names, as they are and as they were, and what goes in and out.
type scene struct {
	c, wasC *connection
	p, wasP *path
	req     event.RateReq
	rsp     *event.RateRsp
}

func (s *scene) is(op event.RateOp) bool { return s.req.Op == op && s.c.open && s.p.open }

func (s *scene) acked() bool   { return s.is(event.RateOpAck) && s.rsp.Status == event.RateStatusDone }
func (s *scene) granted() bool { return s.rsp.Status == event.RateStatusGranted }

// delta is how far the path's counter of received packets has moved.
func (s *scene) delta() uint32 { return s.req.Received - s.wasP.lastReceived }

// early is a time less the burst.
func early(t seq.Time) seq.Time { return (t - burst) % (1 << 58) }

// interval is what the operation has to pace.
func (s *scene) interval() seq.Time {
	return seq.Time(Interval(slower(s.wasC.hint, s.wasC.cap), s.req.Bytes))
}

// faulty is a Table with one planted fault: before and after run around each operation that has contexts.
type faulty struct {
	*Table
	before, after func(s *scene)
}

func (f *faulty) Apply(req *event.RateReq, rsp *event.RateRsp) Notes {
	if req.Connection >= f.connections || uint32(req.Path) >= f.paths {
		return f.Table.Apply(req, rsp)
	}
	s := &scene{c: &f.conns[req.Connection], p: &f.all[req.Connection*f.paths+uint32(req.Path)], req: *req, rsp: rsp}
	wasC, wasP := *s.c, *s.p
	s.wasC, s.wasP = &wasC, &wasP
	if f.before != nil {
		f.before(s)
	}
	notes := f.Table.Apply(&s.req, rsp)
	s.req = *req
	if f.after != nil {
		f.after(s)
	}
	return notes
}

// plantedSeeds is how many fixed random histories a fault may take to show, after the named ones.
const plantedSeeds = 200

func TestOracleFindsPlantedFaults(t *testing.T) {
	for _, name := range names(faults) {
		fault := faults[name]
		t.Run(name, func(t *testing.T) {
			if err := find(fault); err != nil {
				t.Log(err)
				return
			}
			t.Errorf("not found in the named histories and %d random ones", plantedSeeds)
		})
	}
}

// find returns the difference that a fault makes, or nil if none shows.
func find(fault faulty) error {
	for _, name := range names(histories) {
		steps := histories[name]
		for _, limit := range capsTried {
			fault.Table = New(testConnections, testPaths)
			if _, err := judge(&fault, 0, append(opened(limit, false), steps...)); err != nil {
				return err
			}
		}
	}
	for seed := range plantedSeeds {
		h := stimulus().Example(seed)
		fault.Table = New(testConnections, testPaths)
		if _, err := judge(&fault, h.now, h.steps); err != nil {
			return err
		}
	}
	return nil
}

func TestNoFaultNothingFound(t *testing.T) {
	if err := find(faulty{}); err != nil {
		t.Errorf("a Table without a fault: %v", err)
	}
}

func TestOracleSeesEveryFieldOfTheResponse(t *testing.T) {
	for field := range oracle.Fields(&event.RateRsp{}) {
		var name string
		f := faulty{Table: New(testConnections, testPaths), after: func(s *scene) { name = oracle.Flip(s.rsp, field) }}
		if _, err := judge(&f, 0, opened(9, false)); err == nil {
			t.Errorf("a changed %s was not seen", name)
		}
	}
}

// noted flips one field of the notes.
type noted struct {
	*Table
	field int
}

func (n noted) Apply(req *event.RateReq, rsp *event.RateRsp) Notes {
	notes := n.Table.Apply(req, rsp)
	oracle.Flip(&notes, n.field)
	return notes
}

func TestOracleSeesEveryNote(t *testing.T) {
	for field := range oracle.Fields(&Notes{}) {
		if _, err := judge(noted{New(testConnections, testPaths), field}, 0, opened(9, false)); err == nil {
			t.Errorf("a change of note %d was not seen", field)
		}
	}
}
