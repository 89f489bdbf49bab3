package engine

import (
	"fmt"
	"io"

	"metaroce/golden/engine/receive"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/rob"
	"metaroce/golden/sack"
)

// Ports of the unit rx, in the spec's order.
const (
	rxAxisIn = iota
	rxCfg
	rxPlace
	rxPayload
	rxCqe
	rxAxisOut
	rxUpdate
)

type rxUnit struct {
	clock
	*receive.Rx
	sackTable *sack.Table
	robTable  *rob.Table
}

func newRx(info *event.Unit, c profile.Config) *rxUnit {
	u := &rxUnit{
		clock:     newClock(info, c),
		sackTable: sack.New(c.Connections, c.Paths),
		robTable:  rob.New(c.Connections, c.Streams, c.ReorderDepth),
	}
	u.Rx = receive.New(c, u.sackTable, u.robTable)
	return u
}

func (u *rxUnit) masks() (ready, valid uint32) {
	if u.swept() {
		ready = mask(rxAxisIn, u.Axis.Room()) | mask(rxCfg, u.Cfg.Room())
	}
	valid = mask(rxPlace, u.Place.Has()) | mask(rxPayload, u.Payload.Has()) | mask(rxCqe, u.Rob.Walker.Out.Has())
	return ready, valid | mask(rxAxisOut, u.AxisOut.Has()) | mask(rxUpdate, u.UpdateValid)
}

func (u *rxUnit) Ready(port int) bool {
	ready, _ := u.masks()
	return has(ready, port)
}

func (u *rxUnit) Valid(port int) bool {
	_, valid := u.masks()
	return has(valid, port)
}

func (u *rxUnit) AppendBeat(port int, dst []byte) []byte {
	switch port {
	case rxPlace:
		return u.Place.Front().Append(dst)
	case rxPayload:
		return u.Payload.Front().Append(dst)
	case rxCqe:
		return u.Rob.Walker.Out.Front().Append(dst) // the same fields in the same order (spec: rx.move)
	case rxAxisOut:
		return u.AxisOut.Front().Append(dst)
	}
	return u.Update.Append(dst)
}

func (u *rxUnit) Step(in *Inputs) {
	ready, valid := u.masks()
	u.accept(in, in.Valid&ready)
	u.deliver(in.Ready & valid)
	u.Rx.Step()
	u.now++
}

func (u *rxUnit) accept(in *Inputs, taken uint32) {
	if has(taken, rxAxisIn) {
		beat, err := event.ParseRxAxisIn(in.Beat[rxAxisIn])
		mustBe(err)
		*u.Axis.Push() = beat
	}
	if has(taken, rxCfg) {
		cfg, err := event.ParseRxCfg(in.Beat[rxCfg])
		mustBe(err)
		*u.Cfg.Push() = cfg
	}
}

func (u *rxUnit) deliver(taken uint32) {
	if has(taken, rxPlace) {
		u.Place.Pop()
	}
	if has(taken, rxPayload) {
		u.Payload.Pop()
	}
	if has(taken, rxCqe) {
		u.Rob.Walker.Out.Pop()
	}
	if has(taken, rxAxisOut) {
		u.TakeAxis()
	}
}

func (u *rxUnit) AppendCounters(dst []uint32) []uint32 {
	c := &u.Counters
	dst = append(dst, c.Frames)
	dst = append(dst, c.Rejected[frame.BadFrame:]...) // in the order of the checks
	dst = append(dst, c.Unknown, c.Placed, c.Repeated, c.Beyond, c.Refused)
	return append(dst, c.Acks, c.RobStale, c.RobInconsistent, c.CfgIgnored)
}

func (u *rxUnit) Describe(w io.Writer, port int, beat []byte) {
	fmt.Fprintf(w, "rx: %s\n", u.Rx)
	k := newKeys(u.info, port, beat)
	describeSack(w, u.Sack, u.sackTable, k)
	describeRob(w, u.Rob, u.robTable, k)
}
