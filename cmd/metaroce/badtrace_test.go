package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/capture"
	"metaroce/verification/scenario"
)

// modelCapture is a capture of unit rx in which the model is the device.
func modelCapture(t *testing.T) []byte {
	t.Helper()
	s, err := scenario.FromSeed("rx", profile.Small, 3, 60)
	require.NoError(t, err)
	unit, _ := event.UnitByName("rx")
	inputs := make([][][]byte, len(unit.Ports))
	for _, stimulus := range s.Run.Stimulus {
		inputs[stimulus.Port] = append(inputs[stimulus.Port], stimulus.Beat)
	}
	bench, err := engine.NewBench(s.Run)
	require.NoError(t, err)
	var file bytes.Buffer
	w, err := capture.NewWriter(&file, capture.Meta{Unit: "rx", Config: "small"}, "s_axis", "s_cfg", "m_axis")
	require.NoError(t, err)
	bench.Advance(s.Run.MaxCycles+1, func(r engine.Record) {
		beat := r.Beat
		if len(inputs[r.Port]) > 0 && len(beat) == 0 { // the record of an input handshake has no beat
			beat, inputs[r.Port] = inputs[r.Port][0], inputs[r.Port][1:]
		}
		require.NoError(t, w.Record(r.Cycle, r.Port, beat))
	})
	require.NoError(t, w.Close())
	return file.Bytes()
}

// packetBlock finds the offset of the n-th enhanced packet block on an interface.
func packetBlock(t *testing.T, file []byte, onInterface uint32, n int) int {
	t.Helper()
	for at := 0; at+12 <= len(file); at += int(binary.LittleEndian.Uint32(file[at+4:])) {
		if binary.LittleEndian.Uint32(file[at:]) == 6 && binary.LittleEndian.Uint32(file[at+8:]) == onInterface {
			if n--; n < 0 {
				return at
			}
		}
	}
	require.Fail(t, "no such block")
	return 0
}

func writeTrace(t *testing.T, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.WriteFile(name, data, 0o600))
	return name
}

// TestTracesThatEndEarly cuts a capture and a dump at many bytes: diff and dump say so, or that it is no trace.
func TestTracesThatEndEarly(t *testing.T) {
	dump, err := os.ReadFile(sackDump)
	require.NoError(t, err)
	for name, whole := range map[string][]byte{"pcapng": modelCapture(t), "vcd": dump} {
		code, _, talk := command("diff", writeTrace(t, whole))
		require.Equal(t, 0, code, "%s: %s", name, talk)
		truncated := 0
		for i := range 40 {
			file := writeTrace(t, whole[:len(whole)*i/40+i%3])
			code, out, talk := command("diff", file)
			require.Contains(t, []int{0, 2, 3}, code, "%s cut after %d: %s%s", name, i, out, talk) // 0: cut between two records
			if code == 3 {
				truncated++
				require.Contains(t, out, "truncated at byte ")
			}
			if code == 2 {
				require.Contains(t, talk, file)
			}
			code, _, talk = command("trace", "dump", file)
			require.Contains(t, []int{0, 2, 3}, code)
			if code == 3 {
				require.Contains(t, talk, file+": truncated at byte ")
			}
		}
		require.Greater(t, truncated, 30, name)
	}
}

// TestLyingCaptures changes one number in the middle of a right capture: an error that names file and byte, and at once.
func TestLyingCaptures(t *testing.T) {
	whole := modelCapture(t)
	at := packetBlock(t, whole, 0, 5)
	length := int(binary.LittleEndian.Uint32(whole[at+4:]))
	for _, c := range []struct {
		name   string
		offset int
		value  uint32
		want   string
	}{
		{"block length", 4, 0x7ffffff0, "a total length of 2147483632, above the limit"},
		{"block length of nothing", 4, 0, "a total length of 0"},
		{"captured length", 20, 0x7ffffff0, "captured length 2147483632"},
		{"interface", 8, 77, "interface 77 was never declared: the section has 3"},
		{"length behind", length - 4, 12, "block lengths disagree"},
	} {
		lie := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(lie[at+c.offset:], c.value)
		file := writeTrace(t, lie)
		for _, args := range [][]string{{"diff", file}, {"trace", "dump", file}} {
			code, _, talk := command(args...)
			require.Equal(t, exitUsage, code, "%s: %s", c.name, talk)
			require.Contains(t, talk, file+": byte ", c.name)
			require.Contains(t, talk, c.want, c.name)
		}
	}
}

// TestCapturesOfAnotherKind: frames on the wrong interface are not taken for what they are not, another convention is
// refused, another spec is said.
func TestCapturesOfAnotherKind(t *testing.T) {
	whole := modelCapture(t)
	wrong := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(wrong[packetBlock(t, wrong, 0, 5)+8:], 1) // a frame where a configuration beat is due
	code, out, talk := command("diff", writeTrace(t, wrong))
	require.Equal(t, exitUsage, code, out)
	require.Contains(t, talk, "s_cfg")

	other := bytes.Replace(whole, []byte("version=1"), []byte("version=9"), 1)
	code, _, talk = command("diff", writeTrace(t, other))
	require.Equal(t, exitUsage, code)
	require.Contains(t, talk, "convention version 9: this program reads version 1")

	other = bytes.Replace(whole, []byte("spec="+profile.SpecHash[:4]), []byte("spec=dead"), 1)
	_, out, _ = command("diff", writeTrace(t, other))
	require.Contains(t, out, "the capture was written from spec dead"+profile.SpecHash[4:16]+", this model is of spec "+profile.SpecHash[:16])

	code, _, talk = command("diff", writeTrace(t, []byte("\x93\x14garbage and more of it")))
	require.Equal(t, exitUsage, code)
	require.Contains(t, talk, "not a pcap, pcapng or VCD file: it starts with 93 14")
	for _, flags := range [][]string{{"--unit", "sack"}, {"--config", "large"}, {"--level", "cycle"}} {
		code, _, talk = command(append([]string{"diff", writeTrace(t, whole)}, flags...)...)
		require.Equal(t, exitUsage, code, "%v", flags)
		require.NotEmpty(t, talk)
	}
}
