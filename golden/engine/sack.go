package engine

import (
	"fmt"
	"io"

	"metaroce/golden/engine/pipeline"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/sack"
)

// Ports of the unit sack, in the spec's order.
const (
	sackReq = iota
	sackRsp
	sackUpdate
)

type sackUnit struct {
	clock
	*pipeline.Sack
	table *sack.Table
}

func newSack(info *event.Unit, c profile.Config) *sackUnit {
	table := sack.New(c.Connections, c.Paths)
	return &sackUnit{clock: newClock(info, c), Sack: pipeline.NewSack(table), table: table}
}

func (u *sackUnit) masks() (ready, valid uint32) {
	ready = mask(sackReq, u.swept() && u.In.Room())
	return ready, mask(sackRsp, u.Out.Has()) | mask(sackUpdate, u.UpdateValid)
}

func (u *sackUnit) Ready(port int) bool {
	ready, _ := u.masks()
	return has(ready, port)
}

func (u *sackUnit) Valid(port int) bool {
	_, valid := u.masks()
	return has(valid, port)
}

func (u *sackUnit) AppendBeat(port int, dst []byte) []byte {
	if port == sackRsp {
		return u.Out.Front().Append(dst)
	}
	return u.Update.Append(dst)
}

func (u *sackUnit) Step(in *Inputs) {
	ready, valid := u.masks()
	if has(in.Valid&ready, sackReq) {
		req, err := event.ParseSackReq(in.Beat[sackReq])
		mustBe(err)
		*u.In.Push() = req
	}
	if has(in.Ready&valid, sackRsp) {
		u.Out.Pop()
	}
	u.Sack.Step()
	u.now++
}

func (u *sackUnit) AppendCounters(dst []uint32) []uint32 {
	c := &u.Counters
	return append(dst,
		c.Class[event.SackClassNewInOrder], c.Class[event.SackClassNewOutOfOrder], c.Class[event.SackClassDuplicate],
		c.Class[event.SackClassOld], c.Class[event.SackClassBeyond], c.Class[event.SackClassClosed], c.Refused)
}

func (u *sackUnit) Describe(w io.Writer, port int, beat []byte) {
	describeSack(w, u.Sack, u.table, newKeys(u.info, port, beat))
}

func describeSack(w io.Writer, unit *pipeline.Sack, table *sack.Table, k keys) {
	fmt.Fprintf(w, "sack: requests waiting %d, in the pipeline %d, responses waiting %d\n",
		unit.In.Len(), unit.InFlight(), unit.Out.Len())
	if !k.hasPath {
		return
	}
	c, ok := table.Context(k.connection, k.path)
	if !ok {
		fmt.Fprintf(w, "sack: connection 0x%x path 0x%x: no such path\n", k.connection, k.path)
		return
	}
	fmt.Fprintf(w, "sack: connection 0x%x path 0x%x: open %v, base 0x%x, next 0x%x, pending %d, last ce %v, received 0x%x, ce marked 0x%x, vector %s\n",
		k.connection, k.path, c.Open, c.Base, c.Next, c.Pending, c.LastCe, c.Received, c.CeMarked, hex256(c.Vector))
}
