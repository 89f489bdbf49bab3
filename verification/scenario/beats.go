package scenario

import (
	"math/big"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/stimulus"
)

// maxFrameBytes bounds what one frame of a scenario may hold: far beyond the longest legal one.
const maxFrameBytes = 1 << 16

// readBeats reads the list of beats. Each names its port and earliest cycle, and then either its fields or, on an
// AXI-Stream port, a whole frame.
func (r *reader) readBeats(n ast.Node) error {
	list, err := r.sequence(n, "beats")
	if err != nil {
		return err
	}
	last := map[uint8]uint64{}
	for _, item := range list {
		if err := r.beat(item, last); err != nil {
			return err
		}
	}
	return nil
}

// beatItem is a beat as it stands in the file.
type beatItem struct {
	at                    uint64
	port                  *event.Port
	fields, frame, packet ast.Node
	bad                   bool
}

func (r *reader) beat(n ast.Node, last map[uint8]uint64) error {
	item, err := r.beatItem(n)
	if err != nil {
		return err
	}
	if item.at < last[item.port.ID] {
		return r.fault(n, "at: cycle %d is before the port's last beat at %d", item.at, last[item.port.ID])
	}
	last[item.port.ID] = item.at
	if item.fields == nil {
		return r.frame(item)
	}
	beat, err := r.fields(item.port, item.fields)
	if err != nil {
		return err
	}
	r.scenario.Run.Stimulus = append(r.scenario.Run.Stimulus, engine.Stimulus{Port: item.port.ID, Cycle: item.at, Beat: beat})
	return nil
}

func (r *reader) beatItem(n ast.Node) (*beatItem, error) {
	entries, err := r.mapping(n, "beat")
	if err != nil {
		return nil, err
	}
	item := &beatItem{}
	for _, e := range entries {
		switch e.key {
		case "at":
			item.at, err = r.uint64(e.value, "at")
		case "port":
			item.port, err = r.inPort(e.value)
		case "fields":
			item.fields = e.value
		case "frame":
			item.frame = e.value
		case "packet":
			item.packet = e.value
		case "bad":
			var v *big.Int
			if v, err = r.number(e.value, "bad", 1); err == nil {
				item.bad = v.Sign() != 0
			}
		default:
			err = r.fault(e.name, "unknown key %q of a beat", e.key)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case item.port == nil:
		return nil, r.fault(n, "beat: key port is missing")
	case count(item.fields, item.frame, item.packet) != 1:
		return nil, r.fault(n, "beat: want one of fields, frame and packet")
	case item.bad && item.fields != nil:
		return nil, r.fault(n, "beat: bad goes with a frame or a packet")
	}
	return item, nil
}

func (r *reader) inPort(n ast.Node) (*event.Port, error) {
	name, err := r.text(n, "port")
	if err != nil {
		return nil, err
	}
	port, ok := r.unit.PortByName(name)
	if !ok || port.Direction != event.In {
		return nil, r.fault(n, "unit %s has no input port %q", r.unit.Name, name)
	}
	return port, nil
}

// fields packs the named fields of a beat; those left out are 0.
func (r *reader) fields(port *event.Port, n ast.Node) ([]byte, error) {
	entries, err := r.mapping(n, "fields")
	if err != nil {
		return nil, err
	}
	beat := make([]byte, port.Bytes)
	for _, e := range entries {
		f := fieldByName(port, e.key)
		if f == nil {
			return nil, r.fault(e.name, "port %s has no field %q", port.Name, e.key)
		}
		v, err := r.value(f, e.value)
		if err != nil {
			return nil, err
		}
		putLittleEndian(beat[f.Offset:f.Offset+f.Bytes], v)
	}
	return beat, nil
}

// value reads a field's value: a number, or the name of one of its enum's values.
func (r *reader) value(f *event.Field, n ast.Node) (*big.Int, error) {
	if f.Enum != "" {
		text, err := r.text(n, f.Name)
		if err != nil {
			return nil, err
		}
		var names []string
		for v := uint64(0); v < 1<<min(f.Bits, 8); v++ {
			name := event.EnumName(f.Enum, v)
			if name == text {
				return new(big.Int).SetUint64(v), nil
			}
			if isName(name) {
				names = append(names, name)
			}
		}
		if !startsAsNumber(text) && text != "true" && text != "false" {
			return nil, r.fault(n, "%s: %q is none of %s", f.Name, text, strings.Join(names, ", "))
		}
	}
	return r.number(n, f.Name, f.Bits)
}

func startsAsNumber(text string) bool {
	return text != "" && (text[0] >= '0' && text[0] <= '9' || text[0] == '-' || text[0] == '+')
}

// frame cuts a frame, given as bytes or as a packet, into the beats of its port.
func (r *reader) frame(item *beatItem) error {
	frame, err := r.frameBytes(item)
	if err != nil {
		return err
	}
	for _, beat := range stimulus.CutFrame(item.port, frame, item.bad) {
		r.scenario.Run.Stimulus = append(r.scenario.Run.Stimulus, engine.Stimulus{Port: item.port.ID, Cycle: item.at, Beat: beat})
	}
	return nil
}

func (r *reader) frameBytes(item *beatItem) ([]byte, error) {
	node := item.frame
	if node == nil {
		node = item.packet
	}
	if item.port.Style != event.Axis || fieldByName(item.port, "tdata") == nil {
		return nil, r.fault(node, "port %s takes no frames", item.port.Name)
	}
	if item.packet != nil {
		return r.packet(item.packet)
	}
	frame, err := r.unhex(item.frame, "frame")
	if err == nil && (len(frame) == 0 || len(frame) > maxFrameBytes) {
		err = r.fault(item.frame, "frame: %d bytes, must be 1..%d", len(frame), maxFrameBytes)
	}
	return frame, err
}

// count is how many of the nodes are there.
func count(nodes ...ast.Node) int {
	n := 0
	for _, node := range nodes {
		if node != nil {
			n++
		}
	}
	return n
}

func putLittleEndian(dst []byte, v *big.Int) {
	big := v.FillBytes(make([]byte, len(dst)))
	for i := range big {
		dst[len(dst)-1-i] = big[i]
	}
}

func fieldByName(port *event.Port, name string) *event.Field {
	f, _ := port.FieldByName(name)
	return f
}
