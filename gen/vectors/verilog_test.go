package vectors

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func decimal(n int) string { return strconv.Itoa(n) }

// TestVerilogAgrees cuts the fields out of every header example with the generated offsets and widths.
func TestVerilogAgrees(t *testing.T) {
	skipWithout(t, "iverilog", exec.LookPath)
	var b strings.Builder
	b.WriteString("`include \"mr_profile.vh\"\nmodule tb;\n  integer checked = 0;\n  reg [4095:0] h;\n  initial begin\n")
	checks := 0
	for _, h := range loadSpec(t).Headers {
		macro := "`MR_" + upper(h.Name)
		for i, e := range readCodecFile(t, "wire/"+h.Name+".json").Vectors {
			fmt.Fprintf(&b, "    h = %d'h%s;\n", h.Bits, e.Bytes)
			for _, f := range h.Fields {
				m := macro + "_" + upper(f.Name)
				fmt.Fprintf(&b, "    checked = checked + 1;\n    if (h[8*%s_BYTES-%s_OFFSET-%s_BITS +: %s_BITS] !== %s) $display(\"DIFFERENT: %s %d %s\");\n",
					macro, m, m, m, sized(f.Bits, e.number(t, f.Name)), h.Name, i, f.Name)
				checks++
			}
		}
	}
	b.WriteString("    $display(\"%0d\", checked);\n  end\nendmodule\n")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "tb.v"), filepath.Join(dir, "tb")
	if err := os.WriteFile(source, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("iverilog", "-g2005", "-Wall", "-I", filepath.Join(root, "rtl/generated"), "-o", program, source)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, out)
	}
	out, err := exec.Command("vvp", "-n", program).CombinedOutput()
	if want := decimal(checks) + "\n"; err != nil || string(out) != want {
		t.Errorf("error %v, got %q, want %q", err, out, want)
	}
}
