package stimulus

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// sackPath is what the generator knows of a receiver's path: enough to aim at its edges. It is no judge of anything.
type sackPath struct {
	open       bool
	base, next uint32
	seen       [profile.WindowPackets]bool // by psn mod window, within [base, base + window)
}

func (p *sackPath) start(psn uint32) { *p = sackPath{open: true, base: psn, next: psn} }

func (p *sackPath) has(psn uint32) bool { return p.seen[psn%profile.WindowPackets] }

// accept follows the path's receiver for a packet that it takes.
func (p *sackPath) accept(psn uint32) {
	d := psn - p.base
	if d >= profile.WindowPackets {
		return
	}
	p.seen[psn%profile.WindowPackets] = true
	if d+1 > p.next-p.base {
		p.next = psn + 1
	}
	for p.has(p.base) {
		p.seen[p.base%profile.WindowPackets] = false
		p.base++
	}
}

// missing is a PSN inside [base, next) that has not been seen, or next where there is none: scanned from a random
// place, so that holes are filled in any order.
func (p *sackPath) missing(r *random) uint32 {
	span := p.next - p.base
	if span == 0 {
		return p.next
	}
	from := r.Uint32N(span)
	for i := uint32(0); i < span; i++ {
		if psn := p.base + (from+i)%span; !p.has(psn) {
			return psn
		}
	}
	return p.next
}

// present is a PSN inside the window that has been seen, or base - 1 where there is none.
func (p *sackPath) present(r *random) uint32 {
	span := p.next - p.base
	if span == 0 {
		return p.base - 1
	}
	from := r.Uint32N(span)
	for i := uint32(0); i < span; i++ {
		if psn := p.base + (from+i)%span; p.has(psn) {
			return psn
		}
	}
	return p.base - 1
}

// sackChoice is one thing that may arrive on a path.
type sackChoice int

const (
	sackNext      sackChoice = iota // the next new packet
	sackSkip                        // a packet after a loss
	sackFill                        // a retransmission of something missing
	sackFillBase                    // a retransmission of the first missing
	sackDuplicate                   // seen before
	sackOld                         // before the window
	sackEdge                        // within two of the window's end
	sackBeyond                      // behind the window's end
	sackRefused                     // new, but must not be SACKed
	sackReopen                      // OPEN in mid-run
	sackClosed                      // path not open or not there
	sackSweep                       // everything but base, in any order, then base
	sackSlide                       // a full window whose end moves while packets behind it are on their way
	sackChoices
)

// sackMoods are the weights of the choices: smooth, lossy, reordered, hostile, edges, whole windows.
var sackMoods = [][sackChoices]int{
	{sackNext: 100, sackSkip: 1, sackFillBase: 2},
	{sackNext: 60, sackSkip: 15, sackFill: 14, sackFillBase: 8, sackDuplicate: 5},
	{sackNext: 10, sackSkip: 40, sackFill: 45, sackFillBase: 3, sackDuplicate: 4, sackOld: 2},
	{sackNext: 30, sackSkip: 8, sackFill: 8, sackDuplicate: 8, sackOld: 12, sackBeyond: 12, sackRefused: 12, sackReopen: 1, sackClosed: 10},
	{sackNext: 20, sackSkip: 10, sackFillBase: 14, sackEdge: 40, sackBeyond: 10, sackDuplicate: 10, sackFill: 6},
	{sackNext: 20, sackSweep: 1, sackFillBase: 4},
	{sackNext: 20, sackSlide: 2, sackDuplicate: 4, sackFillBase: 4},
}

type sackTraffic struct {
	*builder
	request uint8
	paths   []sackPath
	active  []int // indexes of the paths that the present mood uses
	left    int   // packets still to make
}

func generateSack(b *builder, count int) {
	g := &sackTraffic{builder: b, request: b.port("s_req"), paths: make([]sackPath, b.config.Connections*b.config.Paths), left: count}
	for range g.random.between(1, min(len(g.paths), 12)) {
		g.reopen(g.random.IntN(len(g.paths)))
	}
	for g.left > 0 {
		g.phase()
	}
}

// phase makes one mood's worth of packets on its choice of paths: one busy path, a few, or all.
func (g *sackTraffic) phase() {
	g.active = g.active[:0]
	for range pick(g.random, []int{1, 1, 2, 3, 8, 40}) {
		g.active = append(g.active, g.random.IntN(len(g.paths)))
	}
	for _, index := range g.active {
		if !g.paths[index].open {
			g.reopen(index)
		}
	}
	mood := pick(g.random, sackMoods)
	for n := g.random.between(50, 600); n > 0 && g.left > 0; n-- {
		g.step(pick(g.random, g.active), sackChoice(g.random.weighted(mood[:])))
	}
}

