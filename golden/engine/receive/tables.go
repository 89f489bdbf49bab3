package receive

import (
	"metaroce/golden/profile"
)

// tables are the connection table and the stream table (spec: rx.tables).
type tables struct {
	size        profile.Config
	connections []connection
	streams     []stream // stream s of connection c is at c * Streams + s
}

type connection struct {
	open         bool
	peer         uint32 // connection identifier that ACKs carry
	hint         uint16 // rate code
	hintSequence uint16
	credit       uint16 // posted receives
}

type stream struct {
	open  bool
	floor uint32 // first message not retired, as the reorder buffer showed it
}

func newTables(c profile.Config) tables {
	return tables{
		size:        c,
		connections: make([]connection, c.Connections),
		streams:     make([]stream, c.Connections*c.Streams),
	}
}

// connection is an entry of the connection table; nil if it is out of range.
func (t *tables) connection(id uint32) *connection {
	if uint64(id) >= uint64(len(t.connections)) {
		return nil
	}
	return &t.connections[id]
}

// hasPath tells whether a path is in range.
func (t *tables) hasPath(connection uint32, path uint16) bool {
	return int(connection) < t.size.Connections && int(path) < t.size.Paths
}

// stream is an entry of the stream table; nil if it is out of range.
func (t *tables) stream(connection uint32, id uint16) *stream {
	if int(connection) >= t.size.Connections || int(id) >= t.size.Streams {
		return nil
	}
	return &t.streams[int(connection)*t.size.Streams+int(id)]
}

// follow sets the floor of a stream that the reorder buffer knows.
func (t *tables) follow(connection uint32, id uint16, floor uint32) {
	t.stream(connection, id).floor = floor
}
