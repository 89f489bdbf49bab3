package report

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/compare"
)

// Geometry of the timing diagram, in pixels.
const (
	cellWidth  = 24
	laneHeight = 18
	rowGap     = 10
	nameWidth  = 150
	topHeight  = 30
)

// timing draws the handshakes and events of both sides: a row a port, the model's lane above the device's, a column a
// cycle. A cell without its like in the other lane is red.
func timing(in *Input) template.HTML {
	var b strings.Builder
	columns := int(in.To-in.From) + 1
	width := nameWidth + columns*cellWidth + 10
	height := topHeight + len(in.Unit.Ports)*(2*laneHeight+rowGap)
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="timing diagram">`, width, height, width, height)
	grid(&b, in, columns, height)
	for i := range in.Unit.Ports {
		port := &in.Unit.Ports[i]
		y := topHeight + i*(2*laneHeight+rowGap)
		fmt.Fprintf(&b, `<text class="name" x="4" y="%d">%s</text>`, y+laneHeight+5, port.Name)
		fmt.Fprintf(&b, `<text class="side" x="%d" y="%d">model</text><text class="side" x="%d" y="%d">device</text>`,
			nameWidth-46, y+13, nameWidth-46, y+laneHeight+13)
		lane(&b, in, port, in.Model, in.Device, y, "model")
		lane(&b, in, port, in.Device, in.Model, y+laneHeight, "device")
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

func grid(b *strings.Builder, in *Input, columns, height int) {
	for c := range columns {
		x, cycle := nameWidth+c*cellWidth, in.From+uint64(c)
		if in.Marked && cycle == in.Mark {
			fmt.Fprintf(b, `<rect class="mark" x="%d" y="14" width="%d" height="%d"/>`, x, cellWidth, height-16)
		}
		if cycle%5 == 0 {
			fmt.Fprintf(b, `<line class="grid" x1="%d" y1="20" x2="%d" y2="%d"/><text class="tick" x="%d" y="11">%d</text>`, x, x, height-4, x, cycle)
		}
	}
}

func lane(b *strings.Builder, in *Input, port *event.Port, own, other []engine.Record, y int, class string) {
	for i := range own {
		r := &own[i]
		if r.Port != port.ID || r.Cycle < in.From || r.Cycle > in.To {
			continue
		}
		x := nameWidth + int(r.Cycle-in.From)*cellWidth
		kind := class
		if !hasLike(other, r) {
			kind = "wrong"
		}
		fmt.Fprintf(b, `<g><title>%s</title><rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="3"/>`,
			template.HTMLEscapeString(fmt.Sprintf("%s, cycle %d: %s", class, r.Cycle, compare.FormatBeat(port, r.Beat))), kind, x+1, y+1, cellWidth-2, laneHeight-2)
		fmt.Fprintf(b, `<text class="cell" x="%d" y="%d">%s</text></g>`, x+cellWidth/2, y+13, label(port, r.Beat))
	}
}

func hasLike(records []engine.Record, r *engine.Record) bool {
	for i := range records {
		if records[i].Cycle == r.Cycle && records[i].Port == r.Port {
			return bytes.Equal(records[i].Beat, r.Beat)
		}
	}
	return false
}

// label is what fits into a cell: the low byte of the beat's sequence number, or a dot.
func label(port *event.Port, beat []byte) string {
	for _, name := range []string{"psn", "message", "floor", "departure"} {
		if f, ok := port.FieldByName(name); ok && len(beat) == port.Bytes {
			return fmt.Sprintf("%02x", f.Value(beat)&0xFF)
		}
	}
	if f, ok := port.FieldByName("tlast"); ok && len(beat) == port.Bytes && f.Value(beat) == 1 {
		return "end"
	}
	return "·"
}
