package diff

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
	"metaroce/verification/capture"
	"metaroce/verification/verdict"
)

const deviceAddress, peerAddress = 0x0A000002, 0x0A000001

// timedFrame is a frame of a capture and its time in ns.
type timedFrame struct {
	ns   uint64
	data []byte
}

// dataFrames are Writes of two packets each on two connections, two paths and two streams: one packet is lost and comes
// last, one comes twice.
func dataFrames() (frames [][]byte) {
	for i := range uint32(40) {
		connection, psn := i%2, 0xFFFFFFF0+i/4
		d := frame.Data{
			Base: wire.Base{
				Connection: connection, Path: uint16(i / 2 % 2), Psn: psn, Stamp: 1000 + i, Opcode: wire.OpcodeWrite,
				Flags: wire.BaseFlagFirst | wire.BaseFlagLast,
			},
			Data:    wire.Data{Stream: uint16(i / 2 % 2), Message: 100 + i/4, MessageLength: 70, Address: 1 << 40, Key: 9},
			Payload: bytes.Repeat([]byte{byte(i)}, 70),
		}
		d.Ethernet = wire.Ethernet{Destination: 0x020000000002, Source: 0x020000000001}
		d.Ipv4 = wire.Ipv4{Source: peerAddress, Destination: deviceAddress, Ttl: 9, Ecn: uint8(i / 8 % 2 * 3)}
		d.Udp = wire.Udp{SourcePort: uint16(50000 + i%4)}
		frames = append(frames, d.Encode())
	}
	lost := frames[12]
	frames = append(append(frames[:12:12], frames[13:]...), lost, frames[20])
	return frames
}

func testSetup() *Setup {
	s := &Setup{}
	for n := range uint32(2) {
		s.Connections = append(s.Connections, SetupConnection{
			Connection: n, Peer: 70 + n, Hint: 0x1234, HintSequence: 5, Credit: 3,
			Paths:   []SetupPath{{0, 0xFFFFFFF0}, {1, 0xFFFFFFF0}},
			Streams: []SetupStream{{0, 100}, {1, 100}},
		})
	}
	return s
}

// exchange is what a device that is right makes of the frames: both directions, the device 3 µs slow.
func exchange(t *testing.T) (frames []timedFrame) {
	t.Helper()
	beats, err := testSetup().beats(profile.Small)
	require.NoError(t, err)
	run := engine.Run{Unit: "rx", Config: profile.Small, QuietCycles: 3000, MaxCycles: 1 << 20}
	unit, _ := event.UnitByName("rx")
	in, _ := unit.PortByName("s_axis")
	out, _ := unit.PortByName("m_axis")
	cfg, _ := unit.PortByName("s_cfg")
	for _, b := range beats {
		run.Stimulus = append(run.Stimulus, engine.Stimulus{Port: cfg.ID, Beat: b})
	}
	for i, f := range dataFrames() {
		cycle := uint64(2000 + 100*i)
		frames = append(frames, timedFrame{cycle * 4, f})
		require.NoError(t, capture.Beats(in, f, 0, false, func(beat []byte) {
			run.Stimulus = append(run.Stimulus, engine.Stimulus{Port: in.ID, Cycle: cycle, Beat: slices.Clone(beat)})
		}))
	}
	bench, err := engine.NewBench(run)
	require.NoError(t, err)
	join, err := capture.NewAssembler(out)
	require.NoError(t, err)
	bench.Advance(run.MaxCycles, func(r engine.Record) {
		if r.Port != out.ID {
			return
		}
		if last, err := join.Add(r.Cycle, r.Beat); last && err == nil {
			frames = append(frames, timedFrame{r.Cycle*4 + 3000, slices.Clone(join.Data)})
		}
	})
	slices.SortStableFunc(frames, func(a, b timedFrame) int { return int(int64(a.ns) - int64(b.ns)) })
	return frames
}

// pcapOf is a classic big-endian pcap file with times in µs since 1970.
func pcapOf(frames []timedFrame) []byte {
	b := binary.BigEndian.AppendUint32(nil, 0xA1B2C3D4)
	b = append(b, 0, 2, 0, 4)
	for _, v := range []uint32{0, 0, 65535, 1} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	for _, f := range frames {
		for _, v := range []uint32{1_700_000_000, uint32(f.ns / 1000), uint32(len(f.data)), uint32(len(f.data))} {
			b = binary.BigEndian.AppendUint32(b, v)
		}
		b = append(b, f.data...)
	}
	return b
}

