// Package cpp is the C++ target: constants, enums and record layouts for the bridge's harness, and for each unit the
// accessors between a Verilated model's ports and the bytes of its beats. C++17.
package cpp

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

const directory = "cocotb-bridge/harness/generated/"

// Files is the target's output.
func Files(s *model.Spec) ([]output.File, error) {
	files := []output.File{header(s, "metaroce_profile.h", profile(s))}
	for i := range s.Units {
		u := &s.Units[i]
		files = append(files, header(s, u.Name+"_ports.h", ports(u)))
	}
	return files, nil
}

// header is a file with banner and include guard.
func header(s *model.Spec, name string, body *output.Text) output.File {
	guard := "METAROCE_GENERATED_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
	t := &output.Text{}
	t.WriteString(output.Banner("// ", s))
	t.Line("#ifndef %s\n#define %s\n\n%s\n\n#endif", guard, guard, strings.Trim(body.String(), "\n"))
	return output.File{Path: directory + name, Data: []byte(t.String())}
}

// profile is the header that every unit shares.
func profile(s *model.Spec) *output.Text {
	t := &output.Text{}
	t.Line("#include <cstddef>\n#include <cstdint>\n\nnamespace metaroce {\n")
	t.Line("// Identity of the profile: the SHA-256 over the spec, in hex, and its first 8 bytes, big-endian.")
	t.Line("inline constexpr char profile_name[] = %q;\ninline constexpr unsigned profile_version = %d;", s.Name, s.Version)
	t.Line("inline constexpr char spec_hash[] = \"%x\";\ninline constexpr std::uint64_t spec_hash64 = UINT64_C(0x%016x);", s.Hash, output.Prefix64(s.Hash))
	t.Line("\nnamespace constant {")
	for _, c := range s.Constants {
		t.Line("inline constexpr std::uint64_t %s = UINT64_C(%d); // %s", c.Name, c.Value, c.Text)
	}
	t.Line("} // namespace constant\n\nnamespace timing {")
	for _, u := range s.Units {
		for _, x := range u.Timing {
			t.Line("inline constexpr unsigned %s_%s = %d; // %s: %s", u.Name, x.Name, x.Value, x.Unit, x.Text)
		}
	}
	t.Line("} // namespace timing")
	for i := range s.Enums {
		enum(t, &s.Enums[i])
	}
	t.WriteString(layoutTypes)
	for i := range s.Headers {
		headerLayout(t, &s.Headers[i])
	}
	for i := range s.Units {
		unitLayout(t, &s.Units[i])
	}
	t.WriteString(helpers)
	t.Line("\n} // namespace metaroce")
	return t
}

// enum writes one enum. Flags are a plain enum, so that they can be combined.
func enum(t *output.Text, e *model.Enum) {
	kind := map[bool]string{false: "enum class", true: "enum"}[e.Flags]
	width := 8
	for width < e.Bits {
		width *= 2
	}
	t.Line("\n%s %s : std::uint%d_t {", kind, e.Name, width)
	for _, v := range e.Values {
		name := v.Name
		if e.Flags {
			name = strings.ToUpper(e.Name) + "_" + name
		}
		t.Line("  %s = %d, // %s", name, v.Value, v.Text)
	}
	t.Line("};")
}

const layoutTypes = `
// A field of a protocol header: bits from the header's first bit in transmission order.
struct header_field {
  const char *name;
  unsigned bits, offset;
};

// A field of a beat: bytes bytes at offset, least significant first.
struct beat_field {
  const char *name;
  unsigned bits, offset, bytes;
  bool device; // decided by the device: compared at cycle level only
  const char *enum_name;
};

enum class port_style : std::uint8_t { stream, axis, event };

struct port_layout {
  const char *name;
  bool input;
  port_style style;
  unsigned bytes; // of a beat
  const beat_field *fields;
  unsigned field_count;
};

struct unit_layout {
  const char *name;
  const char *module;
  const port_layout *ports;
  unsigned port_count;
  const char *const *counters;
  unsigned counter_count;
  const char *const *status;
  unsigned status_count;
  const char *const *tables;
  unsigned table_count;
};
`

func headerLayout(t *output.Text, h *model.Header) {
	t.Line("\ninline constexpr unsigned %s_header_bytes = %d;\ninline constexpr header_field %s_header[] = {", h.Name, h.Bits/8, h.Name)
	for _, f := range h.Fields {
		t.Line("  {%q, %d, %d},", f.Name, f.Bits, f.Offset)
	}
	t.Line("};")
}

func unitLayout(t *output.Text, u *model.Unit) {
	t.Line("\nnamespace %s {", u.Name)
	for _, p := range u.Ports {
		t.Line("inline constexpr beat_field %s_fields[] = {", p.Name)
		for _, f := range p.Fields {
			t.Line("  {%q, %d, %d, %d, %t, %q},", f.Name, f.Bits, f.Offset, f.Bytes, f.Device, f.Enum)
		}
		t.Line("};")
	}
	t.Line("inline constexpr port_layout ports[] = {")
	for _, p := range u.Ports {
		t.Line("  {%q, %t, port_style::%s, %d, %s_fields, %d},", p.Name, p.In, p.Style, p.Bytes, p.Name, len(p.Fields))
	}
	t.Line("};")
	var status []string
	for _, x := range u.Status {
		status = append(status, x.Name)
	}
	lists := []string{}
	for _, l := range []struct {
		name  string
		names []string
	}{{"counters", u.Counters}, {"status", status}, {"tables", u.Tables}} {
		lists = append(lists, list(t, l.name, l.names))
	}
	t.Line("inline constexpr unit_layout layout = {%q, %q, ports, %d, %s};", u.Name, u.Module, len(u.Ports), strings.Join(lists, ", "))
	t.Line("} // namespace %s", u.Name)
}

// list writes a list of names and is the pair of pointer and length that describes it.
func list(t *output.Text, name string, names []string) string {
	if len(names) == 0 {
		return "nullptr, 0"
	}
	t.Line("inline constexpr const char *%s[] = {", name)
	for _, n := range names {
		t.Line("  %q,", n)
	}
	t.Line("};")
	return fmt.Sprintf("%s, %d", name, len(names))
}

const helpers = `
// put writes the low bytes of a value, least significant first.
template <unsigned Bytes> inline void put(std::uint8_t *beat, std::uint64_t value) {
  for (unsigned i = 0; i < Bytes; ++i)
    beat[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

// get reads a value of Bits bits; bits of the beat beyond them are dropped.
template <unsigned Bytes, unsigned Bits> inline std::uint64_t get(const std::uint8_t *beat) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < Bytes; ++i)
    value |= static_cast<std::uint64_t>(beat[i]) << (8 * i);
  return Bits == 64 ? value : value & ((UINT64_C(1) << (Bits % 64)) - 1);
}

// put_wide and get_wide do the same with an array of 32-bit words, the lowest first.
template <unsigned Words, class Wide> inline void put_wide(std::uint8_t *beat, const Wide &value) {
  for (unsigned i = 0; i < Words; ++i)
    put<4>(beat + 4 * i, value[i]);
}

template <unsigned Words, class Wide> inline void get_wide(const std::uint8_t *beat, Wide &value) {
  for (unsigned i = 0; i < Words; ++i)
    value[i] = static_cast<std::uint32_t>(get<4, 32>(beat + 4 * i));
}

template <unsigned Words, class Wide> inline void clear_wide(Wide &value) {
  for (unsigned i = 0; i < Words; ++i)
    value[i] = 0;
}
`
