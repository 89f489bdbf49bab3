package stimulus

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// rxPacket is a DATA packet that a sender holds until the receiver has it: a retransmission is the same packet again.
type rxPacket struct {
	path, stream int // indexes over all connections
	base         wire.Base
	data         wire.Data
	seed         uint64 // of the payload
	last         bool
}

// rxPath is a sender's path: its outside, and the receiver's window as far as the generator knows it.
type rxPath struct {
	sackPath
	flow flow
}

// rxStream is a sender's stream: the message that is being cut into packets.
type rxStream struct {
	open    bool
	message uint32 // next message number
	ordinal uint32
	length  uint32 // of the message in work
	offset  uint32
	opcode  wire.Opcode
	working bool
}

// rxMood says how often what happens, each of 256 but for the depth.
type rxMood struct {
	depth                             int // packets in flight: how far apart they may be reordered
	lose, duplicate, mutate, strange  int
	hint, reopen, mark, tail, request int
	short                             bool // messages of at most 64 bytes: header rate
}

var rxMoods = []rxMood{
	{depth: 1, mark: 10, tail: 4},
	{depth: 1, mark: 2, short: true},
	{depth: 12, lose: 30, duplicate: 16, mark: 30, tail: 10, request: 10},
	{depth: 40, lose: 60, duplicate: 30, mark: 60, short: true, request: 4},
	{depth: 4, lose: 16, mutate: 120, mark: 10},
	{depth: 6, lose: 20, mutate: 20, strange: 60, hint: 6, reopen: 3, mark: 30},
	{depth: 120, lose: 100, duplicate: 10, short: true},
}

type rxTraffic struct {
	*builder
	axis   *event.Port
	config uint8
	paths  []rxPath
	stream []rxStream
	opened []bool // connections
	hints  []uint16
	active []int // paths of the mood
	flight []rxPacket
	left   int
}

func generateRx(b *builder, count int) {
	axis, _ := b.unit.PortByName("s_axis")
	g := &rxTraffic{
		builder: b, axis: axis, config: b.port("s_cfg"), left: count,
		paths:  make([]rxPath, b.config.Connections*b.config.Paths),
		stream: make([]rxStream, b.config.Connections*b.config.Streams),
		opened: make([]bool, b.config.Connections), hints: make([]uint16, b.config.Connections),
	}
	for i := range g.paths {
		g.paths[i].flow = b.random.flow()
	}
	for g.left > 0 {
		g.phase()
	}
	g.drain(rxMood{depth: 1})
}

// phase picks the paths of a mood, opens what they need and sends.
func (g *rxTraffic) phase() {
	r := g.random
	mood := pick(r, rxMoods)
	g.active = g.active[:0]
	for range pick(r, []int{1, 1, 2, 3, 8}) {
		index := r.IntN(len(g.paths))
		g.ensure(index)
		g.active = append(g.active, index)
	}
	for n := r.between(20, 200); n > 0 && g.left > 0; n-- {
		g.step(&mood)
	}
	if r.chance(1, 2) {
		g.drain(mood)
	}
}

func (g *rxTraffic) ensure(index int) {
	connection := index / g.builder.config.Paths
	if !g.opened[connection] {
		g.openConnection(connection)
	}
	if !g.paths[index].open {
		g.openPath(index)
	}
	for i := range g.builder.config.Streams {
		if s := connection*g.builder.config.Streams + i; !g.stream[s].open && g.random.chance(3, 4) {
			g.openStream(s)
		}
	}
}

func (g *rxTraffic) step(mood *rxMood) {
	r := g.random
	of := func(n int) bool { return r.IntN(256) < n }
	switch {
	case of(mood.hint):
		g.setHint()
	case of(mood.reopen):
		g.reopen()
	case of(mood.strange):
		g.strange()
	case of(mood.mutate):
		g.mutated(mood)
	default:
		g.arrive(mood)
	}
}

// arrive sends one of the packets in flight, after filling up with new ones. A lost one stays in flight: it comes
// later, as its retransmission.
func (g *rxTraffic) arrive(mood *rxMood) {
	r := g.random
	for len(g.flight) < mood.depth {
		g.flight = append(g.flight, g.packet(pick(r, g.active), mood))
	}
	i := r.IntN(len(g.flight))
	if r.chance(1, 2) {
		i = 0
	}
	p := g.flight[i]
	if r.IntN(256) < mood.lose {
		g.flight[i].base.Flags |= wire.BaseFlagRetransmission
		return
	}
	if r.IntN(256) >= mood.duplicate {
		g.flight = append(g.flight[:i], g.flight[i+1:]...)
	}
	g.send(&p, mood)
}

