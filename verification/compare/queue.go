package compare

import "metaroce/golden/engine"

// queue holds one side's records until the other side has caught up. Beats are copied into an arena, which is used
// again whenever the queue runs empty, so a comparison in step allocates nothing.
type queue struct {
	records []engine.Record
	head    int
	arena   []byte
}

func (q *queue) push(r engine.Record) {
	start := len(q.arena)
	q.arena = append(q.arena, r.Beat...)
	r.Beat = q.arena[start:len(q.arena):len(q.arena)]
	q.records = append(q.records, r)
}

func (q *queue) empty() bool { return q.head == len(q.records) }

func (q *queue) len() int { return len(q.records) - q.head }

func (q *queue) peek() *engine.Record { return &q.records[q.head] }

func (q *queue) pop() {
	q.head++
	if q.head == len(q.records) {
		q.records, q.arena, q.head = q.records[:0], q.arena[:0], 0
	}
}

// next is the first waiting record of a port, or nil.
func (q *queue) next(port uint8) *engine.Record {
	for i := q.head; i < len(q.records); i++ {
		if q.records[i].Port == port {
			return &q.records[i]
		}
	}
	return nil
}

// history keeps copies of the last records of a side or of the comparison.
type history struct {
	records []engine.Record // ring, once it is full
	depth   int
	count   uint64
}

func newHistory(depth int) *history { return &history{depth: depth} }

func (h *history) add(r *engine.Record) {
	if len(h.records) < h.depth {
		h.records = append(h.records, engine.Record{})
	}
	slot := &h.records[h.count%uint64(len(h.records))]
	slot.Cycle, slot.Port = r.Cycle, r.Port
	slot.Beat = append(slot.Beat[:0], r.Beat...)
	h.count++
}

func (h *history) clone() *history {
	copied := newHistory(h.depth)
	copied.count = h.count
	for i := range h.records {
		copied.records = append(copied.records, *cloneRecord(&h.records[i]))
	}
	return copied
}

// last are the newest records that a filter wants, at most n, oldest first.
func (h *history) last(n int, want func(*engine.Record) bool) []*engine.Record {
	var found []*engine.Record
	held := min(h.count, uint64(len(h.records)))
	for back := uint64(1); back <= held && len(found) < n; back++ {
		if r := &h.records[(h.count-back)%uint64(len(h.records))]; want(r) {
			found = append(found, r)
		}
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}
