package vectors

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// checkInput writes what happens when an input's beat is accepted: the cycle is compared.
func checkInput(b *output.Text, p *portTrace) {
	n, upper := p.port.Name, strings.ToUpper(p.port.Name)
	b.Line("\n  always @(posedge clk) begin : check_%s", n)
	b.Line("    if (!rst && %s && %s !== 1'b0) begin", p.port.Signal("valid"), p.port.Signal("ready"))
	b.Line("      compared = compared + 1;")
	b.Line("      if (%s !== 1'b1 || (by_cycle && word_%s[%s_BEAT+32 +: 32] !== t)) begin", p.port.Signal("ready"), n, upper)
	b.Line("        differences = differences + 1;")
	b.Line("        $display(\"cycle %%0d: %s beat %%0d accepted with ready %%b, want cycle %%0d\", t, at_%s, %s, word_%s[%s_BEAT+32 +: 32]);",
		n, n, p.port.Signal("ready"), n, upper)
	b.Line("      end\n      at_%s <= at_%s + 1;\n    end\n  end", n, n)
}

// checkOutput writes the comparison of an output's beats.
func checkOutput(b *output.Text, p *portTrace) {
	n, upper := p.port.Name, strings.ToUpper(p.port.Name)
	taken := p.port.Signal("valid") + " !== 1'b0"
	if p.port.Style != model.Event {
		taken += " && " + p.port.Signal("ready")
	}
	b.Line("\n  always @(posedge clk) begin : check_%s", n)
	b.Line("    if (!rst && %s) begin\n      compared = compared + 1;", taken)
	b.Line("      if (%s !== 1'b1 || at_%s >= %s_WORDS) begin", p.port.Signal("valid"), n, upper)
	b.Line("        differences = differences + 1;")
	b.Line("        $display(\"cycle %%0d: %s beat %%0d is one too many: valid %%b, %%h\", t, at_%s, %s, beat_%s);", n, n, p.port.Signal("valid"), n)
	b.Line("      end else if (%s || (by_cycle && word_%s[%s_BEAT +: 32] !== t)) begin", differs(p), n, upper)
	b.Line("        differences = differences + 1;")
	b.Line("        $display(\"cycle %%0d: %s beat %%0d is %%h, want %%h in cycle %%0d\", t, at_%s, beat_%s, word_%s[%s_BEAT-1:0], word_%s[%s_BEAT +: 32]);",
		n, n, n, n, upper, n, upper)
	b.Line("      end\n      at_%s <= at_%s + 1;\n    end\n  end", n, n)
}

// differs is the comparison of a beat: whole, or without what the device decides where only the order counts.
func differs(p *portTrace) string {
	n := p.port.Name
	var parts []string
	for _, f := range p.port.Fields {
		part := fmt.Sprintf("beat_%s[%d +: %d] !== word_%s[%d +: %d]", n, 8*f.Offset, f.Bits, n, 8*f.Offset, f.Bits)
		if f.Device {
			part = "(by_cycle && " + part + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " || ")
}

// loadTask writes the task that reads the files.
func loadTask(b *output.Text, t *trace) {
	b.Line("\n  task load;\n    begin")
	b.Line("      if (!$value$plusargs(\"vectors=%%s\", directory)) directory = \".\";")
	b.Line("      if ($test$plusargs(\"order\")) by_cycle = 1'b0;")
	for i := range t.ports {
		if p := &t.ports[i]; len(p.beats) > 0 {
			b.Line("      $sformat(file, \"%%0s/%s\", directory);\n      $readmemh(file, words_%s);", p.file(), p.port.Name)
		}
	}
	b.Line("      $sformat(file, \"%%0s/counters.mem\", directory);\n      $readmemh(file, counters);")
	b.Line("    end\n  endtask")
}

// concludeTask writes the task that checks what is left at the end and prints the verdict.
func concludeTask(b *output.Text, t *trace) {
	b.Line("\n  task conclude;\n    begin\n      check_identity;")
	for i := range t.ports {
		n := t.ports[i].port.Name
		b.Line("      if (at_%s < %s_WORDS) begin\n        differences = differences + 1;", n, strings.ToUpper(n))
		b.Line("        $display(\"%s: %%0d beats of %%0d\", at_%s, %s_WORDS);\n      end", n, n, strings.ToUpper(n))
	}
	for i, c := range t.unit.Counters {
		b.Line("      if (count_%s !== counters[%d]) begin\n        differences = differences + 1;", c, i)
		b.Line("        $display(\"count_%s is %%0d, want %%0d\", count_%s, counters[%d]);\n      end", c, c, i)
	}
	b.Line("      if (differences == 0 && compared > 0)\n        $display(\"PASS: %%0d handshakes and events compared\", compared);")
	b.Line("      else\n        $display(\"FAIL: %%0d differences, %%0d handshakes and events compared\", differences, compared);")
	b.Line("      $finish;\n    end\n  endtask\n")
	b.Line("  wire complete = %s;", complete(t))
}

// complete is the condition that every port has seen all its words.
func complete(t *trace) string {
	var parts []string
	for i := range t.ports {
		n := t.ports[i].port.Name
		parts = append(parts, fmt.Sprintf("at_%s >= %s_WORDS", n, strings.ToUpper(n)))
	}
	return strings.Join(parts, " && ")
}

// clocking runs the bench. With +order a slower unit gets more time, and the run ends some cycles behind the last beat.
const clocking = `
  reg [31:0] limit;
  reg [31:0] idle = 32'd0;

  initial begin
    load;
    limit = by_cycle ? CYCLES : 32'd1000 + CYCLES * 32'd8;
    repeat (4) @(posedge clk);
    rst <= 1'b0;
  end

  always @(posedge clk) begin
    if (!rst) begin
      t <= t + 32'd1;
      idle <= complete ? idle + 32'd1 : 32'd0;
      if (t == limit || (!by_cycle && idle == 32'd200)) conclude;
    end
  end
`
