package queue

import "fmt"

// Line delays entries by a fixed number of cycles and never stalls: what enters in cycle t leaves in cycle t + latency
// (spec: cycle.pipeline). At most one enters a cycle. The zero Line is not a line.
type Line[T any] struct {
	slots []T
	full  []bool
	at    int // slot of this cycle: what leaves gives its place to what enters
	start int // entries at the start of the cycle
	count int
}

// NewLine returns an empty line of latency cycles. It panics if latency is not positive: latencies come from the spec.
func NewLine[T any](latency int) Line[T] {
	if latency < 1 {
		panic(fmt.Sprintf("queue: latency of %d cycles is not positive", latency))
	}
	return Line[T]{slots: make([]T, latency), full: make([]bool, latency)}
}

// Len is the number of entries that entered before this cycle and did not leave before it.
func (l *Line[T]) Len() int { return l.start }

// Leave takes out the entry whose time has come in this cycle; nil if there is none. It is called once in every cycle,
// before Enter; what it returns stays as it is until then.
func (l *Line[T]) Leave() *T {
	if !l.full[l.at] {
		return nil
	}
	l.full[l.at] = false
	l.count--
	return &l.slots[l.at]
}

// Enter enters an entry in this cycle and returns its place, which holds old data: the caller fills all of it. It is
// called at most once a cycle.
func (l *Line[T]) Enter() *T {
	l.full[l.at] = true
	l.count++
	return &l.slots[l.at]
}

// Close ends the cycle.
func (l *Line[T]) Close() {
	l.start = l.count
	l.at++
	if l.at == len(l.slots) {
		l.at = 0
	}
}
