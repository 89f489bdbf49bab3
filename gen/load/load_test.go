package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metaroce/gen/model"
)

// specFiles reads the repository's spec.
func specFiles(t testing.TB) map[string][]byte {
	t.Helper()
	return readFiles(t, filepath.Join("..", "spec"))
}

// readFiles reads the spec files in a directory.
func readFiles(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range FileNames {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

func TestLoadRepositorySpec(t *testing.T) {
	spec, err := Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Units) != 4 || len(spec.Facts) != 12 || len(spec.Configurations) != 2 {
		t.Errorf("%d units, %d facts, %d configurations", len(spec.Units), len(spec.Facts), len(spec.Configurations))
	}
	bits := map[string]int{}
	for _, h := range spec.Headers {
		bits[h.Name] = h.Bits
	}
	// The lengths that the open question header_layout and the neighbours' standards state, in bytes.
	for name, bytes := range map[string]int{
		"ethernet": 14, "vlan": 4, "ipv4": 20, "ipv6": 40, "udp": 8, "base": 16, "data": 32, "ack": 56, "trailer": 4,
	} {
		if bits[name] != 8*bytes {
			t.Errorf("header %s has %d bits, want %d", name, bits[name], 8*bytes)
		}
	}
}

func TestPortBases(t *testing.T) {
	ports := []model.Port{{Name: "s_axis", In: true}, {Name: "m_axis"}, {Name: "s_cfg", In: true}, {Name: "dbg_update"}}
	nameBases(ports)
	for i, want := range []string{"axis_in", "axis_out", "cfg", "dbg_update"} {
		if ports[i].Base != want {
			t.Errorf("port %s has base %s, want %s", ports[i].Name, ports[i].Base, want)
		}
	}
}

func TestMissingFileIsAnError(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "profile.yaml") {
		t.Errorf("error %v does not name profile.yaml", err)
	}
}

// TestHashIgnoresFormOnly: what normalisation removes does not change the hash, anything else does.
func TestHashIgnoresFormOnly(t *testing.T) {
	files := specFiles(t)
	want := hash(files)
	for name, edit := range map[string]func(string) string{
		"CRLF":          func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"BOM":           func(s string) string { return "\xef\xbb\xbf" + s },
		"blanks at end": func(s string) string { return strings.ReplaceAll(s, "\n", " \t\n") },
		"no final line": func(s string) string { return strings.TrimSuffix(s, "\n") },
		"many at end":   func(s string) string { return s + "\n\n" },
	} {
		edited := edit(string(files["wire.yaml"]))
		if got := hash(with(files, "wire.yaml", edited)); got != want {
			t.Errorf("%s changes the hash", name)
		}
		if spec, err := Parse(with(files, "wire.yaml", edited)); err != nil || spec.Hash != want {
			t.Errorf("%s: does not load the same: %v", name, err)
		}
	}
	for i, data := range files["wire.yaml"] {
		if i%97 == 0 && data > ' ' {
			changed := string(files["wire.yaml"][:i]) + "~" + string(files["wire.yaml"][i+1:])
			if hash(with(files, "wire.yaml", changed)) == want {
				t.Errorf("a change of byte %d does not change the hash", i)
			}
		}
	}
	if hash(with(files, "wire.yaml", string(files["units.yaml"]))) == want {
		t.Error("another file does not change the hash")
	}
}

// with is the files with one replaced.
func with(files map[string][]byte, name, content string) map[string][]byte {
	out := map[string][]byte{}
	for n, data := range files {
		out[n] = data
	}
	out[name] = []byte(content)
	return out
}
