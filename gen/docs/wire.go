package docs

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// wire describes the headers with bit diagrams, and the enums that they carry.
func wire(t *output.Text, s *model.Spec) {
	t.Line("Network byte order, most significant bit first. Unused bits are sent as 0 and ignored.\n")
	for i := range s.Headers {
		h := &s.Headers[i]
		t.Line("## %s, %d bytes\n\n*%s*\n\n```text\n%s```\n", h.Name, h.Bits/8, origin(h.Provenance), Diagram(h))
		head(t, "Field", "Bit", "Bits", "Meaning")
		for _, f := range h.Fields {
			row(t, "`"+f.Name+"`", fmt.Sprint(f.Offset), fmt.Sprint(f.Bits), withEnum(f.Text, f.Enum))
		}
		t.Line("")
	}
	t.Line("## Enums\n")
	enums(t, s, model.DomainWire)
}

// rowBits is the width of a diagram.
const rowBits = 32

// Diagram draws a header in rows of 32 bits, as RFCs do. A name that does not fit its box is cut and ends in "~".
func Diagram(h *model.Header) string {
	var b strings.Builder
	b.WriteString(" 0                   1                   2                   3\n")
	b.WriteString(" 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1\n")
	pieces := cut(h)
	fmt.Fprintln(&b, border(nil, rowOf(pieces, 0)))
	for r := 0; r*rowBits < h.Bits; r++ {
		row := rowOf(pieces, r)
		b.WriteByte('|')
		for _, p := range row {
			b.WriteString(centre(p.label, 2*p.bits-1) + "|")
		}
		b.WriteByte('\n')
		fmt.Fprintln(&b, border(row, rowOf(pieces, r+1)))
	}
	return b.String()
}

// piece is the part of a field that lies in one row.
type piece struct {
	row, column, bits int
	label             string
	continues         bool // into the next row
}

// cut splits the fields at the ends of rows. The label stands in the widest piece, the first of equals.
func cut(h *model.Header) []piece {
	var pieces []piece
	for _, f := range h.Fields {
		first, widest := len(pieces), len(pieces)
		for at := f.Offset; at < f.Offset+f.Bits; {
			p := piece{row: at / rowBits, column: at % rowBits}
			p.bits = min(rowBits-p.column, f.Offset+f.Bits-at)
			at += p.bits
			p.continues = at < f.Offset+f.Bits
			pieces = append(pieces, p)
			if p.bits > pieces[widest].bits {
				widest = len(pieces) - 1
			}
		}
		if n := len(pieces) - first; pieces[widest].bits == rowBits {
			widest += (n - 1 - (widest - first)) / 2 // the middle of whole rows
		}
		pieces[widest].label = f.Name
	}
	return pieces
}

func rowOf(pieces []piece, r int) (row []piece) {
	for _, p := range pieces {
		if p.row == r {
			row = append(row, p)
		}
	}
	return row
}

// border is the line between two rows: open where a field goes on straight below.
func border(above, below []piece) string {
	width := rowBits
	if len(below) == 0 {
		width = end(above)
	} else if len(above) > 0 {
		width = max(end(above), end(below))
	}
	line := []byte(strings.Repeat("+-", width) + "+")
	for _, p := range above {
		if !p.continues || p.bits < rowBits {
			continue
		}
		for i := 1; i < 2*width; i++ {
			line[i] = ' '
		}
	}
	return string(line)
}

// end is the column behind a row's last piece.
func end(row []piece) int {
	last := row[len(row)-1]
	return last.column + last.bits
}

// centre puts a label into the middle of a box.
func centre(label string, width int) string {
	if len(label) > width {
		label = label[:width-1] + "~"
	}
	left := (width - len(label)) / 2
	return strings.Repeat(" ", left) + label + strings.Repeat(" ", width-left-len(label))
}