func TestACaptureOfADeviceIsJudged(t *testing.T) {
	frames := exchange(t)
	frames = slices.Insert(frames, 3, timedFrame{frames[2].ns, []byte("\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x06some ARP")})
	report := judge(t, pcapOf(frames), Options{})
	require.Equal(t, verdict.Same, report.Verdict, "%+v", report.First)
	require.Greater(t, report.Compared, uint64(20))
	notes := strings.Join(report.Notes, "\n")
	require.Contains(t, notes, "adopted from its first packets: connection 0 (peer 0x46, hint 0x1234, hint sequence 0x5, credit 0x3), path 0 from PSN 0xfffffff0, "+
		"path 1 from PSN 0xfffffff0, stream 0 from message 0x64, stream 1 from message 0x64")
	require.Contains(t, notes, "41 DATA packets in")
	require.Contains(t, notes, "1 other packets")
	require.Equal(t, verdict.Same, judge(t, pcapOf(frames), Options{Setup: testSetup()}).Verdict)
}

func TestADeviceThatIsWrongIsFound(t *testing.T) {
	frames := exchange(t)
	acks := 0
	for i, f := range frames {
		if f.data[11] != 2 { // from the peer
			continue
		}
		changed := slices.Clone(frames)
		changed[i].data = slices.Clone(f.data)
		vector := len(f.data) - 4 - 32
		changed[i].data[vector] ^= 0x80 // bit 255
		recrc(t, changed[i].data)
		report := judge(t, pcapOf(changed), Options{Setup: testSetup()})
		require.Equal(t, verdict.Different, report.Verdict, "ACK %d", acks)
		require.Equal(t, "ack.vector", report.First.Field)
		require.EqualValues(t, acks, report.First.Record)
		require.Contains(t, report.First.Time, "1700000000.0")
		lost := slices.Delete(slices.Clone(frames), i, i+1)
		require.Equal(t, verdict.Different, judge(t, pcapOf(lost), Options{Setup: testSetup()}).Verdict, "ACK %d lost", acks)
		acks++
	}
	require.Greater(t, acks, 20)
	whole := pcapOf(frames)
	require.Equal(t, verdict.Truncated, judge(t, whole[:len(whole)-1], Options{Setup: testSetup()}).Verdict)
}

func TestDeviceCapturesThatCannotBeJudged(t *testing.T) {
	frames := exchange(t)
	_, err := Run(bytes.NewReader(pcapOf(nil)), Options{})
	require.ErrorContains(t, err, "nothing can be compared")
	_, err = Run(bytes.NewReader(pcapOf(frames)), Options{Unit: "sack"})
	require.ErrorContains(t, err, "judged by unit rx")
	cut := pcapOf(frames[:1])
	binary.BigEndian.PutUint32(cut[24+12:], 9000)
	_, err = Run(bytes.NewReader(cut), Options{Setup: testSetup()})
	require.ErrorContains(t, err, "packet 1: only")
}

func TestSetupFiles(t *testing.T) {
	good := "device: 10.0.0.2\nconnections:\n  - connection: 1\n    peer: 7\n    hint: 65535\n    paths: [{path: 2, psn: 5}]\n    streams: [{stream: 0, message: 9}]\n"
	s, err := ReadSetup(strings.NewReader(good))
	require.NoError(t, err)
	require.Equal(t, SetupConnection{Connection: 1, Peer: 7, Hint: 65535, Paths: []SetupPath{{2, 5}}, Streams: []SetupStream{{0, 9}}}, s.Connections[0])
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", good + "colour: red\n", "colour"},
		{"key twice", strings.Replace(good, "peer: 7", "peer: 7\n    peer: 8", 1), "peer"},
		{"no connection", "device: 10.0.0.2\n", "no connections"},
		{"address", strings.Replace(good, "10.0.0.2", "ten", 1), "device"},
		{"too large", strings.Replace(good, "65535", "65536", 1), "65536"},
	} {
		_, err := ReadSetup(strings.NewReader(c.text))
		require.ErrorContains(t, err, c.want, c.name)
	}
	s.Connections[0].Connection = 4
	_, err = s.beats(profile.Small)
	require.ErrorContains(t, err, "connection 4: configuration small has 4")
}
