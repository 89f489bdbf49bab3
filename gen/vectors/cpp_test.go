package vectors

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metaroce/gen/model"
)

// fakeTypes is what Verilator's header gives to a model's ports.
const fakeTypes = `#pragma once
#include <cstdint>
using CData = std::uint8_t;
using SData = std::uint16_t;
using IData = std::uint32_t;
using QData = std::uint64_t;
template <int N> struct VlWide {
  std::uint32_t word[N];
  std::uint32_t &operator[](int i) { return word[i]; }
  const std::uint32_t &operator[](int i) const { return word[i]; }
};
`

// fakeModel is a model with a unit's ports and nothing inside.
func fakeModel(u *model.Unit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sstruct V%s {\n  CData clk, rst;\n", fakeTypes, u.Module)
	member := func(name string, bits int) {
		kind := fmt.Sprintf("VlWide<%d>", bits/32)
		for _, k := range []struct {
			bits int
			name string
		}{{64, "QData"}, {32, "IData"}, {16, "SData"}, {8, "CData"}} {
			if bits <= k.bits {
				kind = k.name
			}
		}
		fmt.Fprintf(&b, "  %s %s;\n", kind, name)
	}
	for i := range u.Ports {
		p := &u.Ports[i]
		member(p.Signal("valid"), 1)
		if p.Style != model.Event {
			member(p.Signal("ready"), 1)
		}
		for _, f := range p.Fields {
			member(p.Signal(f.Name), f.Bits)
		}
	}
	for _, c := range u.Counters {
		member("count_"+c, 32)
	}
	for _, x := range u.Status {
		member("stat_"+x.Name, x.Bits)
	}
	member("id_spec_hash", 64)
	for _, name := range u.Tables {
		member("id_"+name+"_hash", 64)
	}
	b.WriteString("};\n")
	return b.String()
}

// cppMain sets and reads the signals of a fake model through the generated adapter, for every example of a unit.
func cppMain(t *testing.T, u *model.Unit) (source string, checks int) {
	var b strings.Builder
	fmt.Fprintf(&b, `#include "%s_ports.h"
#include <cstdio>
#include <cstring>
using U = metaroce::UnitPorts;
static int checked = 0;
static void check(bool ok, const char *what) { ++checked; if (!ok) std::printf("DIFFERENT: %%s\n", what); }
#define CHECK(x) check(x, #x)
int main() {
  static U::Model m;
  static std::uint8_t beat[U::MAX_BEAT_BYTES];
  (void)beat;
`, u.Name)
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	for id := range u.Ports {
		p := &u.Ports[id]
		line("CHECK(U::is_input(%d) == %t && U::beat_bytes(%d) == %d && U::is_event(%d) == %t);", id, p.In, id, p.Bytes, id, p.Style == model.Event)
		for _, e := range readCodecFile(t, "beats/"+u.Name+".json").Vectors {
			if e.Port == p.Name {
				cppExample(t, line, id, p, &e)
			}
		}
		cppHandshake(line, id, p)
	}
	for i, c := range u.Counters {
		line("m.count_%s = 0xfffffff0u + %d; CHECK(U::counter(m, %d) == 0xfffffff0u + %d);", c, i, i, i)
	}
	for i, x := range u.Status {
		line("m.stat_%s = 1; CHECK(U::status(m, %d) == 1);", x.Name, i)
	}
	for i, name := range append([]string{"spec"}, u.Tables...) {
		line("m.id_%s_hash = UINT64_C(0xfedcba9876543200) + %d; CHECK(U::identity(m, %d) == UINT64_C(0xfedcba9876543200) + %d);", name, i, i, i)
	}
	line("CHECK(U::PORT_COUNT == %d && U::COUNTER_COUNT == %d && U::STATUS_COUNT == %d && U::IDENTITY_COUNT == %d);",
		len(u.Ports), len(u.Counters), len(u.Status), 1+len(u.Tables))
	line("U::clock(m, true); U::reset(m, true); CHECK(m.clk == 1 && m.rst == 1);")
	line("CHECK(U::counter(m, 99) == 0 && U::identity(m, 99) == 0 && !U::valid(m, 99) && U::beat_bytes(99) == 0);")
	line("std::printf(\"%%d\\n\", checked);\n}")
	return b.String(), strings.Count(b.String(), "CHECK(") - 1
}

// cppExample checks one beat: an input is driven with it and its signals are read, of an output the signals are set; in
// both cases pack gives the bytes again.
func cppExample(t *testing.T, line func(string, ...any), id int, p *model.Port, e *example) {
	bytes, err := hex.DecodeString(e.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, x := range bytes {
		list = append(list, fmt.Sprintf("0x%02x", x))
	}
	line("{ static const std::uint8_t want[] = {%s};", strings.Join(list, ","))
	if p.In {
		line("U::drive(m, %d, true, want); CHECK(U::valid(m, %d));", id, id)
	}
	for _, f := range p.Fields {
		v := e.number(t, f.Name)
		for i := range max(f.Bits/32, 1) {
			signal, text := "m."+p.Signal(f.Name), v.Text(16)
			if f.Bits > 64 {
				signal = fmt.Sprintf("%s[%d]", signal, i)
				text = v.Text(16)
				text = fmt.Sprintf("%0*s", f.Bits/4, text)
				text = text[len(text)-8*(i+1) : len(text)-8*i]
			} else if i > 0 {
				break
			}
			if p.In {
				line("CHECK(%s == UINT64_C(0x%s));", signal, text)
			} else {
				line("%s = UINT64_C(0x%s);", signal, text)
			}
		}
	}
	line("std::memset(beat, 0xee, sizeof beat); U::pack(m, %d, beat); CHECK(std::memcmp(beat, want, %d) == 0);", id, len(bytes))
	if p.In {
		line("U::drive(m, %d, false, nullptr); U::pack(m, %d, beat); bool zero = !U::valid(m, %d);", id, id, id)
		line("for (unsigned i = 0; i < %d; ++i) zero = zero && beat[i] == 0;\n  CHECK(zero);", len(bytes))
	}
	line("}")
}

// cppHandshake checks valid, ready and last of one port.
func cppHandshake(line func(string, ...any), id int, p *model.Port) {
	for _, level := range []int{1, 0} {
		line("m.%s = %d; CHECK(U::valid(m, %d) == %d);", p.Signal("valid"), level, id, level)
		switch {
		case p.Style == model.Event:
			line("CHECK(U::ready(m, %d));", id)
		case p.In:
			line("m.%s = %d; CHECK(U::ready(m, %d) == %d);", p.Signal("ready"), level, id, level)
		default:
			line("U::set_ready(m, %d, %d); CHECK(m.%s == %d && U::ready(m, %d) == %d);", id, level, p.Signal("ready"), level, id, level)
		}
		if p.Style == model.Axis {
			line("m.%s = %d; CHECK(U::last(m, %d) == %d);", p.Signal("tlast"), level, id, level)
		} else {
			line("CHECK(U::last(m, %d));", id)
		}
	}
}

func TestCppAgrees(t *testing.T) {
	skipWithout(t, "g++", exec.LookPath)
	s := loadSpec(t)
	for i := range s.Units {
		u := &s.Units[i]
		t.Run(u.Name, func(t *testing.T) {
			dir := t.TempDir()
			source, checks := cppMain(t, u)
			for name, text := range map[string]string{"V" + u.Module + ".h": fakeModel(u), "main.cpp": source} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			program := filepath.Join(dir, "main")
			command := exec.Command("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", dir, "-I",
				filepath.Join(root, "cocotb-bridge/harness/generated"), filepath.Join(dir, "main.cpp"), "-o", program)
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("g++: %v\n%s", err, out)
			}
			out, err := exec.Command(program).CombinedOutput()
			if want := decimal(checks) + "\n"; err != nil || string(out) != want {
				t.Errorf("error %v, got %q, want %q", err, out, want)
			}
		})
	}
}
