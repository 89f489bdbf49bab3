package capture

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/trace"
	"metaroce/verification/trace/pcapng"
)

var (
	rx, _    = event.UnitByName("rx")
	sAxis, _ = rx.PortByName("s_axis")
	mAxis, _ = rx.PortByName("m_axis")
	sCfg, _  = rx.PortByName("s_cfg")
)

type call struct {
	cycle uint64
	port  *event.Port
	beat  []byte
}

// frame gives the calls of one frame whose beats are in the given cycles.
func frame(t *testing.T, p *event.Port, data []byte, bad bool, cycles ...uint64) (calls []call) {
	t.Helper()
	require.NoError(t, Beats(p, data, uint64(len(cycles)), bad, func(beat []byte) {
		calls = append(calls, call{cycles[len(calls)], p, bytes.Clone(beat)})
	}))
	return calls
}

func write(t *testing.T, m Meta, calls []call, ports ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, m, ports...)
	require.NoError(t, err)
	for _, c := range calls {
		require.NoError(t, w.Record(c.cycle, c.port.ID, c.beat))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func open(t *testing.T, b []byte) *Reader {
	t.Helper()
	in, err := pcapng.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	r, ok, err := NewReader(in)
	require.NoError(t, err)
	require.True(t, ok)
	return r
}

func sample(t *testing.T) []call {
	data := bytes.Repeat([]byte{0xA5, 1, 2}, 60)
	calls := []call{{10, sCfg, event.RxCfg{Op: event.RxOpOpenStream, Connection: 3, Sequence: 9}.Append(nil)}}
	calls = append(calls, frame(t, sAxis, data[:64], false, 11)...)
	calls = append(calls, frame(t, sAxis, data[:65], true, 12, 13)...)
	calls = append(calls, frame(t, sAxis, data[:180], false, 20, 25, 26)...)
	calls = append(calls, frame(t, sAxis, data[:128], false, 30, 31, 32)...) // an empty last beat
	return append(calls, frame(t, mAxis, data[:130], false, 40, 41, 42)...)
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, clock := range []uint64{0, 4000, 3103} {
		seed := uint64(0)
		b := write(t, Meta{Unit: "rx", Config: "small", ClockPs: clock, Seed: &seed}, sample(t))
		r := open(t, b)
		require.Equal(t, profile.SpecHash, r.Meta.Spec)
		require.EqualValues(t, 0, *r.Meta.Seed)
		type seen struct {
			port         string
			first, cycle uint64
			beats        uint64
			bad          bool
			bytes        int
		}
		var got []seen
		for {
			i, err := r.Read()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			got = append(got, seen{i.Port.Name, i.First, i.Cycle, i.Beats, i.Bad, len(i.Packet.Data)})
		}
		require.Equal(t, []seen{
			{"s_cfg", 10, 10, 1, false, sCfg.Bytes}, {"s_axis", 11, 11, 1, false, 64}, {"s_axis", 12, 13, 2, true, 65},
			{"s_axis", 20, 26, 3, false, 180}, {"s_axis", 30, 32, 3, false, 128}, {"m_axis", 40, 42, 3, false, 130},
		}, got)
		require.Equal(t, []string{"s_axis", "s_cfg", "m_place", "m_payload", "m_cqe", "m_axis"}, r.Watched())
		require.Equal(t, b, write(t, Meta{Unit: "rx", Config: "small", ClockPs: clock, Seed: &seed}, sample(t)), "same run, same bytes")
	}
}

func TestFramesAreCutAndJoined(t *testing.T) {
	for n := range 200 {
		data := bytes.Repeat([]byte{7}, n)
		join, err := NewAssembler(sAxis)
		require.NoError(t, err)
		last := false
		require.NoError(t, Beats(sAxis, data, 0, true, func(beat []byte) {
			require.False(t, last)
			last, err = join.Add(0, beat)
			require.NoError(t, err)
		}))
		require.True(t, last && join.Bad)
		require.True(t, bytes.Equal(data, join.Data), "%d bytes", n)
		require.EqualValues(t, max(1, (n+63)/64), join.Beats)
	}
	require.ErrorContains(t, Beats(sAxis, make([]byte, 65), 1, false, nil), "65 bytes in 1 beats")
	require.ErrorContains(t, Beats(sCfg, nil, 0, false, nil), "has no tdata")
}

func TestWriterRefuses(t *testing.T) {
	_, err := NewWriter(io.Discard, Meta{Unit: "tx"})
	require.ErrorContains(t, err, `no unit "tx"`)
	w, err := NewWriter(io.Discard, Meta{Unit: "rx"})
	require.NoError(t, err)
	require.ErrorContains(t, w.Record(1, 99, nil), "no port 99")
	require.ErrorContains(t, w.Record(1, sCfg.ID, make([]byte, 3)), "beat of 3 bytes")
	require.NoError(t, w.Record(5, sCfg.ID, make([]byte, sCfg.Bytes)))
	require.ErrorContains(t, w.Record(4, sCfg.ID, make([]byte, sCfg.Bytes)), "cycle 4 comes after cycle 5")
	require.NoError(t, w.Record(6, sAxis.ID, make([]byte, sAxis.Bytes)))
	require.ErrorContains(t, w.Close(), "s_axis: the run ended 1 beats into a frame")
}

func TestForeignAndLyingCaptures(t *testing.T) {
	var b bytes.Buffer
	_, err := pcapng.NewWriter(&b, "somebody else's")
	require.NoError(t, err)
	in, err := pcapng.NewReader(&b)
	require.NoError(t, err)
	_, ok, err := NewReader(in)
	require.NoError(t, err)
	require.False(t, ok)
	for comment, want := range map[string]string{
		"metaroce-capture version=2 unit=rx clock_ps=4000":   "version 2",
		"metaroce-capture version=1 unit=tx clock_ps=4000":   `unit "tx"`,
		"metaroce-capture version=1 unit=rx":                 "clock_ps is missing",
		"metaroce-capture version=1 unit=rx clock_ps=0x10":   "clock_ps=0x10",
		"metaroce-capture version=1 unit=rx clock_ps=1 seed": "seed",
	} {
		_, ok, err := ParseMeta([]string{"other", comment})
		require.True(t, ok)
		require.ErrorContains(t, err, want)
	}
	beat := make([]byte, sCfg.Bytes)
	for _, c := range []struct {
		name, port, comment, want string
		raw                       uint64
		data                      []byte
	}{
		{"off the clock", "s_cfg", "", "no multiple of the clock period", 5, beat},
		{"comment contradicts the time", "s_cfg", "cycle=2", "comment says cycle 2, its time says cycle 1", 4, beat},
		{"comment is no number", "s_cfg", "first=x", `comment "first=x"`, 4, beat},
		{"first behind last", "s_cfg", "first=9", "first beat in cycle 9", 4, beat},
		{"no such port", "s_work", "", `"s_work" is no port`, 4, beat},
		{"short beat", "s_cfg", "", "beat of 3 bytes on s_cfg", 4, beat[:3]},
		{"bits beyond a field", "s_cfg", "", "field op has bits beyond its 2", 4, append([]byte{4}, beat[1:]...)},
	} {
		var b bytes.Buffer
		w, err := pcapng.NewWriter(&b, "metaroce-capture version=1 unit=rx config=small clock_ps=4000")
		require.NoError(t, err)
		id, err := w.AddInterface(trace.Interface{Name: c.port, Link: trace.LinkUser0, Unit: trace.Nanoseconds})
		require.NoError(t, err)
		require.NoError(t, w.Packet(id, c.raw, c.data, 0, c.comment))
		_, err = open(t, b.Bytes()).Read()
		require.ErrorContains(t, err, "packet 1", c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

func TestTsharkAgrees(t *testing.T) {
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("SKIPPED: tshark is not installed: captures are not judged by it (apt-get install tshark)")
	}
	name := filepath.Join(t.TempDir(), "judged.pcapng")
	require.NoError(t, os.WriteFile(name, write(t, Meta{Unit: "rx", Config: "small"}, sample(t)), 0o600))
	out, err := exec.Command(path, "-n", "-r", name, "-T", "fields", "-E", "separator=|", "-e", "frame.time_epoch",
		"-e", "frame.interface_name", "-e", "frame.len", "-e", "frame.comment", "-e", "frame.packet_flags_direction").Output()
	require.NoError(t, err)
	require.Equal(t, []string{
		"0.000000040|s_cfg|21|cycle=10|0x00000001", "0.000000044|s_axis|64|cycle=11|0x00000001",
		"0.000000052|s_axis|65|cycle=13|0x00000001", "0.000000104|s_axis|180|cycle=26 first=20|0x00000001",
		"0.000000128|s_axis|128|cycle=32 beats=3|0x00000001", "0.000000168|m_axis|130|cycle=42|0x00000002",
	}, strings.Split(strings.TrimSpace(string(out)), "\n"))
}
