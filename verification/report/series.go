package report

import (
	"fmt"
	"html/template"
	"strings"

	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// Bounds of what a series keeps.
const (
	maxContexts = 64
	maxPoints   = 3000
	maxTotal    = 16_000 // seen, of all contexts: a plot shows the beginning of a long run
)

// plotFields say what is plotted for each unit: the port, the fields that name the context, the value and the class.
var plotFields = map[string]struct {
	port, value, class, title string
	context                   [2]string
}{
	"sack": {"dbg_update", "psn", "class", "PSN", [2]string{"connection", "path"}},
	"rx":   {"dbg_update", "psn", "outcome", "PSN", [2]string{"connection", "path"}},
	"rob":  {"dbg_update", "message", "verdict", "message", [2]string{"connection", "stream"}},
	"rate": {"m_rsp", "path_window", "status", "path window (16.8 packets)", [2]string{"connection", "path"}},
}

// Point is one value at a cycle.
type Point struct {
	Cycle, Value uint64
	Class        uint8
}

// Series collects a value over time for each context, from the records of one side; it keeps a bounded number.
type Series struct {
	port          *event.Port
	first, second *event.Field // context
	value, class  *event.Field
	title         string
	contextNames  [2]string
	contexts      map[uint64]*[]Point
	order         []uint64
	points        int // seen, of the contexts that are kept
}

// NewSeries makes the series of a unit.
func NewSeries(unit *event.Unit) *Series {
	f, ok := plotFields[unit.Name]
	if !ok {
		return nil
	}
	port, _ := unit.PortByName(f.port)
	s := &Series{port: port, title: f.title, contextNames: f.context, contexts: map[uint64]*[]Point{}}
	s.first, _ = port.FieldByName(f.context[0])
	s.second, _ = port.FieldByName(f.context[1])
	s.value, _ = port.FieldByName(f.value)
	s.class, _ = port.FieldByName(f.class)
	return s
}

// Add takes a record of any port; those of others are passed over, and all once there are enough points.
func (s *Series) Add(r *engine.Record) {
	if s != nil && r.Port == s.port.ID && s.points < maxTotal && len(r.Beat) == s.port.Bytes {
		s.add(r)
	}
}

func (s *Series) add(r *engine.Record) {
	key := s.first.Value(r.Beat)<<32 | s.second.Value(r.Beat)
	points := s.contexts[key]
	if points == nil {
		if len(s.order) == maxContexts {
			return
		}
		points = new([]Point)
		s.contexts[key] = points
		s.order = append(s.order, key)
	}
	if len(*points) < maxPoints {
		*points = append(*points, Point{r.Cycle, s.value.Value(r.Beat), uint8(s.class.Value(r.Beat))})
	}
	s.points++
}

// busiest are the points of the context that has most; the first met of equals.
func (s *Series) busiest() ([]Point, string) {
	var best []Point
	title := ""
	for _, key := range s.order {
		if points := *s.contexts[key]; len(points) > len(best) {
			best = points
			title = fmt.Sprintf("%s over time: %s %d, %s %d", s.title, s.contextNames[0], key>>32, s.contextNames[1], key&0xFFFFFFFF)
		}
	}
	return best, title
}

type legendEntry struct {
	Name  string
	Class int
	Count int
}

// Geometry of the plot, in pixels.
const (
	plotWidth, plotHeight          = 1120, 360
	plotLeft, plotBottom, plotEdge = 110, 34, 12
)

// plot draws points relative to a start of their own, so that a wrap of the sequence number is no cliff, and the cycle
// of the difference.
func (s *Series) plot(points []Point, in *Input) (template.HTML, []legendEntry) {
	values, low, high := s.relative(points)
	first, last := points[0].Cycle, points[len(points)-1].Cycle
	x := scale(float64(first), float64(last), plotLeft, plotWidth-plotEdge)
	y := scale(float64(low), float64(high), plotHeight-plotBottom, plotEdge)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s over time">`, plotWidth, plotHeight, plotWidth, plotHeight, s.title)
	for i := range 6 {
		v := low + (high-low)*int64(i)/5
		fmt.Fprintf(&b, `<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text class="tick end" x="%d" y="%.1f">%s</text>`,
			plotLeft, y(float64(v)), plotWidth-plotEdge, y(float64(v)), plotLeft-6, y(float64(v))+4, s.tick(points, v))
		c := first + (last-first)*uint64(i)/5
		anchor := "mid"
		if i == 5 {
			anchor = "end"
		}
		fmt.Fprintf(&b, `<text class="tick %s" x="%.1f" y="%d">%d</text>`, anchor, x(float64(c)), plotHeight-12, c)
	}
	counts := map[uint8]int{}
	for i, p := range points {
		counts[p.Class]++
		fmt.Fprintf(&b, `<circle class="c%d" cx="%.1f" cy="%.1f" r="2.2"/>`, p.Class, x(float64(p.Cycle)), y(float64(values[i])))
	}
	if in.Marked && in.Mark >= first && in.Mark <= last {
		at := x(float64(in.Mark))
		fmt.Fprintf(&b, `<line class="at" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`, at, plotEdge, at, plotHeight-plotBottom)
	}
	b.WriteString(`</svg>`)
	var legend []legendEntry
	for class := range uint8(8) {
		if counts[class] > 0 {
			legend = append(legend, legendEntry{event.EnumName(s.class.Enum, uint64(class)), int(class), counts[class]})
		}
	}
	return template.HTML(b.String()), legend
}

// relative are the values as signed distances from the first (32-bit sequence numbers), within a range that outliers,
// such as packets half the sequence space away, do not stretch: they are drawn at its edge.
func (s *Series) relative(points []Point) (values []int64, low, high int64) {
	values = make([]int64, len(points))
	for i, p := range points {
		if s.value.Bits == 32 {
			values[i] = int64(int32(uint32(p.Value) - uint32(points[0].Value)))
		} else {
			values[i] = int64(p.Value)
		}
	}
	low, high = quantiles(values)
	margin := (high-low)/10 + 8
	low, high = low-margin, high+margin
	for i := range values {
		values[i] = max(low, min(high, values[i]))
	}
	return values, low, high
}

func (s *Series) tick(points []Point, v int64) string {
	if s.value.Bits == 32 {
		return fmt.Sprintf("0x%08x", uint32(points[0].Value)+uint32(v))
	}
	return fmt.Sprintf("%.2f", float64(v)/256)
}
