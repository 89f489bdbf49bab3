package vectors

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
	"metaroce/golden/profile"
)

// testbench is a plain Verilog-2005 test bench that plays a unit's vectors.
func testbench(s *model.Spec, t *trace) []byte {
	b := &output.Text{}
	u := t.unit
	b.WriteString("// SPDX-License-Identifier: Apache-2.0\n" + output.Banner("// ", s))
	b.Line("`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n")
	fmt.Fprintf(b, purpose, u.Name, configuration.Name)
	b.Line("module tb_vectors_%s;", u.Name)
	b.Line("  localparam [31:0] CYCLES = 32'd%d;  // the run ends at the start of this cycle", t.cycles)
	b.Line("  localparam integer COUNTERS = %d;", len(u.Counters))
	b.WriteString(state)
	for i := range t.ports {
		declarePort(b, &t.ports[i])
	}
	instance(b, u)
	identity(b, s, u)
	for i := range t.ports {
		p := &t.ports[i]
		if p.port.In {
			checkInput(b, p)
		} else {
			checkOutput(b, p)
		}
	}
	loadTask(b, t)
	concludeTask(b, t)
	b.WriteString(clocking)
	b.Line("endmodule\n\n`default_nettype wire")
	return []byte(b.String())
}

const purpose = `/*
 * Plays the vectors of unit %[1]s (configuration %[2]s) against the RTL and prints PASS, or each difference and FAIL.
 *
 *   +vectors=DIR  where the .mem files are; "." without it
 *   +order        compare what comes and in which order, not when; the ACK frames of rx, which carry a time, not at all
 *
 * The simulation's working directory is where the ROM files of the unit are (rtl/generated).
 */
`

const state = `
  reg clk = 1'b0;
  reg rst = 1'b1;
  always #5 clk = !clk;

  // Cycle 0 is the first whose closing edge samples rst low (spec: cycle.number).
  reg [31:0] t = 32'd0;
  reg by_cycle = 1'b1;
  integer compared = 0;
  integer differences = 0;
  reg [8*256-1:0] directory;
  reg [8*300-1:0] file;
  reg [31:0] counters [0:COUNTERS-1];
`

// declarePort declares a port's words and signals, and drives what the bench drives.
func declarePort(b *output.Text, p *portTrace) {
	n, port := p.port.Name, p.port
	kind := map[bool]string{true: "{cycle, earliest cycle, beat}", false: "{cycle, beat}"}[port.In]
	upper := strings.ToUpper(n)
	b.Line("\n  // ---------------------------------------------------------------- %s: %s", n, kind)
	b.Line("  localparam integer %s_WORDS = %d;", upper, len(p.beats))
	b.Line("  localparam integer %s_BEAT = %d;", upper, 8*port.Bytes)
	// A memory of no words is not Verilog: one that is never read stands for it.
	b.Line("  reg [%d:0] words_%s [0:%d];", p.bits()-1, n, max(len(p.beats), 1)-1)
	b.Line("  integer at_%s = 0;", n)
	b.Line("  wire [%d:0] word_%s = words_%s[at_%s];", p.bits()-1, n, n, n)
	b.Line("  wire %s;", port.Signal("valid"))
	if port.Style != model.Event {
		b.Line("  wire %s;", port.Signal("ready"))
	}
	for _, f := range port.Fields {
		b.Line("  wire [%d:0] %s;", f.Bits-1, port.Signal(f.Name))
	}
	if port.In {
		driveInput(b, p, upper)
		return
	}
	b.Line("  wire [%s_BEAT-1:0] beat_%s = {%s};", upper, n, concatenation(port))
	if port.Style != model.Event {
		b.Line("  assign %s = t %% %d < %d;", port.Signal("ready"), p.readyCycles()+p.sink.wait, p.readyCycles())
	}
}

// driveInput is the source of rule bench.source.
func driveInput(b *output.Text, p *portTrace, upper string) {
	n := p.port.Name
	b.Line("  assign %s = !rst && at_%s < %s_WORDS && word_%s[%s_BEAT +: 32] <= t;", p.port.Signal("valid"), n, upper, n, upper)
	for _, f := range p.port.Fields {
		b.Line("  assign %s = %s ? word_%s[%d +: %d] : %d'd0;", p.port.Signal(f.Name), p.port.Signal("valid"), n, 8*f.Offset, f.Bits, f.Bits)
	}
}

// concatenation is a beat's fields, the last in the highest bits, each in whole bytes.
func concatenation(p *model.Port) string {
	var parts []string
	for i := len(p.Fields) - 1; i >= 0; i-- {
		f := &p.Fields[i]
		if pad := 8*f.Bytes - f.Bits; pad > 0 {
			parts = append(parts, fmt.Sprintf("%d'd0", pad))
		}
		parts = append(parts, p.Signal(f.Name))
	}
	return strings.Join(parts, ", ")
}

// instance connects the unit under test.
func instance(b *output.Text, u *model.Unit) {
	b.Line("\n  // ---------------------------------------------------------------- unit under test")
	var connections []string
	connect := func(name string) { connections = append(connections, "."+name+"("+name+")") }
	scalar := func(name string, bits int) {
		b.Line("  wire [%d:0] %s;", bits-1, name)
		connect(name)
	}
	connect("clk")
	connect("rst")
	for i := range u.Ports {
		p := &u.Ports[i]
		connect(p.Signal("valid"))
		if p.Style != model.Event {
			connect(p.Signal("ready"))
		}
		for _, f := range p.Fields {
			connect(p.Signal(f.Name))
		}
	}
	for _, c := range u.Counters {
		scalar("count_"+c, 32)
	}
	for _, x := range u.Status {
		scalar("stat_"+x.Name, x.Bits)
	}
	scalar("id_spec_hash", 64)
	for _, name := range u.Tables {
		scalar("id_"+name+"_hash", 64)
	}
	var sizes []string
	for _, name := range u.Sizes {
		sizes = append(sizes, fmt.Sprintf(".%s(%d)", strings.ToUpper(name), configuration.Size(name)))
	}
	b.Line("  %s #(\n      %s\n  ) dut (\n      %s\n  );", u.Module, strings.Join(sizes, ", "), strings.Join(connections, ",\n      "))
}

// identity writes the check that the RTL is of the vectors' spec and tables.
func identity(b *output.Text, s *model.Spec, u *model.Unit) {
	b.Line("\n  task check_identity;\n    begin")
	check := func(signal string, want uint64) {
		b.Line("      if (%s !== 64'h%016x) begin\n        differences = differences + 1;", signal, want)
		b.Line("        $display(\"%s is %%h, the vectors are of %016x\", %s);\n      end", signal, want, signal)
	}
	check("id_spec_hash", output.Prefix64(s.Hash))
	for _, name := range u.Tables {
		hash, _ := profile.TableHash(name)
		check("id_"+name+"_hash", hash)
	}
	b.Line("    end\n  endtask")
}
