package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
	"metaroce/verification/capture"
	"metaroce/verification/trace"
	"metaroce/verification/trace/pcapng"
)

func dumped(t *testing.T, b []byte, style Style) ([]string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Dump(&out, bytes.NewReader(b), style)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), err
}

// nasty is a capture whose names and comments try to be something else.
func nasty(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := pcapng.NewWriter(&b)
	require.NoError(t, err)
	id, err := w.AddInterface(trace.Interface{Name: "<script>\"\n\x01\xff", Link: trace.LinkEthernet, Unit: trace.Resolution{Multiple: 1, Base: 2, Exponent: 10}})
	require.NoError(t, err)
	data := make([]byte, 60)
	data[12], data[13] = 0x88, 0xB5
	require.NoError(t, w.Packet(id, 1, data, 2, "a&b", "line\nbreak"))
	require.NoError(t, w.Packet(id, 1<<40, data, 0))
	return b.Bytes()
}

func TestJSONOfPackets(t *testing.T) {
	lines, err := dumped(t, nasty(t), JSON)
	require.NoError(t, err)
	require.Equal(t, []string{
		`{"n":1,"time":"0.0009765625","interface":"\u003cscript\u003e\"\n\u0001\ufffd","length":60,"flags":2,"comments":["a\u0026b","line\nbreak"],` +
			`"fields":{"ethernet.destination":"00:00:00:00:00:00","ethernet.source":"00:00:00:00:00:00","ethernet.ethertype":"0x88b5"},"payload":46}`,
		`{"n":2,"time":"1073741824","interface":"\u003cscript\u003e\"\n\u0001\ufffd","length":60,` +
			`"fields":{"ethernet.destination":"00:00:00:00:00:00","ethernet.source":"00:00:00:00:00:00","ethernet.ethertype":"0x88b5"},"payload":46}`,
	}, lines)
	for _, l := range lines {
		require.True(t, json.Valid([]byte(l)))
	}
	text, err := dumped(t, nasty(t), Text)
	require.NoError(t, err)
	require.Len(t, text, 2, "a line break in a name breaks no line")
	require.Contains(t, text[0], `1 0.0009765625 "<script>\"\n\x01\xff" 60 flags=2 comments=a&b comments="line\nbreak" ethernet.destination=`)
}

func TestBeatsOfACaptureAreNamed(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, capture.Meta{Unit: "rx", Config: "small"})
	require.NoError(t, err)
	require.NoError(t, w.Record(3, 1, event.RxCfg{Op: event.RxOpOpenPath, Connection: 2, Path: 1, Sequence: 0xFFFFFFFE}.Append(nil)))
	lines, err := dumped(t, b.Bytes(), JSON)
	require.NoError(t, err)
	require.Equal(t, `{"n":1,"time":"0.000000012","interface":"s_cfg","length":21,"flags":1,"comments":["cycle=3"],"fields":{"op":"OPEN_PATH (1)",`+
		`"connection":"0x2","path":"0x1","stream":"0x0","sequence":"0xfffffffe","peer_connection":"0x0","hint":"0x0","hint_sequence":"0x0","credit":"0x0"}}`, lines[0])
}

func TestJSONOfADump(t *testing.T) {
	vcd := "$timescale 10ps $end $scope module a.b $end $var wire 4 ! x [3:0] $end $var real 64 r r $end $upscope $end $enddefinitions $end\n#7\nb1x !\nr1.5 r\n"
	lines, err := dumped(t, []byte(vcd), JSON)
	require.NoError(t, err)
	require.Equal(t, []string{
		`{"n":1,"time":"0.000000000070","step":7,"scope":"\"a.b\"","name":"x[3:0]","value":"001x"}`,
		`{"n":2,"time":"0.000000000070","step":7,"scope":"\"a.b\"","name":"r","value":"1.5"}`,
	}, lines)
	lines, err = dumped(t, []byte(strings.Replace(vcd, "$timescale 10ps $end", "", 1)), JSON)
	require.NoError(t, err)
	require.Contains(t, lines[0], `"time":null,"step":7,`)
}

