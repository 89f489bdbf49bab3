package golang

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// widthSpec is a spec with a header for each way a field of 1 to 64 bits can share its bytes with another, and a port with
// a field of every width that there is.
func widthSpec() *model.Spec {
	s := &model.Spec{Name: "widths", Version: 1}
	for bits := 1; bits <= 64; bits++ {
		h := model.Header{Name: fmt.Sprintf("h%d", bits)}
		addField := func(name string, bits int) {
			h.Fields = append(h.Fields, model.HeaderField{Name: name, Bits: bits, Offset: h.Bits})
			h.Bits += bits
		}
		addField("first", bits)
		if pad := (8 - bits%8) % 8; pad > 0 {
			addField("second", pad)
		}
		for _, rest := range []int{3, 64 - bits - 3, bits} { // three fields in the bytes of one number
			if rest > 0 && bits < 61 {
				addField(fmt.Sprintf("part%d", len(h.Fields)), rest)
			}
		}
		addField("wide", 256)
		addField("address", 128)
		s.Headers = append(s.Headers, h)
	}
	p := model.Port{Name: "s_all", Base: "all", In: true, Style: model.Stream}
	for bits := 1; bits <= 512; bits++ {
		if bits <= 64 || bits == 128 || bits == 256 || bits == 512 {
			f := model.PortField{Name: fmt.Sprintf("f%d", bits), Bits: bits, Offset: p.Bytes, Bytes: (bits + 7) / 8}
			p.Bytes += f.Bytes
			p.Fields = append(p.Fields, f)
		}
	}
	s.Units = []model.Unit{{Name: "u", Module: "mr_u", Ports: []model.Port{p}}}
	return s
}

// checker is a program that reads bytes with the generated code, compares every field, and writes the bytes again.
const checker = `package main

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"reflect"

	"metaroce/golden/event"
	"metaroce/golden/wire"
)

type record interface {
	Append([]byte) []byte
	Len() int
}

func number(v reflect.Value) string {
	all := new(big.Int)
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		return "1"
	case v.Kind() == reflect.Bool:
		return "0"
	case v.Kind() != reflect.Array:
		return new(big.Int).SetUint64(v.Uint()).Text(16)
	}
	for i := range v.Len() {
		at, bits := v.Len()-1-i, uint(64)
		if v.Index(i).Kind() == reflect.Uint8 {
			bits = 8
			if v.Len() == 16 {
				at = i
			}
		}
		all.Or(all.Lsh(all, bits), new(big.Int).SetUint64(v.Index(at).Uint()))
	}
	return all.Text(16)
}

func check(name, text string, parse func([]byte) (record, error), fields ...string) {
	data, _ := hex.DecodeString(text)
	r, err := parse(data)
	if err != nil {
		fail(name, err.Error(), "")
	}
	for i := 0; i < len(fields); i += 2 {
		f := reflect.ValueOf(r).FieldByName(fields[i])
		if !f.IsValid() || number(f) != fields[i+1] {
			fail(name+"."+fields[i], fmt.Sprint(f), fields[i+1])
		}
	}
	if got := hex.EncodeToString(r.Append(nil)); got != text || r.Len() != len(data) {
		fail(name, got, text)
	}
}

func fail(name, got, want string) {
	fmt.Printf("%s: got %s, want %s\n", name, got, want)
	os.Exit(1)
}

func header[H record](parse func([]byte) (H, int, error)) func([]byte) (record, error) {
	return func(b []byte) (record, error) { h, _, err := parse(b); return h, err }
}

func beat[R record](parse func([]byte) (R, error)) func([]byte) (record, error) {
	return func(b []byte) (record, error) { r, err := parse(b); return r, err }
}

func main() {
	CALLS
	fmt.Println("same")
}
`

// TestEveryWidth builds the code for every width and holds it to the layout rules.
func TestEveryWidth(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: TestEveryWidth: -short")
	}
	s := widthSpec()
	root := t.TempDir()
	files, err := Files(s)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(6, 0))
	var calls strings.Builder
	for range 4 {
		for i := range s.Headers {
			calls.WriteString(headerCall(r, &s.Headers[i]))
		}
		calls.WriteString(beatCall(r, &s.Units[0].Ports[0]))
	}
	files = append(files, output.File{Path: "go.mod", Data: []byte("module metaroce\n\ngo 1.26\n")},
		output.File{Path: "main.go", Data: []byte(strings.Replace(checker, "CALLS", calls.String(), 1))},
	)
	for _, f := range files {
		path := filepath.Join(root, f.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("go", "run", ".")
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil || string(out) != "same\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

// randomNumber is a number of so many bits; every fourth has all bits set.
func randomNumber(r *rand.Rand, bits int) *big.Int {
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1))
	if r.IntN(4) == 0 {
		return all
	}
	v := new(big.Int)
	for range (bits + 63) / 64 {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(r.Uint64()))
	}
	return v.And(v, all)
}

// headerCall is a check of one random encoding of a header, made by the rule: fields in order, the first highest.
func headerCall(r *rand.Rand, h *model.Header) string {
	all, fields := new(big.Int), ""
	for _, f := range h.Fields {
		v := randomNumber(r, f.Bits)
		all.Or(all.Lsh(all, uint(f.Bits)), v)
		fields += fmt.Sprintf(", %q, %q", output.Camel(f.Name), v.Text(16))
	}
	name := output.Camel(h.Name)
	return fmt.Sprintf("\tcheck(%q, %q, header(wire.Parse%s)%s)\n", name, hex.EncodeToString(all.FillBytes(make([]byte, h.Bits/8))), name, fields)
}

// beatCall is the same for a beat: fields in order, each in whole bytes, least significant first.
func beatCall(r *rand.Rand, p *model.Port) string {
	var bytes []byte
	fields := ""
	for _, f := range p.Fields {
		v := randomNumber(r, f.Bits)
		little := v.FillBytes(make([]byte, f.Bytes))
		for i := range little {
			bytes = append(bytes, little[len(little)-1-i])
		}
		fields += fmt.Sprintf(", %q, %q", output.Camel(f.Name), v.Text(16))
	}
	return fmt.Sprintf("\tcheck(\"beat\", %q, beat(event.ParseUAll)%s)\n", hex.EncodeToString(bytes), fields)
}
