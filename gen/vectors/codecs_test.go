package vectors

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metaroce/gen/model"
)

// readCodecFile reads a committed file of examples.
func readCodecFile(t *testing.T, name string) codecFile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, directory, name))
	if err != nil {
		t.Fatal(err)
	}
	var f codecFile
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(f.Vectors) == 0 {
		t.Fatalf("%s holds no vectors", name)
	}
	return f
}

// number is a field of an example.
func (e *example) number(t *testing.T, field string) *big.Int {
	t.Helper()
	v, ok := new(big.Int).SetString(e.Fields[field], 16)
	if !ok {
		t.Fatalf("field %s: %q is not hex", field, e.Fields[field])
	}
	return v
}

// headerBytes is the encoding by the rule alone: fields in order, most significant bit first, as one number.
func headerBytes(t *testing.T, h *model.Header, e *example) string {
	all := new(big.Int)
	for _, f := range h.Fields {
		all.Or(all.Lsh(all, uint(f.Bits)), e.number(t, f.Name))
	}
	return hex.EncodeToString(all.FillBytes(make([]byte, h.Bits/8)))
}

// beatBytes is the encoding by the rule alone: fields in order, each in whole bytes, least significant first.
func beatBytes(t *testing.T, p *model.Port, e *example) string {
	var out []byte
	for _, f := range p.Fields {
		bytes := e.number(t, f.Name).FillBytes(make([]byte, (f.Bits+7)/8))
		for i := range bytes {
			out = append(out, bytes[len(bytes)-1-i])
		}
	}
	return hex.EncodeToString(out)
}

// TestExamplesFollowTheRules: the bytes of every example, which are the Go codec's, are those that the layout rules give.
func TestExamplesFollowTheRules(t *testing.T) {
	s := loadSpec(t)
	for i := range s.Headers {
		h := &s.Headers[i]
		for j, e := range readCodecFile(t, "wire/"+h.Name+".json").Vectors {
			if want := headerBytes(t, h, &e); e.Bytes != want {
				t.Errorf("header %s, example %d: %s, want %s", h.Name, j, e.Bytes, want)
			}
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		seen := map[string]int{}
		for j, e := range readCodecFile(t, "beats/"+u.Name+".json").Vectors {
			seen[e.Port]++
			for k := range u.Ports {
				if p := &u.Ports[k]; p.Name == e.Port && e.Bytes != beatBytes(t, p, &e) {
					t.Errorf("unit %s, example %d: %s, want %s", u.Name, j, e.Bytes, beatBytes(t, p, &e))
				}
			}
		}
		for _, p := range u.Ports {
			if want := 1 + len(p.Fields) + randomExamples; seen[p.Name] != want {
				t.Errorf("unit %s: %d examples of port %s, want %d", u.Name, seen[p.Name], p.Name, want)
			}
		}
	}
}

// skipWithout skips a test by name where a program is missing.
func skipWithout(t *testing.T, program string, look func(string) (string, error)) {
	t.Helper()
	if testing.Short() && program != "python3" {
		t.Skip("SKIPPED: " + t.Name() + ": -short")
	}
	if _, err := look(program); err != nil {
		t.Skip("SKIPPED: " + t.Name() + ": " + program + " is missing")
	}
}

// sized is a value as a Verilog literal.
func sized(bits int, v *big.Int) string { return big.NewInt(int64(bits)).String() + "'h" + v.Text(16) }

// upper is a name as it stands in a macro.
func upper(name string) string { return strings.ToUpper(name) }
