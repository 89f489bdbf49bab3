// Package tables is the second stage's target for ROM tables: it computes each table of the spec from the golden model
// or from its definition, and writes it for the RTL. It runs after the code is generated.
package tables

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// Files is the target's output: a ROM file a table, the hashes for Verilog and for Go.
func Files(s *model.Spec) ([]output.File, error) {
	var files []output.File
	hashes := make([]uint64, len(s.Tables))
	for i := range s.Tables {
		t := &s.Tables[i]
		entries, err := compute(t)
		if err != nil {
			return nil, err
		}
		hashes[i] = Hash(entries, t.Bits)
		files = append(files, output.File{Path: "rtl/generated/mr_" + t.Name + ".mem", Data: rom(s, t, entries)})
	}
	return append(files, macros(s, hashes), goHashes(s, hashes)), nil
}

// compute is the entries of a table, checked against the shape that the spec states.
func compute(t *model.Table) ([]uint32, error) {
	make, ok := makers[t.Name]
	if !ok {
		return nil, fmt.Errorf("table %s: gen/tables has no formula for it", t.Name)
	}
	entries := make(t.Entries)
	if len(entries) != t.Entries {
		return nil, fmt.Errorf("table %s: %d entries, the spec says %d", t.Name, len(entries), t.Entries)
	}
	for i, v := range entries {
		if bits.Len32(v) > t.Bits {
			return nil, fmt.Errorf("table %s: entry %d = %d is wider than %d bits", t.Name, i, v, t.Bits)
		}
	}
	return entries, nil
}

// Hash is the identity of a table: the first 8 bytes, big-endian, of the SHA-256 over its entries in order, each in
// ceil(bits/8) bytes, least significant first, as in a beat.
func Hash(entries []uint32, bits int) uint64 {
	h := sha256.New()
	for _, v := range entries {
		for i := range (bits + 7) / 8 {
			h.Write([]byte{byte(uint64(v) >> (8 * i))})
		}
	}
	return output.Prefix64([32]byte(h.Sum(nil)))
}

// rom is a table for $readmemh: one word a line, of exact width.
func rom(s *model.Spec, t *model.Table, entries []uint32) []byte {
	b := &output.Text{}
	b.WriteString(output.Banner("// ", s))
	b.Line("// Table %s, %d entries of %d bits.", t.Name, t.Entries, t.Bits)
	for _, v := range entries {
		b.Line("%0*x", (t.Bits+3)/4, v)
	}
	return []byte(b.String())
}

// macros is the tables' hashes as Verilog macros.
func macros(s *model.Spec, hashes []uint64) output.File {
	b := &output.Text{}
	b.WriteString(output.Banner("// ", s))
	b.Line("`ifndef MR_TABLES_VH\n`define MR_TABLES_VH\n")
	b.Line("// First 8 bytes of the SHA-256 over a table's entries, each in whole bytes, least significant first.")
	for i, t := range s.Tables {
		b.Line("`define MR_TABLE_%s_HASH 64'h%016x", strings.ToUpper(t.Name), hashes[i])
	}
	b.Line("`endif")
	return output.File{Path: "rtl/generated/mr_tables.vh", Data: []byte(b.String())}
}

// goHashes is the tables' hashes for the bridge's handshake.
func goHashes(s *model.Spec, hashes []uint64) output.File {
	b := &output.Text{}
	b.WriteString(output.Banner("// ", s))
	b.Line("\npackage profile\n\n// TableHash is the identity of a ROM table by its name in the spec: what a unit's id_<table>_hash carries.")
	b.Line("func TableHash(name string) (hash uint64, ok bool) {\n\tswitch name {")
	for i, t := range s.Tables {
		b.Line("\tcase %q:\n\t\treturn 0x%016x, true", t.Name, hashes[i])
	}
	b.Line("\t}\n\treturn 0, false\n}")
	return output.File{Path: "golden/profile/table_hash.go", Data: []byte(b.String())}
}
