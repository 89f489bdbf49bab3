// Package eventloop carries out the rules of the units with no clock at all: one operation wholly after the other, in the
// order of arrival. It is the second of two clocks for one set of rules: what it puts out is what a unit of the engine
// must put out, in the same order on each port, whatever the pauses and the back-pressure.
package eventloop

import (
	"metaroce/golden/cc"
	"metaroce/golden/event"
)

// SackRules is what the loop needs of *sack.Table.
type SackRules interface {
	Apply(req *event.SackReq, rsp *event.SackRsp)
}

// Sack is everything that the unit sack puts out.
type Sack struct {
	Rsp    []event.SackRsp
	Update []event.SackDbgUpdate
}

// RunSack carries out requests.
func RunSack(rules SackRules, reqs []event.SackReq) Sack {
	var out Sack
	for i := range reqs {
		var rsp event.SackRsp
		rules.Apply(&reqs[i], &rsp)
		out.Rsp = append(out.Rsp, rsp)
		out.Update = append(out.Update, event.SackDbgUpdate{
			Connection: rsp.Connection, Path: rsp.Path, Psn: rsp.Psn,
			Class: rsp.Class, Cumulative: rsp.Cumulative, Next: rsp.Next,
		})
	}
	return out
}

// RobRules is what the loop needs of *rob.Table.
type RobRules interface {
	Apply(req *event.RobReq, rsp *event.RobRsp, retired []event.RobCqe) []event.RobCqe
	Head(connection uint32, stream uint16) (message uint32, open bool)
}

// Rob is everything that the unit rob puts out.
type Rob struct {
	Rsp    []event.RobRsp
	Cqe    []event.RobCqe
	Update []event.RobDbgUpdate
	Floor  []event.RobDbgFloor
}

// RunRob carries out requests.
func RunRob(rules RobRules, reqs []event.RobReq) Rob {
	var out Rob
	for i := range reqs {
		var rsp event.RobRsp
		out.Cqe = rules.Apply(&reqs[i], &rsp, out.Cqe)
		head, _ := rules.Head(rsp.Connection, rsp.Stream)
		out.Rsp = append(out.Rsp, rsp)
		out.Update = append(out.Update, event.RobDbgUpdate{
			Connection: rsp.Connection, Stream: rsp.Stream, Message: rsp.Message, Verdict: rsp.Verdict, Head: head,
		})
	}
	for _, c := range out.Cqe { // a floor moves past each message that retires
		out.Floor = append(out.Floor, event.RobDbgFloor{Connection: c.Connection, Stream: c.Stream, Floor: c.Message + 1})
	}
	return out
}

// RateRules is what the loop needs of *cc.Table.
type RateRules interface {
	Apply(req *event.RateReq, rsp *event.RateRsp) cc.Notes
}

// Rate is everything that the unit rate puts out.
type Rate struct {
	Rsp    []event.RateRsp
	Update []event.RateDbgUpdate
}

// RunRate carries out requests.
func RunRate(rules RateRules, reqs []event.RateReq) Rate {
	var out Rate
	for i := range reqs {
		var rsp event.RateRsp
		notes := rules.Apply(&reqs[i], &rsp)
		out.Rsp = append(out.Rsp, rsp)
		out.Update = append(out.Update, event.RateDbgUpdate{
			Op: rsp.Op, Connection: rsp.Connection, Path: rsp.Path, Status: rsp.Status,
			Srtt: notes.Srtt, Rttvar: notes.Rttvar,
		})
	}
	return out
}
