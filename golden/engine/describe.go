package engine

import (
	"fmt"

	"metaroce/golden/event"
)

// keys are the identifiers that a beat carries, for reports.
type keys struct {
	connection         uint32 // 0 if there is none
	path, stream       uint16
	hasPath, hasStream bool
}

// newKeys reads the fields connection, path and stream of a beat, where its port has them. A beat that is too short has
// none.
func newKeys(info *event.Unit, port int, beat []byte) keys {
	var k keys
	if port < 0 || port >= len(info.Ports) || len(beat) != info.Ports[port].Bytes {
		return k
	}
	p := &info.Ports[port]
	if f, ok := p.FieldByName("connection"); ok {
		k.connection = uint32(f.Value(beat))
	}
	if f, ok := p.FieldByName("path"); ok {
		k.path, k.hasPath = uint16(f.Value(beat)), true
	}
	if f, ok := p.FieldByName("stream"); ok {
		k.stream, k.hasStream = uint16(f.Value(beat)), true
	}
	return k
}

// hex256 shows a vector as records do: one number, bit 255 first.
func hex256(v [4]uint64) string {
	return fmt.Sprintf("0x%016x%016x%016x%016x", v[3], v[2], v[1], v[0])
}
