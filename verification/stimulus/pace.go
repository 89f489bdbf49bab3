package stimulus

// pace gives the earliest cycle of each next beat: bursts back to back, single gaps, and idle times long enough that a
// unit runs empty. It changes its mood every few hundred beats, so that one run sees all of them.
type pace struct {
	random *random
	cycle  uint64
	left   int // beats until the mood changes
	gap    int // chance of a gap, of 256
	length int // longest gap in cycles
}

func newPace(r *random) *pace { return &pace{random: r} }

// moods: chance of a gap of 256, and its longest length in cycles.
var moods = [][2]int{{0, 0}, {0, 0}, {0, 0}, {16, 3}, {128, 1}, {128, 40}, {256, 2}, {8, 400}}

func (p *pace) next() uint64 {
	if p.left == 0 {
		mood := pick(p.random, moods)
		p.left, p.gap, p.length = p.random.between(20, 400), mood[0], mood[1]
	}
	p.left--
	if p.random.IntN(256) < p.gap {
		p.cycle += uint64(p.random.between(1, p.length))
	}
	return p.cycle
}

// skip moves the pace on by a number of cycles.
func (p *pace) skip(cycles uint64) { p.cycle += cycles }
