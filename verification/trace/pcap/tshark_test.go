package pcap

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tshark is the judge of what a pcap file says, in all four variants.
func TestTsharkAgrees(t *testing.T) {
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("SKIPPED: tshark is not installed: pcap is not judged by it (apt-get install tshark)")
	}
	for i, v := range variants {
		name := filepath.Join(t.TempDir(), "judged.pcap")
		if err := os.WriteFile(name, sample(i), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(path, "-n", "-r", name, "-T", "fields", "-E", "separator=|",
			"-e", "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len").Output()
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSpace(string(out)); want != ours(t, sample(i)) {
			t.Errorf("%s:\ntshark\n%s\nours\n%s", v.name, want, ours(t, sample(i)))
		}
	}
}

func ours(t *testing.T, file []byte) string {
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for {
		p, err := r.Next()
		if err != nil {
			return strings.Join(lines, "\n")
		}
		whole, fraction, _ := strings.Cut(p.Time.String(), ".")
		lines = append(lines, fmt.Sprintf("%s.%s|%d|%d", whole, (fraction + "000")[:9], p.Original, len(p.Data)))
	}
}