func (g *sackTraffic) step(index int, choice sackChoice) {
	p, r := &g.paths[index], g.random
	switch choice {
	case sackNext:
		g.packet(index, p.next, false)
	case sackSkip:
		g.packet(index, p.next+uint32(pick(r, []int{1, 1, 1, 2, 3, 15, 31, 32, 33, 64})), false)
	case sackFill:
		g.packet(index, p.missing(r), false)
	case sackFillBase:
		g.packet(index, p.base, false)
	case sackDuplicate:
		g.packet(index, p.present(r), false)
	case sackOld:
		g.packet(index, p.base-pick(r, []uint32{1, 2, 31, 32, 255, 256, 257, 1 << 30, 1<<31 - 1, 1 << 31}), false)
	case sackEdge:
		g.packet(index, p.base+profile.WindowPackets-2+uint32(r.IntN(4)), false)
	case sackBeyond:
		g.packet(index, p.base+pick(r, []uint32{256, 257, 287, 511, 512, 1 << 16, 1 << 30, 1<<31 - 1}), false)
	case sackRefused:
		g.packet(index, pick(r, []uint32{p.base, p.next, p.missing(r), p.base + 255, p.present(r), p.base - 1}), true)
	case sackReopen:
		g.reopen(index)
	case sackClosed:
		g.closed()
	case sackSweep:
		g.sweep(index)
	case sackSlide:
		g.slide(index)
	}
}

// sweep leaves base missing, delivers the rest of the window in a random order, then base: the longest advance there
// is, and every bit of the vector.
func (g *sackTraffic) sweep(index int) {
	p := &g.paths[index]
	base := p.base
	for _, i := range g.random.Perm(profile.WindowPackets - 1) {
		g.packet(index, base+1+uint32(i), false)
	}
	g.packet(index, base, false)
}

// slide fills the window but for its first few, then sends those and the packets right behind the window's end in one
// burst: whether the latter are beyond or new depends on packets just ahead of them that are still in the pipeline.
func (g *sackTraffic) slide(index int) {
	p, r := &g.paths[index], g.random
	base, holes := p.base, uint32(r.between(1, 6))
	for psn := base + holes; psn != base+profile.WindowPackets; psn++ {
		if !p.has(psn) {
			g.packet(index, psn, false)
		}
	}
	end := base + profile.WindowPackets
	for p.base-base < holes { // base moves in about every second turn
		if r.chance(1, 2) {
			g.packet(index, end+uint32(r.IntN(int(holes)+1)), false)
		}
		g.packet(index, pick(r, []uint32{p.base, p.missing(r)}), false)
	}
	for range holes {
		g.packet(index, end+uint32(r.IntN(int(holes))), false)
	}
}

func (g *sackTraffic) packet(index int, psn uint32, refused bool) {
	r := g.random
	connection, path := index/g.config.Paths, index%g.config.Paths
	g.add(g.request, event.SackReq{
		Op: event.SackOpPacket, Connection: uint32(connection), Path: uint16(path), Psn: psn,
		Ce: r.chance(1, 8), AckRequest: r.chance(1, 32), Tail: r.chance(1, 32), Refused: refused,
	})
	if !refused && g.paths[index].open {
		g.paths[index].accept(psn)
	}
	g.left--
}

func (g *sackTraffic) reopen(index int) {
	psn := g.random.start32()
	connection, path := index/g.config.Paths, index%g.config.Paths
	g.add(g.request, event.SackReq{Op: event.SackOpOpen, Connection: uint32(connection), Path: uint16(path), Psn: psn})
	g.paths[index].start(psn)
}

// closed asks about something that is not there: an identifier just or far out of range, or a path never opened.
func (g *sackTraffic) closed() {
	r := g.random
	connection, path := uint32(r.IntN(g.config.Connections)), uint16(r.IntN(g.config.Paths))
	switch r.IntN(4) {
	case 0:
		connection = pick(r, []uint32{uint32(g.config.Connections), uint32(g.config.Connections) + connection, 1<<24 - 1, 1 << 23})
	case 1:
		path = pick(r, []uint16{uint16(g.config.Paths), 1<<12 - 1, 1 << 11})
	case 2:
		g.add(g.request, event.SackReq{Op: event.SackOpOpen, Connection: 1 << 23, Path: path, Psn: r.Uint32()})
	case 3:
		index := int(connection)*g.config.Paths + int(path)
		if g.paths[index].open {
			connection = uint32(g.config.Connections)
		}
	}
	g.add(g.request, event.SackReq{Op: event.SackOpPacket, Connection: connection, Path: path, Psn: r.Uint32(), Ce: r.chance(1, 2)})
	g.left--
}
