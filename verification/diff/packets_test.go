package diff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/capture"
	"metaroce/verification/compare"
	"metaroce/verification/decode"
	"metaroce/verification/verdict"
)

func TestCapturesOfAllUnitsAreTheSame(t *testing.T) {
	for i := range event.Units {
		for _, c := range profile.Configurations {
			unit := event.Units[i].Name
			count := 200
			if unit == "rx" {
				count = 120
			}
			report := judge(t, captureOf(t, unit, c, modelRun(t, unit, c, count)), Options{})
			require.Equal(t, verdict.Same, report.Verdict, "%s %s: %+v", unit, c.Name, report.First)
			require.Positive(t, report.Compared)
			require.Equal(t, c.Name, report.Configuration)
			require.EqualValues(t, 11, *report.Seed)
		}
	}
}

// rxFrame is one ACK frame of a run: the indexes of its beats among the records.
type rxFrame struct{ beats []int }

func ackFrames(records []handshake, port uint8, last int) (frames []rxFrame) {
	var open rxFrame
	for i, h := range records {
		if h.port != port {
			continue
		}
		open.beats = append(open.beats, i)
		if h.beat[last] == 1 {
			frames, open = append(frames, open), rxFrame{}
		}
	}
	return frames
}

// changedFrame returns the run in which one ACK has other bytes.
func changedFrame(t *testing.T, records []handshake, port *event.Port, f rxFrame, change func(frame []byte)) []handshake {
	t.Helper()
	join, err := capture.NewAssembler(port)
	require.NoError(t, err)
	for _, i := range f.beats {
		_, err := join.Add(records[i].cycle, records[i].beat)
		require.NoError(t, err)
	}
	frame := append([]byte(nil), join.Data...)
	change(frame)
	out := append([]handshake(nil), records...)
	n := 0
	require.NoError(t, capture.Beats(port, frame, join.Beats, false, func(beat []byte) {
		out[f.beats[n]].beat = append([]byte(nil), beat...)
		n++
	}))
	return out
}

// payloadAt is the offset of a frame's UDP payload.
func payloadAt(t *testing.T, frame []byte) int {
	f := decode.NewDecoder().Decode(frame)
	require.NotNil(t, f.Meta)
	return len(frame) - len(f.Meta.Contents) - len(f.Payload) - 4
}

func recrc(t *testing.T, frame []byte) {
	end := len(frame) - 4
	binary.LittleEndian.PutUint32(frame[end:], crc32.ChecksumIEEE(frame[payloadAt(t, frame):end]))
}

// TestEachByteOfAnAckIsCompared changes each byte of an ACK frame, with a CRC that is right again. The diff must say
// different with the name of the field that holds the byte; the hold time alone is the device's.
func TestEachByteOfAnAckIsCompared(t *testing.T) {
	records := modelRun(t, "rx", profile.Small, 60)
	unit, _ := event.UnitByName("rx")
	port, _ := unit.PortByName("m_axis")
	last, _ := port.FieldByName("tlast")
	frames := ackFrames(records, port.ID, last.Offset)
	require.Greater(t, len(frames), 10)
	fields := map[string]bool{}
	picked := frames[len(frames)/2]
	size := 0
	changedFrame(t, records, port, picked, func(frame []byte) { size = len(frame) })
	for at := range size - 4 {
		free := false
		changed := changedFrame(t, records, port, picked, func(frame []byte) {
			u := payloadAt(t, frame)
			hold := u + 16 + 4
			free = at == hold || at == hold+1
			end := len(frame) - 4
			frame[at] ^= 0x01
			binary.LittleEndian.PutUint32(frame[end:], crc32.ChecksumIEEE(frame[u:end]))
		})
		report := judge(t, captureOf(t, "rx", profile.Small, changed), Options{})
		if free {
			require.Equal(t, verdict.Same, report.Verdict, "hold time, byte %d", at)
			continue
		}
		require.Equal(t, verdict.Different, report.Verdict, "byte %d", at)
		require.Equal(t, "m_axis", report.First.Port, "byte %d", at)
		require.EqualValues(t, len(frames)/2, report.First.Record, "byte %d", at)
		require.NotEmpty(t, report.First.Time)
		require.Contains(t, report.First.Signal, "packet ")
		fields[report.First.Field] = true
	}
	for _, want := range []string{"ethernet.destination", "udp.source_port", "base.psn", "base.stamp", "ack.trigger", "ack.flags", "ack.vector", "ack.hint"} {
		require.True(t, fields[want], "no change was reported as %s: %v", want, fields)
	}
	wrong := changedFrame(t, records, port, picked, func(frame []byte) { frame[len(frame)-1] ^= 0x80 })
	report := judge(t, captureOf(t, "rx", profile.Small, wrong), Options{})
	require.Equal(t, "trailer.crc", report.First.Field)
}

// TestEachFlippedFieldOfABeatIsReported changes each field of each other output port.
func TestEachFlippedFieldOfABeatIsReported(t *testing.T) {
	for _, name := range []string{"rob", "rx"} {
		records := modelRun(t, name, profile.Small, 60)
		unit, _ := event.UnitByName(name)
		for i := range unit.Ports {
			p := &unit.Ports[i]
			if p.Direction == event.In || p.Style == event.Event || p.Packet != "" {
				continue
			}
			at := -1
			for n, h := range records {
				if h.port == p.ID && (at < 0 || n < len(records)/2) {
					at = n
				}
			}
			require.GreaterOrEqual(t, at, 0, "no beat on %s", p.Name)
			for f := range p.Fields {
				field := &p.Fields[f]
				for _, bit := range []int{0, field.Bits - 1} {
					changed := append([]handshake(nil), records...)
					changed[at].beat = append([]byte(nil), records[at].beat...)
					changed[at].beat[field.Offset+bit/8] ^= 1 << (bit % 8)
					report := judge(t, captureOf(t, name, profile.Small, changed), Options{})
					where := fmt.Sprintf("%s %s.%s bit %d", name, p.Name, field.Name, bit)
					require.Equal(t, verdict.Different, report.Verdict, where)
					require.Equal(t, p.Name, report.First.Port, where)
					require.Equal(t, field.Name, report.First.Field, where)
				}
			}
		}
	}
}

