package engine

import (
	"fmt"
	"io"

	"metaroce/golden/engine/pipeline"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/rob"
)

// Ports of the unit rob, in the spec's order.
const (
	robReq = iota
	robRsp
	robCqe
	robUpdate
	robFloor
)

type robUnit struct {
	clock
	*pipeline.Rob
	table *rob.Table
}

func newRob(info *event.Unit, c profile.Config) *robUnit {
	table := rob.New(c.Connections, c.Streams, c.ReorderDepth)
	return &robUnit{clock: newClock(info, c), Rob: pipeline.NewRob(c, table), table: table}
}

func (u *robUnit) masks() (ready, valid uint32) {
	ready = mask(robReq, u.swept() && u.In.Room())
	valid = mask(robRsp, u.Out.Has()) | mask(robCqe, u.Walker.Out.Has())
	return ready, valid | mask(robUpdate, u.UpdateValid) | mask(robFloor, u.Walker.FloorValid)
}

func (u *robUnit) Ready(port int) bool {
	ready, _ := u.masks()
	return has(ready, port)
}

func (u *robUnit) Valid(port int) bool {
	_, valid := u.masks()
	return has(valid, port)
}

func (u *robUnit) AppendBeat(port int, dst []byte) []byte {
	switch port {
	case robRsp:
		return u.Out.Front().Append(dst)
	case robCqe:
		return u.Walker.Out.Front().Append(dst)
	case robUpdate:
		return u.Update.Append(dst)
	}
	return u.Walker.Floor.Append(dst)
}

func (u *robUnit) Step(in *Inputs) {
	ready, valid := u.masks()
	if has(in.Valid&ready, robReq) {
		req, err := event.ParseRobReq(in.Beat[robReq])
		mustBe(err)
		*u.In.Push() = req
	}
	if has(in.Ready&valid, robRsp) {
		u.Out.Pop()
	}
	if has(in.Ready&valid, robCqe) {
		u.Walker.Out.Pop()
	}
	u.Rob.Step()
	u.now++
}

func (u *robUnit) AppendCounters(dst []uint32) []uint32 {
	v := &u.Counters.Verdict
	return append(dst,
		v[event.RobVerdictCounted], v[event.RobVerdictCompleted], v[event.RobVerdictStale], v[event.RobVerdictBeyond],
		v[event.RobVerdictInconsistent], v[event.RobVerdictClosed], u.Walker.Retired)
}

func (u *robUnit) Describe(w io.Writer, port int, beat []byte) {
	describeRob(w, u.Rob, u.table, newKeys(u.info, port, beat))
}

func describeRob(w io.Writer, unit *pipeline.Rob, table *rob.Table, k keys) {
	fmt.Fprintf(w, "rob: requests waiting %d, in the pipeline %d, responses waiting %d, %s\n",
		unit.In.Len(), unit.InFlight(), unit.Out.Len(), unit.Walker.String())
	if !k.hasStream {
		return
	}
	c, ok := table.Context(k.connection, k.stream)
	if !ok {
		fmt.Fprintf(w, "rob: connection 0x%x stream 0x%x: no such stream\n", k.connection, k.stream)
		return
	}
	floor, _ := unit.Floor(k.connection, k.stream)
	fmt.Fprintf(w, "rob: connection 0x%x stream 0x%x: open %v, head 0x%x, floor 0x%x, %d entries started\n",
		k.connection, k.stream, c.Open, c.Head, floor, len(c.Entries))
	for _, e := range c.Entries {
		fmt.Fprintf(w, "rob:   message 0x%x: %d of %d bytes, complete %v, opcode %v, ordinal 0x%x, immediate 0x%x\n",
			e.Message, e.Received, e.Length, e.Complete, e.Opcode, e.Ordinal, e.Immediate)
	}
}
