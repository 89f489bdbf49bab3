package diff

// edgesKept is how far back the time of a cycle can still be told.
const edgesKept = 1 << 14

// edgeTimes remembers the times at which the last cycles ended.
type edgeTimes struct {
	ring [edgesKept]struct{ cycle, time uint64 }
}

func (t *edgeTimes) add(cycle, time uint64) {
	e := &t.ring[cycle%edgesKept]
	e.cycle, e.time = cycle, time
}

// at is the time of the edge that closed a cycle, if it is still known.
func (t *edgeTimes) at(cycle uint64) (time uint64, ok bool) {
	e := &t.ring[cycle%edgesKept]
	return e.time, e.cycle == cycle && e.time != 0
}
