package stimulus

import (
	"metaroce/golden/event"
)

// strange sends a good frame that the receive engine must not simply place: of something unknown, outside a window or
// a ring, at odds with its message, or on a stream that is not open.
func (g *rxTraffic) strange() {
	r := g.random
	mood := rxMood{depth: 1, short: true}
	index := pick(r, g.active)
	path := &g.paths[index]
	next := path.next
	p := g.peek(index)
	path.next = next // what follows does not use up a PSN of the path
	depth := uint32(g.builder.config.ReorderDepth)
	switch r.IntN(9) {
	case 0:
		p.base.Connection = pick(r, []uint32{uint32(g.builder.config.Connections), 1<<24 - 1, uint32(r.IntN(g.builder.config.Connections)), 1 << 23})
	case 1:
		p.base.Path = pick(r, []uint16{uint16(g.builder.config.Paths), 1<<12 - 1, uint16(r.IntN(g.builder.config.Paths)), 1 << 11})
	case 2:
		p.data.Stream = pick(r, []uint16{uint16(g.builder.config.Streams), 1<<16 - 1, 1 << 15})
	case 3:
		p.base.Psn = path.base - pick(r, []uint32{1, 2, 256, 1 << 31})
	case 4:
		p.base.Psn = path.base + pick(r, []uint32{255, 256, 257, 1<<31 - 1})
	case 5:
		p.data.Message += pick(r, []uint32{depth - 1, depth, depth + 1, 2 * depth, 1<<31 - 1, 1 << 31})
	case 6:
		p.data.Message -= pick(r, []uint32{1, depth, 1<<31 - 1})
	case 7: // right in itself, but more than its message is
		p.data.MessageLength, p.data.Offset = uint32(p.data.PayloadLength), 0
		p.base.Psn = path.base + uint32(r.IntN(300))
	case 8:
		p.base.Psn, p.data.Message = path.base, p.data.Message+depth
	}
	g.spoilt = append(g.spoilt, p.stream)
	g.frame(g.encode(&p, &mood), false)
}

// peek is a packet that a path might send next, of a message of its own; the stream's state stays as it is.
func (g *rxTraffic) peek(index int) rxPacket {
	mood := rxMood{short: true}
	saved := append([]rxStream(nil), g.stream[g.streamOf(index, 0):][:g.builder.config.Streams]...)
	p := g.packet(index, &mood)
	copy(g.stream[g.streamOf(index, 0):], saved)
	for i := range saved {
		if !saved[i].working {
			delete(saved[i].missing, saved[i].message) // was begun just now, if at all
		}
	}
	p.data.PayloadLength = min(p.data.PayloadLength, 200)
	p.data.MessageLength = max(p.data.MessageLength, p.data.Offset+uint32(p.data.PayloadLength))
	return p
}

func (g *rxTraffic) configure(c event.RxCfg) { g.addAt(g.pace.cycle, g.config, c) }

func (g *rxTraffic) openConnection(connection int) {
	r := g.random
	g.hints[connection] = uint16(r.Uint32())
	g.configure(event.RxCfg{
		Op: event.RxOpOpenConnection, Connection: uint32(connection), PeerConnection: r.Uint32N(1 << 24),
		Hint: uint16(r.Uint32()), HintSequence: g.hints[connection], Credit: uint16(r.Uint32()),
	})
	g.opened[connection] = true
}

func (g *rxTraffic) openPath(index int) {
	psn := g.random.start32()
	g.configure(event.RxCfg{
		Op: event.RxOpOpenPath, Connection: uint32(index / g.builder.config.Paths), Path: uint16(index % g.builder.config.Paths), Sequence: psn,
	})
	g.paths[index].start(psn)
}

func (g *rxTraffic) openStream(index int) {
	first := g.random.start32()
	g.configure(event.RxCfg{
		Op: event.RxOpOpenStream, Connection: uint32(index / g.builder.config.Streams), Stream: uint16(index % g.builder.config.Streams), Sequence: first,
	})
	g.stream[index] = rxStream{open: true, message: first, head: first, missing: map[uint32]uint32{}}
}

func (g *rxTraffic) setHint() {
	r := g.random
	connection := r.IntN(g.builder.config.Connections)
	g.hints[connection]++
	c := event.RxCfg{Op: event.RxOpSetHint, Connection: uint32(connection), Hint: uint16(r.Uint32()), HintSequence: g.hints[connection], Credit: uint16(r.Uint32())}
	if r.chance(1, 8) {
		c.Connection = uint32(g.builder.config.Connections)
	}
	g.configure(c)
}

// reopen opens something again in mid-run, or something that is not there. What is in flight becomes stale.
func (g *rxTraffic) reopen() {
	r := g.random
	index := pick(r, g.active)
	connection := index / g.builder.config.Paths
	switch r.IntN(4) {
	case 0:
		g.openConnection(connection)
	case 1:
		g.openPath(index)
	case 2:
		g.openStream(connection*g.builder.config.Streams + r.IntN(g.builder.config.Streams))
	case 3:
		g.configure(event.RxCfg{
			Op:         pick(r, []event.RxOp{event.RxOpOpenConnection, event.RxOpOpenPath, event.RxOpOpenStream}),
			Connection: uint32(g.builder.config.Connections), Path: uint16(g.builder.config.Paths), Stream: uint16(g.builder.config.Streams),
		})
	}
}