// drain sends what is in flight, so that streams go on in the next mood.
func (g *rxTraffic) drain(mood rxMood) {
	for i := range g.flight {
		g.send(&g.flight[i], &mood)
	}
	g.flight = g.flight[:0]
}

// packet makes the next packet of a path, of any stream of its connection.
func (g *rxTraffic) packet(index int, mood *rxMood) rxPacket {
	r := g.random
	connection := index / g.builder.config.Paths
	stream := connection*g.builder.config.Streams + r.IntN(g.builder.config.Streams)
	s, path := &g.stream[stream], &g.paths[index]
	if !s.working {
		g.beginMessage(s, mood)
	}
	n := min(s.length-s.offset, profile.MtuBytes)
	p := rxPacket{path: index, stream: stream, seed: r.Uint64(), last: s.offset+n == s.length}
	p.base = wire.Base{
		Version: profile.WireVersion, Type: wire.PacketTypeData, Path: uint16(index % g.builder.config.Paths), Epoch: path.flow.epoch,
		Connection: uint32(connection), Opcode: s.opcode, Psn: path.next, Stamp: r.Uint32(),
	}
	path.next++
	p.data = wire.Data{
		Stream: uint16(stream % g.builder.config.Streams), PayloadLength: uint16(n), Message: s.message, MessageLength: s.length,
		Offset: s.offset, Address: r.Uint64(), Key: r.Uint32(), Immediate: r.Uint32(),
	}
	if s.opcode == wire.OpcodeSend || s.opcode == wire.OpcodeSendImm {
		p.data.Address, p.data.Key = 0, s.ordinal
	}
	g.flags(&p, s, mood)
	s.offset += n
	if p.last {
		s.working, s.message = false, s.message+1
	}
	return p
}

func (g *rxTraffic) flags(p *rxPacket, s *rxStream, mood *rxMood) {
	if s.offset == 0 {
		p.base.Flags |= wire.BaseFlagFirst
	}
	if p.last {
		p.base.Flags |= wire.BaseFlagLast
	}
	if g.random.IntN(256) < mood.request {
		p.base.Flags |= wire.BaseFlagAckRequest
	}
	if g.random.IntN(256) < mood.tail {
		p.base.Flags |= wire.BaseFlagTail
	}
}

func (g *rxTraffic) beginMessage(s *rxStream, mood *rxMood) {
	r := g.random
	s.length = pick(r, messageSizes)
	if mood.short {
		s.length = uint32(r.IntN(65))
	}
	s.offset, s.opcode, s.working = 0, pick(r, dataOpcodes), true
	s.ordinal++
}

// send puts a packet on the wire as one frame.
func (g *rxTraffic) send(p *rxPacket, mood *rxMood) {
	g.frame(g.encode(p, mood), false)
	if path := &g.paths[p.path]; path.open {
		path.follow(p.base.Psn)
	}
}

// follow keeps the receiver's base near the truth; refusals are not known here, so it is no more than a guess.
func (p *rxPath) follow(psn uint32) {
	next := p.next
	p.accept(psn)
	p.next = next
}

func (g *rxTraffic) encode(p *rxPacket, mood *rxMood) []byte {
	payload := make([]byte, p.data.PayloadLength)
	fill(payload, p.seed)
	ecn := uint8(ecnCapable)
	if g.random.IntN(256) < mood.mark {
		ecn = ecnMarked
	}
	return g.paths[p.path].flow.frame(p.base, p.data, payload, ecn)
}

// fill writes a payload that a seed repeats: SplitMix64.
func fill(b []byte, seed uint64) {
	for i := range b {
		if i%8 == 0 {
			seed += 0x9E3779B97F4A7C15
		}
		z := (seed ^ seed>>30) * 0xBF58476D1CE4E5B9
		b[i] = byte((z ^ z>>27) >> (8 * (i % 8)))
	}
}

// frame offers a frame's beats, each as soon as the pace allows.
func (g *rxTraffic) frame(frame []byte, bad bool) {
	for _, beat := range CutFrame(g.axis, frame, bad) {
		g.add(g.axis.ID, raw(beat))
	}
	g.left--
}

// raw is a beat that is packed already.
type raw []byte

func (b raw) Append(dst []byte) []byte { return append(dst, b...) }

// mutated sends a packet that is damaged; the packet itself stays in flight.
func (g *rxTraffic) mutated(mood *rxMood) {
	r := g.random
	for len(g.flight) == 0 {
		g.flight = append(g.flight, g.packet(pick(r, g.active), mood))
	}
	p := g.flight[0]
	flow := g.paths[p.path].flow
	frame, bad := pick(r, mutations)(r, &flow, g.encode(&p, mood))
	g.frame(frame, bad)
}