func TestLostAndDoubledPacketsAreReported(t *testing.T) {
	records := modelRun(t, "rx", profile.Small, 60)
	unit, _ := event.UnitByName("rx")
	for i := range unit.Ports {
		p := &unit.Ports[i]
		if p.Direction == event.In || p.Style == event.Event || p.Style == event.Axis {
			continue
		}
		var all []int
		for n, h := range records {
			if h.port == p.ID {
				all = append(all, n)
			}
		}
		for _, at := range []int{all[0], all[len(all)/2], all[len(all)-1]} {
			lost := append(append([]handshake(nil), records[:at]...), records[at+1:]...)
			report := judge(t, captureOf(t, "rx", profile.Small, lost), Options{})
			require.Equal(t, verdict.Different, report.Verdict, "lost: %s record %d", p.Name, at)
			require.Equal(t, p.Name, report.First.Port)
			doubled := append(append([]handshake(nil), records[:at+1]...), records[at:]...)
			report = judge(t, captureOf(t, "rx", profile.Small, doubled), Options{})
			require.Equal(t, verdict.Different, report.Verdict, "doubled: %s record %d", p.Name, at)
			require.Equal(t, p.Name, report.First.Port)
		}
	}
}

// TestOnlyWatchedPortsAreCompared leaves ports out of the file.
func TestOnlyWatchedPortsAreCompared(t *testing.T) {
	records := modelRun(t, "rx", profile.Small, 60)
	report := judge(t, captureOf(t, "rx", profile.Small, records, "s_axis", "s_cfg", "m_axis"), Options{})
	require.Equal(t, verdict.Same, report.Verdict, "%+v", report.First)
	for _, p := range report.Ports {
		require.Equal(t, p.Name == "m_axis", p.Compared > 0, p.Name)
	}
	report = judge(t, captureOf(t, "rx", profile.Small, records, "s_axis", "s_cfg"), Options{})
	require.Equal(t, verdict.Different, report.Verdict, "nothing to compare is not the same")
}

// TestEveryCutOfACapture cuts a capture at many bytes: truncated up to there, or clean at a block's end, where records
// that the model has and the file not are missing; never same with fewer records than the cut leaves out.
func TestEveryCutOfACapture(t *testing.T) {
	whole := captureOf(t, "sack", profile.Small, modelRun(t, "sack", profile.Small, 40))
	truncated := 0
	for n := 4; n < len(whole); n += 7 {
		report, err := Run(bytes.NewReader(whole[:n]), Options{})
		require.NoError(t, err, "cut at %d", n)
		switch report.Verdict {
		case verdict.Truncated:
			truncated++
			require.Contains(t, strings.Join(report.Notes, "\n"), fmt.Sprintf("truncated at byte %d", n))
		case verdict.Same:
			require.Nil(t, report.First)
		case verdict.Different:
			require.True(t, report.Compared == 0 || report.First.Kind == verdict.KindMissing, "cut at %d: %+v", n, report.First)
		default:
			require.Fail(t, string(report.Verdict))
		}
	}
	require.Greater(t, truncated, 100)
}

func TestCapturesAreJudgedByOrder(t *testing.T) {
	b := captureOf(t, "sack", profile.Small, modelRun(t, "sack", profile.Small, 10))
	_, err := Run(bytes.NewReader(b), Options{Level: compare.Cycle})
	require.ErrorContains(t, err, "order only")
	_, err = Run(bytes.NewReader(b), Options{Unit: "rx"})
	require.ErrorContains(t, err, "of unit sack, but rx")
	_, err = Run(bytes.NewReader(b), Options{Config: "large"})
	require.ErrorContains(t, err, "configuration small, but large")
	_, err = Run(bytes.NewReader(b), Options{Setup: &Setup{}})
	require.ErrorContains(t, err, "--setup")
}

// TestLongSilencesAreSkipped moves the second half of a run to the end of time: no more cycles are run for it.
func TestLongSilencesAreSkipped(t *testing.T) {
	records := modelRun(t, "sack", profile.Small, 60)
	for i := range records {
		if i > len(records)/2 {
			records[i].cycle += 1 << 60
		}
	}
	report := judge(t, captureOf(t, "sack", profile.Small, records), Options{})
	require.Equal(t, verdict.Same, report.Verdict, "%+v", report.First)
	require.Greater(t, report.Cycles, uint64(1<<60))
}

// FuzzRun: whatever a file says, a diff ends with a report or an error.
func FuzzRun(f *testing.F) {
	f.Add(captureOf(f, "sack", profile.Small, modelRun(f, "sack", profile.Small, 5)))
	f.Add(captureOf(f, "rx", profile.Small, modelRun(f, "rx", profile.Small, 3)))
	f.Add(newPins("rob", false, false).run(f, profile.Small, 3, 1).bytes(f))
	f.Add(newPins("sack", true, false).run(f, profile.Small, 3, 1).bytes(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		report, err := Run(bytes.NewReader(b), Options{})
		if (report == nil) == (err == nil) {
			t.Fatalf("report %v and error %v", report, err)
		}
		if report != nil && report.Verdict == verdict.Same && report.Compared == 0 {
			t.Fatal("same without a record")
		}
	})
}
