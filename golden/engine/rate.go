package engine

import (
	"fmt"
	"io"

	"metaroce/golden/cc"
	"metaroce/golden/engine/pipeline"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Ports of the unit rate, in the spec's order.
const (
	rateReq = iota
	rateRsp
	rateUpdate
)

type rateUnit struct {
	clock
	*pipeline.Rate
	table *cc.Table
}

func newRate(info *event.Unit, c profile.Config) *rateUnit {
	table := cc.New(c.Connections, c.Paths)
	return &rateUnit{clock: newClock(info, c), Rate: pipeline.NewRate(table), table: table}
}

func (u *rateUnit) masks() (ready, valid uint32) {
	ready = mask(rateReq, u.swept() && u.In.Room())
	return ready, mask(rateRsp, u.Out.Has()) | mask(rateUpdate, u.UpdateValid)
}

func (u *rateUnit) Ready(port int) bool {
	ready, _ := u.masks()
	return has(ready, port)
}

func (u *rateUnit) Valid(port int) bool {
	_, valid := u.masks()
	return has(valid, port)
}

func (u *rateUnit) AppendBeat(port int, dst []byte) []byte {
	if port == rateRsp {
		return u.Out.Front().Append(dst)
	}
	return u.Update.Append(dst)
}

func (u *rateUnit) Step(in *Inputs) {
	ready, valid := u.masks()
	if has(in.Valid&ready, rateReq) {
		req, err := event.ParseRateReq(in.Beat[rateReq])
		mustBe(err)
		*u.In.Push() = req
	}
	if has(in.Ready&valid, rateRsp) {
		u.Out.Pop()
	}
	u.Rate.Step()
	u.now++
}

func (u *rateUnit) AppendCounters(dst []uint32) []uint32 {
	s := &u.Counters.Status
	return append(dst,
		s[event.RateStatusGranted], s[event.RateStatusPathWindow], s[event.RateStatusConnectionWindow],
		s[event.RateStatusClosed], u.Counters.IllegalRate, u.Counters.StaleAck)
}

func (u *rateUnit) Describe(w io.Writer, port int, beat []byte) {
	fmt.Fprintf(w, "rate: requests waiting %d, in the pipeline %d, responses waiting %d\n",
		u.In.Len(), u.InFlight(), u.Out.Len())
	k := newKeys(u.info, port, beat)
	if !k.hasPath {
		return
	}
	describeConnection(w, u.table, k)
	describePath(w, u.table, k)
}

func describeConnection(w io.Writer, table *cc.Table, k keys) {
	c, ok := table.Connection(k.connection)
	if !ok {
		fmt.Fprintf(w, "rate: connection 0x%x: no such connection\n", k.connection)
		return
	}
	fmt.Fprintf(w, "rate: connection 0x%x: open %v, cap 0x%x, hint 0x%x, hint sequence 0x%x, hint valid %v, loss is congestion %v, next time 0x%x, in flight %d, %s\n",
		k.connection, c.Open, c.Cap, c.Hint, c.HintSequence, c.HintValid, c.LossIsCongestion, c.NextTime, c.InFlight, aimdText(c.Aimd))
}

func describePath(w io.Writer, table *cc.Table, k keys) {
	p, ok := table.Path(k.connection, k.path)
	if !ok {
		fmt.Fprintf(w, "rate: connection 0x%x path 0x%x: no such path\n", k.connection, k.path)
		return
	}
	fmt.Fprintf(w, "rate: connection 0x%x path 0x%x: open %v, rtt valid %v, srtt 0x%x, rttvar 0x%x, last received 0x%x, last ce 0x%x, in flight %d, %s\n",
		k.connection, k.path, p.Open, p.RttValid, p.Srtt, p.Rttvar, p.LastReceived, p.LastCe, p.InFlight, aimdText(p.Aimd))
}

func aimdText(a cc.AIMD) string {
	return fmt.Sprintf("window 0x%x (256ths of a packet), alpha 0x%x, acked sum 0x%x, round received 0x%x, round ce 0x%x, round start 0x%x",
		a.Window, a.Alpha, a.AckedSum, a.RoundReceived, a.RoundCe, a.RoundStart)
}