func TestWhatIsReadBeforeAnErrorIsKept(t *testing.T) {
	whole := nasty(t)
	lines, err := dumped(t, whole[:len(whole)-3], JSON)
	require.True(t, trace.IsTruncated(err))
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `{"n":1,`)
	require.Equal(t, fmt.Sprintf(`{"error":%q,"verdict":"truncated"}`, err.Error()), lines[1])
	lines, err = dumped(t, []byte("#!/bin/sh"), JSON)
	require.Error(t, err)
	require.Contains(t, lines[0], `"verdict":"unreadable"`)
	_, err = dumped(t, whole, "xml")
	require.ErrorContains(t, err, `output "xml"`)
}

// TestTsharkAgrees compares what both say of the headers below ours.
func TestTsharkAgrees(t *testing.T) {
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("SKIPPED: tshark is not installed: decoded headers are not judged by it (apt-get install tshark)")
	}
	file := ipCapture(t)
	name := filepath.Join(t.TempDir(), "judged")
	require.NoError(t, os.WriteFile(name, file, 0o600))
	out, err := exec.Command(path, "-n", "-r", name, "-T", "fields", "-E", "separator=|", "-e", "eth.dst", "-e", "vlan.id",
		"-e", "ip.src", "-e", "ip.dsfield.ecn", "-e", "ipv6.dst", "-e", "udp.srcport", "-e", "udp.length").Output()
	require.NoError(t, err)
	lines, err := dumped(t, file, JSON)
	require.NoError(t, err)
	judged := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, len(judged))
	for i := range judged {
		var o struct{ Fields map[string]any }
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &o))
		text := func(name string) string {
			if v, ok := o.Fields[name]; ok {
				return fmt.Sprint(v)
			}
			return ""
		}
		require.Equal(t, judged[i], strings.Join([]string{text("ethernet.destination"), text("vlan.tag_control"), text("ipv4.source"),
			text("ipv4.ecn"), text("ipv6.destination"), text("udp.source_port"), text("udp.length")}, "|"))
	}
}

// ipCapture has an IPv4 frame, one with a VLAN tag, and an IPv6 frame.
func ipCapture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := pcapng.NewWriter(&b)
	require.NoError(t, err)
	id, err := w.AddInterface(trace.Interface{Name: "x", Link: trace.LinkEthernet, Unit: trace.Nanoseconds})
	require.NoError(t, err)
	mac := wire.Ethernet{Destination: 0x020000000001, Source: 0x0200000000FE, Ethertype: 0x0800}
	udp := wire.Udp{SourcePort: 50001, DestinationPort: profile.UdpPort, Length: 8 + 20}.Append(nil)
	udp = append(udp, make([]byte, 20)...)
	v4 := append(wire.Ipv4{Version: 4, HeaderWords: 5, Ecn: 3, TotalLength: 48, Ttl: 3, Protocol: 17, Source: 0x0A010203}.Append(nil), udp...)
	v6 := append(wire.Ipv6{Version: 6, PayloadLength: 28, NextHeader: 17, HopLimit: 2, Destination: [16]byte{0x20, 1, 13, 0xB8, 15: 9}}.Append(nil), udp...)
	require.NoError(t, w.Packet(id, 5, append(mac.Append(nil), v4...), 0))
	mac.Ethertype = 0x8100
	tagged := append(mac.Append(nil), wire.Vlan{TagControl: 77, Ethertype: 0x0800}.Append(nil)...)
	require.NoError(t, w.Packet(id, 6, append(tagged, v4...), 0))
	mac.Ethertype = 0x86DD
	require.NoError(t, w.Packet(id, 7, append(mac.Append(nil), v6...), 0))
	return b.Bytes()
}
