package stimulus

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// messageSizes are the payload sizes of the test matrix, in bytes.
var messageSizes = []uint32{
	0, 1, 15, 16, 31, 32, 63, 64, 65, profile.MtuBytes - 1, profile.MtuBytes, profile.MtuBytes + 1,
	2 * profile.MtuBytes, 2*profile.MtuBytes + 1,
}

var dataOpcodes = []wire.Opcode{wire.OpcodeWrite, wire.OpcodeWriteImm, wire.OpcodeSend, wire.OpcodeSendImm}

// message is one message in flight: its first packet's fields and the sizes of the packets not yet delivered.
type message struct {
	number, length     uint32
	ordinal, immediate uint32
	opcode             wire.Opcode
	segments           []uint16
	started            bool // a packet has been sent
}

// robStream is what the generator knows of a stream: messages in flight, in message order. head is the first that is
// not complete in order.
type robStream struct {
	open       bool
	head, next uint32
	flight     []message // messages head..next-1; one without segments is complete
}

// retire drops what is complete from the front.
func (s *robStream) retire() {
	for len(s.flight) > 0 && len(s.flight[0].segments) == 0 {
		s.flight = s.flight[1:]
		s.head++
	}
}

type robChoice int

const (
	robNew          robChoice = iota // first packet of the next message
	robDeliver                       // any packet that is not there yet
	robHead                          // a packet of the first message in flight
	robNotHead                       // any packet, but not of the first message: leaves a hole at the head
	robBeyond                        // a message outside the ring
	robStale                         // a message that is complete
	robInconsistent                  // length, opcode or bytes do not fit the message
	robReopen                        // OPEN in mid-run
	robClosed                        // stream not open or not there
	robRun                           // fill the ring except its head, then the head: the longest run of completions
	robChoices
)

// robMoods are the weights of the choices: in order, reordered, hole at the head, hostile, longest runs, ring's edge.
var robMoods = [][robChoices]int{
	{robNew: 40, robHead: 60},
	{robNew: 30, robDeliver: 70},
	{robNew: 45, robNotHead: 45, robHead: 6, robDeliver: 10},
	{robNew: 30, robDeliver: 30, robBeyond: 8, robStale: 12, robInconsistent: 10, robReopen: 1, robClosed: 8},
	{robNew: 4, robRun: 2, robHead: 10},
	{robNew: 80, robHead: 8, robDeliver: 8, robBeyond: 12},
}

type robTraffic struct {
	*builder
	request uint8
	streams []robStream
	active  []int
	left    int
}

func generateRob(b *builder, count int) {
	g := &robTraffic{builder: b, request: b.port("s_req"), streams: make([]robStream, b.config.Connections*b.config.Streams), left: count}
	for range g.random.between(1, min(len(g.streams), 6)) {
		g.reopen(g.random.IntN(len(g.streams)))
	}
	for g.left > 0 {
		g.phase()
	}
}

func (g *robTraffic) phase() {
	g.active = g.active[:0]
	for range pick(g.random, []int{1, 1, 2, 4, 16}) {
		index := g.random.IntN(len(g.streams))
		if !g.streams[index].open {
			g.reopen(index)
		}
		g.active = append(g.active, index)
	}
	mood := pick(g.random, robMoods)
	short := g.random.chance(1, 2)
	for n := g.random.between(50, 500); n > 0 && g.left > 0; n-- {
		g.step(pick(g.random, g.active), robChoice(g.random.weighted(mood[:])), short)
	}
}

// step carries out a choice; one that the stream's state does not allow becomes the nearest that it does.
func (g *robTraffic) step(index int, choice robChoice, short bool) {
	s, r := &g.streams[index], g.random
	switch choice {
	case robNew:
		if int(s.next-s.head) >= g.config.ReorderDepth {
			g.deliver(index, 0)
			return
		}
		g.begin(index, short)
		g.deliver(index, len(s.flight)-1)
	case robDeliver:
		g.deliver(index, r.IntN(len(s.flight)+1))
	case robHead:
		g.deliver(index, 0)
	case robNotHead:
		g.deliver(index, 1+r.IntN(max(1, len(s.flight))))
	case robBeyond:
		depth := uint32(g.config.ReorderDepth)
		g.send(index, g.message(s.head+pick(r, []uint32{depth, depth, depth + 1, depth + 31, 2 * depth, 256, 1 << 30, 1<<31 - 1}), short), 16)
	case robStale:
		g.stale(index)
	case robInconsistent:
		g.inconsistent(index)
	case robReopen:
		g.reopen(index)
	case robClosed:
		g.closed()
	case robRun:
		g.run(index)
	}
}

// message makes up a message: its size out of the matrix, or any size of a few packets.
func (g *robTraffic) message(number uint32, short bool) message {
	r := g.random
	length := pick(r, messageSizes)
	if short {
		length = uint32(r.IntN(65))
	} else if r.chance(1, 6) {
		length = r.Uint32N(5 * profile.MtuBytes)
	}
	return message{number: number, length: length, ordinal: r.Uint32(), immediate: r.Uint32(), opcode: pick(r, dataOpcodes), segments: segments(r, length)}
}

