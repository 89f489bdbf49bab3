package stimulus

import (
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// ratePath is what the generator knows of a path: the cumulative counters that its ACKs carry.
type ratePath struct {
	open         bool
	received, ce uint32
}

type rateConnection struct {
	open bool
	hint uint16 // newest hint sequence
}

type rateChoice int

const (
	rateSend   rateChoice = iota // a packet of this size?
	rateAck                      // an ACK without marks
	rateMarked                   // an ACK with marked packets
	rateLost                     // an ACK that proved a loss
	rateStale                    // an ACK whose counters go back
	rateWild                     // an ACK with extreme values everywhere
	rateHint                     // an ACK with a new hint: newer, older, illegal
	rateReopen                   // OPEN of a connection or path in mid-run
	rateClosed                   // connection or path not open or not there
	rateChoices
)

// rateMoods are the weights of the choices: balanced, growing, marked, lossy, window-limited, hints, hostile.
var rateMoods = [][rateChoices]int{
	{rateSend: 50, rateAck: 40, rateMarked: 8, rateHint: 4},
	{rateSend: 40, rateAck: 60},
	{rateSend: 40, rateAck: 30, rateMarked: 30},
	{rateSend: 50, rateAck: 30, rateMarked: 5, rateLost: 15},
	{rateSend: 90, rateAck: 8, rateMarked: 2},
	{rateSend: 40, rateAck: 20, rateHint: 40},
	{rateSend: 20, rateAck: 10, rateStale: 15, rateWild: 25, rateHint: 10, rateReopen: 3, rateClosed: 15},
}

type rateTraffic struct {
	*builder
	request     uint8
	paths       []ratePath
	connections []rateConnection
	active      []int
	now         uint64 // ns, mod 2^48
	step        []int  // how far time moves between operations, in ns
	left        int
}

func generateRate(b *builder, count int) {
	g := &rateTraffic{
		builder: b, request: b.port("s_req"), left: count,
		paths:       make([]ratePath, b.config.Connections*b.config.Paths),
		connections: make([]rateConnection, b.config.Connections),
	}
	g.now = pick(g.random, []uint64{0, 1<<48 - 5000, 1<<47 - 5000, 1<<32 - 2000, g.random.Uint64() % (1 << 48)})
	for g.left > 0 {
		g.phase()
	}
}

// steps are the ways in which time moves: a clock, a packet time, an RTT, long idle, anything.
var steps = [][]int{{0, 4}, {0, 40, 80}, {80, 1000}, {0, 4, 5000, 20000}, {0, 1 << 20, 1 << 31}, {0, 1 << 40, 1 << 46, 1 << 47}}

func (g *rateTraffic) phase() {
	r := g.random
	g.step = pick(r, steps)
	g.active = g.active[:0]
	for range pick(r, []int{1, 1, 2, 4, 12}) {
		index := r.IntN(len(g.paths))
		g.ensure(index)
		g.active = append(g.active, index)
	}
	mood := pick(r, rateMoods)
	for n := r.between(80, 800); n > 0 && g.left > 0; n-- {
		g.now = (g.now + uint64(r.IntN(pick(r, g.step)+1))) % (1 << 48)
		g.operate(pick(r, g.active), rateChoice(r.weighted(mood[:])))
		g.left--
	}
}

// ensure opens what the path needs and is not open yet.
func (g *rateTraffic) ensure(index int) {
	if !g.connections[index/g.config.Paths].open {
		g.openConnection(index / g.config.Paths)
	}
	if !g.paths[index].open {
		g.openPath(index)
	}
}

func (g *rateTraffic) openConnection(connection int) {
	g.connections[connection] = rateConnection{open: true}
	g.add(g.request, event.RateReq{
		Op: event.RateOpOpenConnection, Connection: uint32(connection), Path: uint16(g.random.IntN(1 << 12)), Now: g.now,
		Rate: g.rate(), LossIsCongestion: g.random.chance(1, 2),
	})
}

func (g *rateTraffic) openPath(index int) {
	g.paths[index] = ratePath{open: true}
	g.add(g.request, g.about(index, event.RateOpOpenPath))
}

func (g *rateTraffic) about(index int, op event.RateOp) event.RateReq {
	return event.RateReq{Op: op, Connection: uint32(index / g.config.Paths), Path: uint16(index % g.config.Paths), Now: g.now}
}

// rate is a rate code: usual speeds, no limit, every exponent, and the illegal mantissa 0 with any exponent.
func (g *rateTraffic) rate() uint16 {
	r := g.random
	exponent := uint16(r.IntN(32)) << profile.HintMantissaBits
	switch r.IntN(8) {
	case 0:
		return profile.HintNoLimit
	case 1:
		return exponent // mantissa 0
	case 2:
		return exponent | 1<<profile.HintMantissaBits - 1
	case 3:
		return exponent | 1
	case 4, 5: // 1 to 400 Gb/s
		return uint16(r.between(3, 12))<<profile.HintMantissaBits | uint16(r.between(1024, 2047))
	default:
		return uint16(r.Uint32())
	}
}

func (g *rateTraffic) operate(index int, choice rateChoice) {
	r, p := g.random, &g.paths[index]
	q := g.about(index, event.RateOpAck)
	q.Rate, q.HintSequence = profile.HintNoLimit, g.connections[q.Connection].hint
	switch choice {
	case rateSend:
		q = g.about(index, event.RateOpSend)
		q.Bytes = pick(r, []uint16{64, 128, 1500, 4178, 4178, 4178, uint16(r.Uint32()), 0, 1, 65535})
		g.add(g.request, q)
		return
	case rateReopen:
		if r.chance(1, 3) {
			g.openConnection(index / g.config.Paths)
			return
		}
		g.openPath(index)
		return
	case rateClosed:
		g.closed(q)
		return
	case rateWild:
		g.wild(&q)
		g.add(g.request, q)
		p.received, p.ce = q.Received, q.CeMarked
		return
	case rateStale:
		q.Received, q.CeMarked = p.received-pick(r, []uint32{1, 2, 1000, 1<<31 - 1, 1 << 31}), p.ce
		q.Acked = uint16(r.IntN(3))
		g.add(g.request, q)
		return
	case rateHint:
		g.hint(&q)
	}
	g.acknowledge(&q, p, choice)
}

// acknowledge fills in an ACK that carries on from the path's last one, and sends it.
func (g *rateTraffic) acknowledge(q *event.RateReq, p *ratePath, choice rateChoice) {
	r := g.random
	arrived := uint32(pick(r, []int{0, 1, 2, 2, 2, 3, 8, 64, 255, 256, 257}))
	q.Acked = uint16(arrived)
	if r.chance(1, 8) {
		q.Acked = uint16(r.IntN(300))
	}
	p.received += arrived
	switch choice {
	case rateMarked:
		p.ce += r.Uint32N(arrived + 1)
	case rateLost:
		q.Lost = true
	}
	q.Received, q.CeMarked = p.received, p.ce
	q.Rtt = pick(r, []uint32{0, 1, 7, 8, 5000, 10000 + r.Uint32N(3000), 12000, 1_000_000})
	g.add(g.request, *q)
}

// hint puts a rate and a hint sequence into an ACK: the next one, an older one, exactly half the range away, any.
func (g *rateTraffic) hint(q *event.RateReq) {
	r := g.random
	q.Rate = g.rate()
	newest := &g.connections[q.Connection].hint
	q.HintSequence = *newest + pick(r, []uint16{0, 1, 1, 1, 2, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1<<16 - 1, uint16(r.Uint32())})
	if int16(q.HintSequence-*newest) >= 0 && q.Rate&(1<<profile.HintMantissaBits-1) != 0 {
		*newest = q.HintSequence
	}
}

func (g *rateTraffic) wild(q *event.RateReq) {
	r := g.random
	extremes := []uint32{0, 1, 255, 256, 65534, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1, r.Uint32()}
	q.Acked = uint16(pick(r, extremes))
	q.Received, q.CeMarked, q.Rtt = pick(r, extremes), pick(r, extremes), pick(r, extremes)
	q.Lost = r.chance(1, 2)
	q.Rate, q.HintSequence = g.rate(), uint16(pick(r, extremes))
	q.Bytes, q.LossIsCongestion = uint16(r.Uint32()), r.chance(1, 2)
}

// closed turns an ACK into an operation on something that is not open or not there.
func (g *rateTraffic) closed(q event.RateReq) {
	r := g.random
	if r.chance(1, 2) {
		q.Op = pick(r, []event.RateOp{event.RateOpSend, event.RateOpOpenPath, event.RateOpOpenConnection})
	}
	q.Bytes, q.Acked, q.Rtt = 64, 1, 500
	if q.Op == event.RateOpOpenConnection || r.chance(1, 2) {
		q.Connection = pick(r, []uint32{uint32(g.config.Connections), 1<<24 - 1, 1 << 23})
	} else {
		q.Path = pick(r, []uint16{uint16(g.config.Paths), 1<<12 - 1, 1 << 11})
	}
	g.add(g.request, q)
}
