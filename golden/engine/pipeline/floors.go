package pipeline

import "metaroce/golden/profile"

// floors holds each stream's floor, the first message not yet retired by the walker (spec: rob.floor).
type floors struct {
	connections, streams int
	depth                uint32 // messages of one ring
	floor                []uint32
	isOpen               []bool
}

func newFloors(c profile.Config) floors {
	n := c.Connections * c.Streams
	return floors{
		connections: c.Connections, streams: c.Streams, depth: uint32(c.ReorderDepth),
		floor: make([]uint32, n), isOpen: make([]bool, n),
	}
}

// index is the number of a stream that is in range.
func (f *floors) index(connection uint32, stream uint16) int {
	return int(connection)*f.streams + int(stream)
}

func (f *floors) open(index int, message uint32) {
	f.floor[index], f.isOpen[index] = message, true
}

// get returns 0 and false for a stream that is out of range or not open.
func (f *floors) get(connection uint32, stream uint16) (message uint32, open bool) {
	if int(connection) >= f.connections || int(stream) >= f.streams {
		return 0, false
	}
	i := f.index(connection, stream)
	return f.floor[i], f.isOpen[i]
}