// segments cuts a message into packets of at most the MTU: mostly full ones, now and then uneven, never none.
func segments(r *random, length uint32) []uint16 {
	if length == 0 {
		return []uint16{0}
	}
	var cut []uint16
	uneven := r.chance(1, 3)
	for length > 0 {
		n := min(length, profile.MtuBytes)
		if uneven {
			n = 1 + r.Uint32N(n)
			if len(cut) > 8 {
				uneven = false
			}
		}
		cut = append(cut, uint16(n))
		length -= n
	}
	return cut
}

// begin puts the stream's next message into flight.
func (g *robTraffic) begin(index int, short bool) {
	s := &g.streams[index]
	s.flight = append(s.flight, g.message(s.next, short))
	s.next++
}

// deliver sends a packet of a message in flight, the one at a place or the next behind it that still has one; a new
// message where there is none.
func (g *robTraffic) deliver(index, at int) {
	s := &g.streams[index]
	for at < len(s.flight) && len(s.flight[at].segments) == 0 {
		at++
	}
	if at >= len(s.flight) {
		if int(s.next-s.head) >= g.config.ReorderDepth {
			g.deliver(index, 0)
			return
		}
		g.begin(index, true)
		at = len(s.flight) - 1
	}
	m := &s.flight[at]
	i := g.random.IntN(len(m.segments))
	bytes := m.segments[i]
	m.segments[i] = m.segments[len(m.segments)-1]
	m.segments = m.segments[:len(m.segments)-1]
	m.started = true
	g.send(index, *m, bytes)
	s.retire()
}

// run fills the ring behind a hole at its head, then the hole.
func (g *robTraffic) run(index int) {
	s := &g.streams[index]
	for int(s.next-s.head) < g.config.ReorderDepth {
		g.begin(index, true)
	}
	for at := 1; at < len(s.flight); at++ {
		for len(s.flight[at].segments) > 0 {
			g.deliver(index, at)
		}
	}
	for n := len(s.flight[0].segments); n > 0; n-- {
		g.deliver(index, 0)
	}
}

// stale names a message that has retired, or one that is complete inside the ring.
func (g *robTraffic) stale(index int) {
	s, r := &g.streams[index], g.random
	number := s.head - pick(r, []uint32{1, 2, uint32(g.config.ReorderDepth), 256, 1<<31 - 1, 1 << 31})
	for i := range s.flight {
		if len(s.flight[i].segments) == 0 && r.chance(1, 2) {
			number = s.flight[i].number
		}
	}
	g.send(index, g.message(number, true), uint16(r.IntN(65)))
}

// inconsistent repeats a message of the ring with another length or opcode, or with more bytes than are left.
func (g *robTraffic) inconsistent(index int) {
	s, r := &g.streams[index], g.random
	if len(s.flight) == 0 {
		g.begin(index, false)
	}
	m := s.flight[r.IntN(len(s.flight))]
	if !m.started { // it would start the message as the wrong one
		g.deliver(index, int(m.number-s.head))
		return
	}
	bytes := uint16(1)
	switch r.IntN(4) {
	case 0:
		m.length += pick(r, []uint32{1, 64, 1 << 16, 1 << 31})
	case 1:
		m.opcode = pick(r, dataOpcodes)
		bytes = uint16(min(m.length, 1))
		if m.opcode == s.flight[m.number-s.head].opcode {
			m.length++
		}
	case 2:
		bytes = uint16(min(m.length+1, 1<<16-1))
		if m.length+1 > 1<<16-1 {
			m.length = 0
		}
	case 3:
		m = g.message(s.next, true)
		bytes = uint16(min(m.length+1+r.Uint32N(64), 1<<16-1))
	}
	g.send(index, m, bytes)
}

func (g *robTraffic) send(index int, m message, bytes uint16) {
	g.add(g.request, event.RobReq{
		Op: event.RobOpPacket, Connection: uint32(index / g.config.Streams), Stream: uint16(index % g.config.Streams),
		Message: m.number, Length: m.length, Bytes: bytes, Opcode: m.opcode, Ordinal: m.ordinal, Immediate: m.immediate,
	})
	g.left--
}

func (g *robTraffic) reopen(index int) {
	first := g.random.start32()
	g.add(g.request, event.RobReq{
		Op: event.RobOpOpen, Connection: uint32(index / g.config.Streams), Stream: uint16(index % g.config.Streams), Message: first,
	})
	g.streams[index] = robStream{open: true, head: first, next: first}
}

func (g *robTraffic) closed() {
	r := g.random
	q := event.RobReq{
		Op: event.RobOpPacket, Connection: uint32(r.IntN(g.config.Connections)), Stream: uint16(r.IntN(g.config.Streams)),
		Message: r.Uint32(), Length: 64, Bytes: 64, Opcode: wire.OpcodeWrite,
	}
	switch r.IntN(4) {
	case 0:
		q.Connection = pick(r, []uint32{uint32(g.config.Connections), 1<<24 - 1, 1 << 23})
	case 1:
		q.Stream = pick(r, []uint16{uint16(g.config.Streams), 1<<16 - 1, 1 << 15})
	case 2:
		q.Op, q.Stream = event.RobOpOpen, uint16(g.config.Streams)
	case 3:
		if g.streams[int(q.Connection)*g.config.Streams+int(q.Stream)].open {
			q.Connection += 1 << 20
		}
	}
	g.add(g.request, q)
	g.left--
}
