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
	head    uint32            // first message that the receiver has not completed
	missing map[uint32]uint32 // bytes that the receiver misses of each message begun, by number
}

// full tells whether the receiver's ring has no room for the message that is next.
func (s *rxStream) full(depth int) bool { return s.message-s.head >= uint32(depth) }

// count follows the receiver for bytes that it has placed.
func (s *rxStream) count(message, bytes uint32) {
	if left, begun := s.missing[message]; begun && left >= bytes {
		s.missing[message] = left - bytes
	}
	for left, begun := s.missing[s.head]; begun && left == 0; left, begun = s.missing[s.head] {
		delete(s.missing, s.head)
		s.head++
	}
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
	spoilt []int // streams whose state the generator has lost sight of: opened again after the mood
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
	for _, stream := range g.spoilt {
		g.openStream(stream)
	}
	g.spoilt = g.spoilt[:0]
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
		if s := connection*g.builder.config.Streams + i; !g.stream[s].open && g.random.chance(7, 8) {
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
	for tries := 0; len(g.flight) < mood.depth && tries < 8; tries++ {
		if index := pick(r, g.active); g.room(index) {
			g.flight = append(g.flight, g.packet(index, mood))
		}
	}
	if len(g.flight) == 0 {
		g.reopenStuck()
		return
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

// room tells whether a path may send something new: now and then although its window or all rings are full.
func (g *rxTraffic) room(index int) bool {
	path := &g.paths[index]
	if path.next-path.base >= profile.WindowPackets && !g.random.chance(1, 32) {
		return false
	}
	for i := range g.builder.config.Streams {
		if s := &g.stream[g.streamOf(index, i)]; s.working || !s.full(g.builder.config.ReorderDepth) {
			return true
		}
	}
	return g.random.chance(1, 32)
}

func (g *rxTraffic) streamOf(path, stream int) int {
	return path/g.builder.config.Paths*g.builder.config.Streams + stream
}

// reopenStuck opens again what can make no progress because something it needs was refused or taken for a duplicate.
func (g *rxTraffic) reopenStuck() {
	for _, index := range g.active {
		if path := &g.paths[index]; path.next-path.base >= profile.WindowPackets {
			g.openPath(index)
		}
		for i := range g.builder.config.Streams {
			if s := g.streamOf(index, i); g.stream[s].full(g.builder.config.ReorderDepth) {
				g.openStream(s)
			}
		}
	}
}

// drain sends what is in flight, so that streams go on in the next mood. What is refused again is given up.
func (g *rxTraffic) drain(mood rxMood) {
	sent := g.flight
	g.flight = nil
	for i := range sent {
		g.send(&sent[i], &mood)
	}
	g.flight = g.flight[:0]
}

// packet makes the next packet of a path, of any stream of its connection that has room.
func (g *rxTraffic) packet(index int, mood *rxMood) rxPacket {
	r := g.random
	connection := index / g.builder.config.Paths
	stream := g.streamOf(index, r.IntN(g.builder.config.Streams))
	for i := range g.builder.config.Streams {
		if s := &g.stream[stream]; s.working || !s.full(g.builder.config.ReorderDepth) {
			break
		}
		stream = g.streamOf(index, i)
	}
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
	if s.missing != nil {
		s.missing[s.message] = s.length
	}
}

// send puts a packet on the wire as one frame, and follows the receiver: what its ring refuses stays in flight.
func (g *rxTraffic) send(p *rxPacket, mood *rxMood) {
	g.frame(g.encode(p, mood), false)
	path, s := &g.paths[p.path], &g.stream[p.stream]
	d := p.base.Psn - path.base
	if !path.open || d >= profile.WindowPackets || path.has(p.base.Psn) {
		return
	}
	if !s.open || p.data.Message-s.head >= uint32(g.builder.config.ReorderDepth) {
		if s.open && len(g.flight) < 2*mood.depth {
			g.flight = append(g.flight, *p)
		}
		return
	}
	next := path.next
	path.accept(p.base.Psn)
	path.next = next
	s.count(p.data.Message, uint32(p.data.PayloadLength))
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
