package compare

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// numbered is a record and its ordinal on its port, from 0.
type numbered struct {
	engine.Record
	number uint64
}

// lane is one side's records of a group that the other side has not yet. Memory of records that have left is used again.
type lane struct {
	records []numbered
	head    int
}

func (l *lane) empty() bool { return l.head == len(l.records) }

func (l *lane) len() int { return len(l.records) - l.head }

func (l *lane) peek() *numbered { return &l.records[l.head] }

func (l *lane) push(r *engine.Record, number uint64) {
	if len(l.records) < cap(l.records) {
		l.records = l.records[:len(l.records)+1]
	} else {
		l.records = append(l.records, numbered{})
	}
	last := &l.records[len(l.records)-1]
	last.Cycle, last.Port, last.number = r.Cycle, r.Port, number
	last.Beat = append(last.Beat[:0], r.Beat...)
}

func (l *lane) pop() {
	l.head++
	if l.head == len(l.records) {
		l.records, l.head = l.records[:0], 0
	}
}

// find is the waiting record that a filter wants: the one of that ordinal if it is among them, else the oldest.
func (l *lane) find(number uint64, want func(*numbered) bool) *numbered {
	var found *numbered
	for i := l.head; i < len(l.records); i++ {
		r := &l.records[i]
		if (found == nil || r.number == number) && want(r) {
			found = r
		}
	}
	return found
}

// group is the records of one port among which order is promised: those that agree in the fields of ordered_by
// (spec: units.yaml). At most one side has any waiting.
type group struct {
	key   string
	place int     // in the port's groups
	sides [2]lane // model, device
}

// groups is what waits on one port at order level. Only groups in which something waits are kept, so memory does not
// grow with the number of contexts that a run has visited.
type groups struct {
	port  *event.Port
	count [2]uint64 // records taken, of each side
	byKey map[string]*group
	list  []*group
	spare []*group
	key   []byte
}

// of is the group of a record.
func (g *groups) of(r *engine.Record) *group {
	g.key = appendGroupKey(g.key[:0], g.port, r.Beat)
	if found := g.byKey[string(g.key)]; found != nil {
		return found
	}
	var made *group
	if n := len(g.spare); n > 0 {
		made, g.spare = g.spare[n-1], g.spare[:n-1]
	} else {
		made = &group{}
	}
	made.key, made.place = string(g.key), len(g.list)
	g.byKey[made.key] = made
	g.list = append(g.list, made)
	return made
}

// drop forgets a group in which nothing waits.
func (g *groups) drop(x *group) {
	if !x.sides[0].empty() || !x.sides[1].empty() {
		return
	}
	delete(g.byKey, x.key)
	last := g.list[len(g.list)-1]
	last.place = x.place
	g.list[x.place] = last
	g.list = g.list[:len(g.list)-1]
	g.spare = append(g.spare, x)
}

// twin is a side's waiting record of another group that is as r in all that counts but the fields that order the port:
// r, gone to the wrong group. The one of r's ordinal is preferred.
func (g *groups) twin(side int, r *numbered) *numbered {
	if len(g.port.OrderedBy) == 0 {
		return nil
	}
	var found *numbered
	g.key = appendGroupKey(g.key[:0], g.port, r.Beat)
	for _, x := range g.list {
		if x.key == string(g.key) {
			continue
		}
		t := x.sides[side].find(r.number, func(o *numbered) bool { return sameButGroup(g.port, r.Beat, o.Beat) })
		if t != nil && (found == nil || t.number == r.number || found.number != r.number && t.number < found.number) {
			found = t
		}
	}
	return found
}

// oldest is the side and the record that has waited longest, by its cycle; nil if none waits. Records of a side that
// is left out do not count.
func (g *groups) oldest(leaveOut int) (side int, found *numbered) {
	for s := range 2 {
		for _, x := range g.list {
			l := &x.sides[s]
			if s == leaveOut || l.empty() {
				continue
			}
			if r := l.peek(); found == nil || r.Cycle < found.Cycle || r.Cycle == found.Cycle && s == side && r.number < found.number {
				side, found = s, r
			}
		}
	}
	return side, found
}
