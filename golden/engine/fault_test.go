package engine_test

import (
	"testing"

	"metaroce/golden/cc"
	"metaroce/golden/engine/eventloop"
	"metaroce/golden/event"
	"metaroce/golden/rob"
	"metaroce/golden/sack"
)

// Planted faults: rules that are wrong in one rare respect must be caught by the comparison of the two clocks.

// wideSack takes the packet just behind the window for an old one.
type wideSack struct{ *sack.Table }

func (w wideSack) Apply(req *event.SackReq, rsp *event.SackRsp) {
	w.Table.Apply(req, rsp)
	if rsp.Class == event.SackClassBeyond && req.Psn == rsp.Cumulative+256 {
		rsp.Class = event.SackClassOld
	}
}

// lazySack forgets the ACK of a packet marked first after others.
type lazySack struct{ *sack.Table }

func (l lazySack) Apply(req *event.SackReq, rsp *event.SackRsp) {
	l.Table.Apply(req, rsp)
	if req.Ce && rsp.Class == event.SackClassNewInOrder && !req.AckRequest && !req.Tail {
		rsp.AckNow = false
	}
}

// lossyRob loses the last completion of a run of three or more.
type lossyRob struct{ *rob.Table }

func (l lossyRob) Apply(req *event.RobReq, rsp *event.RobRsp, retired []event.RobCqe) []event.RobCqe {
	retired = l.Table.Apply(req, rsp, retired)
	if rsp.Retired >= 3 {
		rsp.Retired--
		retired = retired[:len(retired)-1]
	}
	return retired
}

// earlyRate grants a departure one unit of time early where the pace holds a packet back.
type earlyRate struct{ *cc.Table }

func (e earlyRate) Apply(req *event.RateReq, rsp *event.RateRsp) cc.Notes {
	notes := e.Table.Apply(req, rsp)
	if rsp.Status == event.RateStatusGranted && rsp.Departure != req.Now<<10 {
		rsp.Departure--
	}
	return notes
}

func TestPlantedFaultsAreCaught(t *testing.T) {
	faults := map[string]func(seed uint64) ([]uint32, error){
		"sack: window one too wide": func(seed uint64) ([]uint32, error) {
			return sackClocks(t, seed, func(table *sack.Table) eventloop.SackRules { return wideSack{table} })
		},
		"rx: ACK forgotten": func(seed uint64) ([]uint32, error) {
			return rxClocks(t, seed, func(table *sack.Table) eventloop.SackRules { return lazySack{table} })
		},
		"rob: completion lost": func(seed uint64) ([]uint32, error) {
			return robClocks(t, seed, func(table *rob.Table) eventloop.RobRules { return lossyRob{table} })
		},
		"rate: departure early": func(seed uint64) ([]uint32, error) {
			return rateClocks(t, seed, func(table *cc.Table) eventloop.RateRules { return earlyRate{table} })
		},
	}
	for name, compare := range faults {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(seeds) {
				if _, err := compare(seed); err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Errorf("not caught in %d seeds", seeds)
		})
	}
}
