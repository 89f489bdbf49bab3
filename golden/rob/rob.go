// Package rob is the reorder buffer of message entries: it counts placed bytes, completes messages and retires them in
// stream order (spec: rob.context, rob.open, rob.packet). Payload is never in it.
//
// The rules are pure: no clock, no input or output. The cycle-exact unit adds floors and the walker (rob.floor, rob.issue,
// rob.walker); a network simulation calls Apply alone.
package rob

import (
	"math/bits"

	"metaroce/golden/event"
	"metaroce/golden/seq"
	"metaroce/golden/wire"
)

// Table holds the contexts of all streams. Make it with New; the zero Table has no stream, so that it answers CLOSED to
// everything.
type Table struct {
	connections, streams uint32
	depth                uint32 // entries of one ring, E in the spec; a power of two
	heads                []head
	entries              []entry // the ring of stream s is entries[s*depth : (s+1)*depth]
}

// head is one stream: the first message not yet complete in order, and whether it is open.
type head struct {
	message seq.Message
	open    bool
}

// state is the life of a ring entry. Complete entries are retired as soon as the head reaches them.
type state uint8

const (
	idle     state = iota // not started: the other fields mean nothing
	started               // bytes are being counted
	complete              // all bytes counted, an earlier message is not
)

// entry is one message; message m of a stream is at m mod depth of its ring.
type entry struct {
	received  uint32 // bytes counted, at most length
	length    uint32 // bytes
	ordinal   uint32
	immediate uint32
	opcode    wire.Opcode
	state     state
}

// New makes a table in which every stream is closed (spec: rob.context). It panics if a size is not positive or depth is not
// a power of two: a ring whose depth does not divide 2^32 would break at the wrap of the message number.
func New(connections, streams, depth int) *Table {
	if connections <= 0 || streams <= 0 || depth <= 0 || bits.OnesCount(uint(depth)) != 1 {
		panic("rob.New: connections and streams must be positive and depth a power of two")
	}
	return &Table{
		connections: uint32(connections),
		streams:     uint32(streams),
		depth:       uint32(depth),
		heads:       make([]head, connections*streams),
		entries:     make([]entry, connections*streams*depth),
	}
}

// Apply carries out one operation wholly, writes every field of the response and appends the completions that the operation
// let retire, in message order, at most depth of them (spec: rob.open, rob.packet). It allocates only if retired has no
// room. An op that the spec does not name is taken as PACKET.
func (t *Table) Apply(req *event.RobReq, rsp *event.RobRsp, retired []event.RobCqe) []event.RobCqe {
	*rsp = event.RobRsp{Op: req.Op, Connection: req.Connection, Stream: req.Stream, Message: req.Message}
	index, ok := t.index(req.Connection, req.Stream)
	switch {
	case !ok:
		rsp.Verdict = event.RobVerdictClosed
	case req.Op == event.RobOpOpen:
		t.open(index, seq.Message(req.Message))
		rsp.Verdict = event.RobVerdictOpened
	case !t.heads[index].open:
		rsp.Verdict = event.RobVerdictClosed
	default:
		rsp.Verdict = t.count(index, req)
		if rsp.Verdict == event.RobVerdictCompleted {
			before := len(retired)
			retired = t.retire(index, req, retired)
			rsp.Retired = uint16(len(retired) - before)
		}
	}
	return retired
}

// index is the number of a stream's context; false where there is none (spec: rob.context).
func (t *Table) index(connection uint32, stream uint16) (uint32, bool) {
	return connection*t.streams + uint32(stream), connection < t.connections && uint32(stream) < t.streams
}

func (t *Table) ring(index uint32) []entry {
	return t.entries[uint64(index)*uint64(t.depth):][:t.depth]
}

// open is OPEN (spec: rob.open).
func (t *Table) open(index uint32, message seq.Message) {
	t.heads[index] = head{message: message, open: true}
	clear(t.ring(index))
}

// count finds the verdict of a packet and counts its bytes if it has any right to be counted (spec: rob.packet).
func (t *Table) count(index uint32, req *event.RobReq) event.RobVerdict {
	message, first := seq.Message(req.Message), t.heads[index].message
	if seq.Before32(message, first) {
		return event.RobVerdictStale
	}
	if seq.Offset32(message, first) >= t.depth {
		return event.RobVerdictBeyond
	}
	e := &t.ring(index)[req.Message&(t.depth-1)]
	if e.state == complete {
		return event.RobVerdictStale
	}
	if !e.consistent(req) {
		return event.RobVerdictInconsistent
	}
	return e.add(req)
}

// consistent tells whether a packet fits the message that the entry counts, or may start one. The sum is taken in 64 bits:
// near 2^32 bytes it must not wrap.
func (e *entry) consistent(req *event.RobReq) bool {
	if e.state == idle {
		return uint32(req.Bytes) <= req.Length
	}
	return e.length == req.Length && e.opcode == req.Opcode && uint64(e.received)+uint64(req.Bytes) <= uint64(e.length)
}

// add starts the entry if need be and counts the packet's bytes. A message of length 0 is complete at once (M5).
func (e *entry) add(req *event.RobReq) event.RobVerdict {
	if e.state == idle {
		*e = entry{
			length: req.Length, opcode: req.Opcode, ordinal: req.Ordinal, immediate: req.Immediate, state: started,
		}
	}
	e.received += uint32(req.Bytes)
	if e.received != e.length {
		return event.RobVerdictCounted
	}
	e.state = complete
	return event.RobVerdictCompleted
}

// retire takes complete messages off the head of the ring, in order (spec: rob.packet). It ends after depth of them at the
// latest, because each becomes idle.
func (t *Table) retire(index uint32, req *event.RobReq, retired []event.RobCqe) []event.RobCqe {
	h, ring := &t.heads[index], t.ring(index)
	for {
		e := &ring[uint32(h.message)&(t.depth-1)]
		if e.state != complete {
			return retired
		}
		retired = append(retired, event.RobCqe{
			Connection: req.Connection, Stream: req.Stream, Message: uint32(h.message),
			Length: e.length, Opcode: e.opcode, Ordinal: e.ordinal, Immediate: e.immediate,
		})
		e.state = idle
		h.message++
	}
}
