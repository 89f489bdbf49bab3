package rob

import "metaroce/golden/wire"

// Head returns the first message of a stream that is not yet complete in order, and whether the stream is open; 0 and false
// where the table has no such stream.
func (t *Table) Head(connection uint32, stream uint16) (message uint32, open bool) {
	index, ok := t.index(connection, stream)
	if !ok {
		return 0, false
	}
	h := t.heads[index]
	return uint32(h.message), h.open
}

// Context is a copy of one stream's state, for reports and tests (spec: rob.context).
type Context struct {
	Open    bool
	Head    uint32
	Entries []Entry // those started, in message order
}

// Entry is a message that has been started and is not retired.
type Entry struct {
	Message   uint32
	Received  uint32 // bytes
	Length    uint32 // bytes
	Complete  bool
	Opcode    wire.Opcode
	Ordinal   uint32
	Immediate uint32
}

// Context returns the state of a stream; false if the table has no such stream. It allocates.
func (t *Table) Context(connection uint32, stream uint16) (Context, bool) {
	index, ok := t.index(connection, stream)
	if !ok {
		return Context{}, false
	}
	h, ring := t.heads[index], t.ring(index)
	c := Context{Open: h.open, Head: uint32(h.message)}
	for i := range t.depth {
		message := uint32(h.message) + i
		if e := &ring[message&(t.depth-1)]; e.state != idle {
			c.Entries = append(c.Entries, Entry{
				Message: message, Received: e.received, Length: e.length, Complete: e.state == complete,
				Opcode: e.opcode, Ordinal: e.ordinal, Immediate: e.immediate,
			})
		}
	}
	return c, true
}
