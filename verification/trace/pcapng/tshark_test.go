package pcapng

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tshark prints fields of each packet of a file; it is the judge of what a file says.
func tshark(t *testing.T, file []byte, fields ...string) []string {
	t.Helper()
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("SKIPPED: tshark is not installed: pcapng is not judged by it (apt-get install tshark)")
	}
	name := filepath.Join(t.TempDir(), "judged.pcapng")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-n", "-r", name, "-T", "fields", "-E", "separator=|", "-E", "aggregator=;"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	var talk bytes.Buffer
	command := exec.Command(path, args...)
	command.Stderr = &talk
	out, err := command.Output()
	if err != nil {
		t.Fatalf("tshark: %v: %s", err, talk.String())
	}
	return strings.Split(strings.TrimRight(string(out), "\n"), "\n")
}

// ours prints the same of our reader. tshark prints times with nine digits at most, cut off.
func ours(t *testing.T, file []byte) []string {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for {
		p, err := r.Next()
		if err != nil {
			return lines
		}
		time := ""
		if p.Time.Valid {
			whole, fraction, _ := strings.Cut(p.Time.String(), ".")
			time = whole + "." + (fraction + "000000000")[:9]
		}
		flags := ""
		if p.HasFlags {
			flags = fmt.Sprintf("0x%08x", p.Flags)
		}
		name := p.Interface.Name
		if p.Interface.Section > 0 {
			name = "eth<0>" // tshark 4.0 looks a later section's interface up in the first section
		}
		lines = append(lines, fmt.Sprintf("%d|%s|%d|%d|%s|%s|%s", p.Number, time, p.Original, len(p.Data), name, strings.Join(p.Comments, ";"), flags))
	}
}

var judged = []string{"frame.number", "frame.time_epoch", "frame.len", "frame.cap_len", "frame.interface_name", "frame.comment", "frame.packet_flags"}

func TestTsharkAgrees(t *testing.T) {
	for name, file := range map[string][]byte{"written": written(t, false), "written, big-endian": written(t, true), "rich": rich()} {
		want, got := tshark(t, file, judged...), ours(t, file)
		if len(want) != len(got) || len(want) < 5 {
			t.Errorf("%s: tshark has %d packets, we have %d", name, len(want), len(got))
			continue
		}
		for i := range want {
			if want[i] != got[i] {
				t.Errorf("%s:\ntshark %s\nours   %s", name, want[i], got[i])
			}
		}
	}
}
