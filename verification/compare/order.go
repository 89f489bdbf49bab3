package compare

import (
	"bytes"

	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// order takes a side's next record of an output port at order level, and compares what both sides have of its group.
func (c *Comparer) order(side int, r *engine.Record) {
	g := &c.groups[r.Port]
	x := g.of(r)
	x.sides[side].push(r, g.count[side])
	g.count[side]++
	want, got := &x.sides[0], &x.sides[1]
	for c.first == nil && !want.empty() && !got.empty() {
		if !sameBeat(g.port, want.peek().Beat, got.peek().Beat) {
			c.orderDiffers(g, want.peek(), got.peek())
			return
		}
		c.compared[r.Port]++
		c.good.add(&want.peek().Record)
		want.pop()
		got.pop()
	}
	g.drop(x)
}

// sameBeat compares two beats, or whole frames, in what counts at order level.
func sameBeat(port *event.Port, want, got []byte) bool {
	if bytes.Equal(want, got) {
		return true
	}
	if isFrames(port) {
		return sameFrame(want, got)
	}
	return len(want) == len(got) && firstDifferentField(port, want, got, false) == nil
}

// orderDiffers reports that a group goes on differently on the two sides. Where one of the two records stands in another
// group of the other side, it is that one whose field is wrong.
func (c *Comparer) orderDiffers(g *groups, want, got *numbered) {
	if moved := g.twin(1, want); moved != nil {
		got = moved
	} else if moved := g.twin(0, got); moved != nil {
		want = moved
	}
	c.fieldDiffers(&want.Record, &got.Record)
	c.first.Record = got.number
}

// orderLeftOver reports the first record that only one side has, with the group in which it is.
func (c *Comparer) orderLeftOver(leaveOut int) {
	var in *groups
	var side int
	var odd *numbered
	for i := range c.groups {
		s, r := c.groups[i].oldest(leaveOut)
		if r != nil && (odd == nil || r.Cycle < odd.Cycle) {
			in, side, odd = &c.groups[i], s, r
		}
	}
	if odd == nil {
		return
	}
	if moved := in.twin(1-side, odd); moved != nil {
		want, got := odd, moved
		if side == 1 {
			want, got = moved, odd
		}
		c.fieldDiffers(&want.Record, &got.Record)
		c.first.Record = got.number
		return
	}
	none := "none"
	if name := formatGroup(in.port, odd.Beat); name != "" {
		none = "no more of " + name
	}
	if side == 0 {
		c.missing(&odd.Record, nil)
		c.first.Got = none
	} else {
		c.unexpected(&odd.Record, nil)
		c.first.Want = none
	}
	c.first.Record = odd.number
}

// Waiting is the number of the model's records, at order level, that the device does not have yet.
func (c *Comparer) Waiting() int {
	n := 0
	for i := range c.groups {
		for _, x := range c.groups[i].list {
			n += x.sides[0].len()
		}
	}
	return n
}
