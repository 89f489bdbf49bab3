package peer

import "metaroce/cocotb-bridge/protocol"

// memory is what the records of a window lie in. A caller who is done with a window gives it back, so that a run does
// not make garbage of every record.
type memory struct {
	records  []protocol.Record
	payloads []byte // the newest piece; older ones are in use until their window goes
}

// pieceBytes is the least that is allocated for payloads at a time: most windows fit. Pieces grow until each does.
const pieceBytes = 1 << 18

// begin opens the next window, in memory that was used before if there is some.
func (r *receiver) begin() {
	r.window = Window{}
	select {
	case m := <-r.spare:
		r.window.memory = m
		r.window.Records = m.records[:0]
	default:
	}
	r.window.memory.payloads = r.window.memory.payloads[:0]
}

// room gives the place of a frame's payload: it stays as long as the window's records that point into it.
func (r *receiver) room(n int) []byte {
	m := &r.window.memory
	if cap(m.payloads)-len(m.payloads) < n {
		m.payloads = make([]byte, 0, max(n, pieceBytes, 2*cap(m.payloads)))
	}
	at := len(m.payloads)
	m.payloads = m.payloads[:at+n]
	return m.payloads[at : at+n : at+n]
}

// recycle gives a window's memory back: nobody looks at its records any more.
func (s *Session) recycle(w *Window) {
	if w.memory.payloads == nil {
		return
	}
	select {
	case s.spare <- w.memory:
	default:
	}
}
