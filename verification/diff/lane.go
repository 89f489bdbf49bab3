package diff

// timedBeat is a beat and the cycle that it belongs to.
type timedBeat struct {
	cycle uint64
	beat  []byte
}

// lane is a queue of beats in order. Memory of beats that have left is used again.
type lane struct {
	queue []timedBeat
	head  int
}

func (l *lane) empty() bool { return l.head == len(l.queue) }

func (l *lane) front() *timedBeat { return &l.queue[l.head] }

func (l *lane) push(cycle uint64, beat []byte) {
	if l.head > 0 && len(l.queue) == cap(l.queue) {
		l.compact()
	}
	if len(l.queue) < cap(l.queue) {
		l.queue = l.queue[:len(l.queue)+1]
	} else {
		l.queue = append(l.queue, timedBeat{})
	}
	last := &l.queue[len(l.queue)-1]
	last.cycle, last.beat = cycle, append(last.beat[:0], beat...)
}

func (l *lane) pop() {
	l.head++
	if l.head == len(l.queue) {
		l.queue, l.head = l.queue[:0], 0
	}
}

// compact moves what is left to the front and what has left behind it, so that both keep their memory.
func (l *lane) compact() {
	n := len(l.queue)
	for i := l.head; i < n; i++ {
		l.queue[i-l.head], l.queue[i] = l.queue[i], l.queue[i-l.head]
	}
	l.queue, l.head = l.queue[:n-l.head], 0
}
