package compare_test

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/wire"
	"metaroce/verification/stimulus"
)

// withHold is a trace's records with another hold time in the first ACK, and its CRC made right for it if wanted.
func withHold(t *testing.T, tr *trace, port *event.Port, fixCRC bool) []engine.Record {
	t.Helper()
	records := tr.copy()
	var beats []int
	var frame []byte
	for i := range records {
		if records[i].Port != port.ID {
			continue
		}
		beats = append(beats, i)
		var last bool
		if frame, last = stimulus.JoinBeat(port, frame, records[i].Beat); last {
			break
		}
	}
	inner := len(frame) - wire.BaseBytes - wire.AckBytes - wire.TrailerBytes
	require.Positive(t, inner)
	hold := frame[inner+wire.BaseBytes+4:]
	binary.BigEndian.PutUint16(hold, binary.BigEndian.Uint16(hold)+1)
	if fixCRC {
		end := len(frame) - wire.TrailerBytes
		binary.LittleEndian.PutUint32(frame[end:], crc32.ChecksumIEEE(frame[inner:end]))
	}
	data, _ := port.FieldByName("tdata")
	for n, i := range beats {
		copy(records[i].Beat[data.Offset:data.Offset+data.Bytes], frame[n*data.Bytes:])
	}
	return records
}
