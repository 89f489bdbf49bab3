package vcd

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"metaroce/verification/trace"
)

// readAll reads a dump: one line a change, and the error that ended it.
func readAll(text string) (h *Header, lines []string, err error) {
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		if r == nil {
			return nil, nil, err
		}
		return r.Header(), nil, err
	}
	names := map[int]string{}
	for _, v := range r.Header().Variables {
		if names[v.Signal] == "" {
			names[v.Signal] = v.Path()
		}
	}
	for {
		c, err := r.Next()
		if err != nil {
			if _, again := r.Next(); again != err {
				return nil, nil, fmt.Errorf("the error does not stay")
			}
			return r.Header(), lines, err
		}
		lines = append(lines, fmt.Sprintf("%d %s %c%s", c.Time, names[c.Signal], c.Form, c.Value))
	}
}

const top = "$timescale 1ns $end $scope module top $end $var wire 8 ! a [7:0] $end $var wire 1 \" b $end $upscope $end $enddefinitions $end\n"

func TestGrammar(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", top + "#0\nb101 !\n1\"\n#5\n0\"\n", "0 top.a b101;0 top.b b1;5 top.b b0"},
		{"CRLF", strings.ReplaceAll(top+"#0\nb101 !\n1\"\n", "\n", "\r\n"), "0 top.a b101;0 top.b b1"},
		{"byte-order mark", "\xEF\xBB\xBF" + top + "#0 1\"\n", "0 top.b b1"},
		{"one line", top + "#0 b1 ! 0\" #1 1\" b10 ! #2 0\" ", "0 top.a b1;0 top.b b0;1 top.b b1;1 top.a b10;2 top.b b0"},
		{"changes behind the time", top + "#7 1\" bx ! 0\"\n", "7 top.b b1;7 top.a bx;7 top.b b0"},
		{"capitals and nine values", top + "BHLuwXZ-1 ! U\" -\" ", "0 top.a b10xxxzx1;0 top.b bx;0 top.b bx"},
		{"blank before the code", top + "1 \" bz ! ", "0 top.b b1;0 top.a bz"},
		{"one-bit vector", strings.Replace(top, "8 !", "8 !", 1) + "b0 \" bz \" ", "0 top.b b0;0 top.b bz"},
		{"dump blocks", top + "#0 $dumpvars 0\" b0 ! $end #1 $dumpoff x\" bx ! $end #2 $dumpon 1\" $end #3 $dumpall 1\" $end ",
			"0 top.b b0;0 top.a b0;1 top.b bx;1 top.a bx;2 top.b b1;3 top.b b1"},
		{"dumpvars before any time", top + "$dumpvars 1\" $end #4 0\" ", "0 top.b b1;4 top.b b0"},
		{"stray end", top + "#0 $end 1\" $end ", "0 top.b b1"},
		{"comment in the body", top + "#0 $comment #9 0\" is no change $end 1\" ", "0 top.b b1"},
		{"time again", top + "#3 1\" #3 0\" #3 1\" ", "3 top.b b1;3 top.b b0;3 top.b b1"},
		{"leading zeros beyond the width", top + "b0000000001 ! ", "0 top.a b00000001"},
		{"real and text", "$var real 64 r r $end $var string 1 s s $end $enddefinitions $end r-1.5e3 r sHELLO s s s ", "0 r r-1.5e3;0 s sHELLO;0 s s"},
		{"codes of any bytes", "$var wire 1 # a $end $var wire 1 $ b $end $var wire 1 \" c $end $var wire 1 $end d $end $var wire 1 b e $end $enddefinitions $end #1 1# 0$ 1\" 1$end 0b b1 # b0 b ",
			"1 a b1;1 b b0;1 c b1;1 d b1;1 e b0;1 a b1;1 e b0"},
		{"aliases", "$scope module a $end $var wire 1 ! x $end $upscope $end $scope module b $end $var wire 1 ! y $end $upscope $end $enddefinitions $end 1! ", "0 a.x b1"},
		{"long codes", "$var wire 1 abcdefgh a $end $var wire 1 ~~~~ b $end $enddefinitions $end 1abcdefgh 0~~~~ ", "0 a b1;0 b b0"},
		{"zero width", "$var wire 0 ! a $end $enddefinitions $end 1! ", "0 a b1"},
	} {
		_, got, err := readAll(c.text)
		if err != io.EOF || strings.Join(got, ";") != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.name, err, strings.Join(got, ";"), c.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"any order and attributes", "$scope begin s $end $attrbegin misc 07 a 1 $end $var wire 1 ! x $end $attrend $end $upscope $end $date\n today\n\tnow $end $version v $end $comment one\ntwo $end $timescale\n 10\n us\n $end $enddefinitions $end\n",
			"10*10^-6 s|today now|v|one two|s.x"},
		{"range without blank", "$var wire 8 ! a[7:0] $end $enddefinitions $end ", "steps||||a[7:0]"},
		{"range in two words", "$var wire 8 ! a [7 :0] $end $enddefinitions $end ", "steps||||a[7:0]"},
		{"ascending range", "$var reg 8 ! a [0:7] $end $enddefinitions $end ", "steps||||a[0:7]"},
		{"one bit of a vector", "$var wire 1 ! a [3] $end $var wire 1 # a[2] $end $enddefinitions $end ", "steps||||a[3] a[2]"},
		{"element of an array", "$var wire 8 ! mem[3] [7:0] $end $var wire 8 # mem[4] $end $enddefinitions $end ", "steps||||mem[3][7:0] mem[4]"},
		{"escaped names", "$scope module \\a.b $end $var wire 8 ! \\x[3].$y: [7:0] $end $var wire 4 # \\z[3:0] $end $var wire 1 % \\q\\ $end $upscope $end $enddefinitions $end ",
			`steps||||"a.b"."x[3].$y:"[7:0] "a.b".z[3:0] "a.b".q`},
		{"no upscope at the end", "$scope module a $end $scope module b $end $var wire 1 ! x $end $enddefinitions $end ", "steps||||a.b.x"},
		{"time scale 0", "$timescale 0ps $end $var wire 1 ! x $end $enddefinitions $end ", "steps||||x"},
		{"time scale with a point", "$timescale 0.01fs $end $var wire 1 ! x $end $enddefinitions $end ", "1*10^-17 s||||x"},
		{"time scale 1s", "$timescale 1 s $end $var wire 1 ! x $end $enddefinitions $end ", "1*10^-0 s||||x"},
	} {
		h, _, err := readAll(c.text)
		if err != io.EOF {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var names []string
		for _, v := range h.Variables {
			name := v.FullName()
			if len(v.Scope) > 0 {
				name = v.ScopePath() + "." + name
			}
			names = append(names, name)
		}
		got := strings.Join([]string{h.Unit.String(), h.Date, h.Version, strings.Join(h.Comments, ","), strings.Join(names, " ")}, "|")
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestContradictionsAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"time goes back", top + "#5 1\"\n#4 0\"\n", fmt.Sprintf("line 3, byte %d: time goes back from 5 to 4", len(top)+6)},
		{"undeclared code", top + "1% ", `code "%" was never declared`},
		{"value too wide", top + "b111111111 ! ", "value of 9 bits for a signal of 8"},
		{"no digit", top + "b12 ! ", `'2' is no binary digit`},
		{"time without a number", top + "#x ", "is no number"},
		{"time of 65 bits", top + "#18446744073709551616 ", "does not fit 64 bits"},
		{"bare time mark", top + "# 5 ", "# without a time"},
		{"text", top + "try ", `"try" is neither a time`},
		{"extended dump", top + "pU 0 6 <0 ", "drive strengths"},
		{"unknown keyword", top + "$vars ", `unknown keyword "$vars"`},
		{"zero byte", top + "1\"\n\x00", "zero byte"},
		{"two widths of one code", "$var wire 1 ! a $end $var wire 2 ! b $end $enddefinitions $end ", "another name of code"},
		{"width", "$var wire many ! a $end $enddefinitions $end ", `width "many"`},
		{"width of a gigabit", "$var wire 1000000000 ! a $end $enddefinitions $end ", "not a number from 0"},
		{"no name", "$var wire 1 ! $end $enddefinitions $end ", "has no name"},
		{"upscope", "$upscope $end ", "$upscope without a $scope"},
		{"time scale", "$timescale 1 lightyear $end ", "time scale"},
		{"changes in the header", "$var wire 1 ! a $end #0 1! ", "$enddefinitions missing"},
	} {
		_, _, err := readAll(c.text)
		if err == nil || trace.IsTruncated(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestPackAndExtend(t *testing.T) {
	for _, c := range []struct {
		value    string
		width    int
		extended string
		packed   []byte
		known    bool
	}{
		{"1", 10, "0000000001", []byte{1, 0}, true},
		{"10000000001", 11, "10000000001", []byte{1, 4}, true},
		{"x1", 4, "xxx1", []byte{1}, false},
		{"z", 3, "zzz", []byte{0}, false},
		{"1x", 4, "001x", []byte{2}, false},
		{"0", 2, "00", []byte{0}, true},
	} {
		if got := string(Extend(nil, []byte(c.value), c.width)); got != c.extended {
			t.Errorf("%s in %d bits: extended to %s", c.value, c.width, got)
		}
		got := make([]byte, (c.width+7)/8)
		if known := Pack(got, []byte(c.value)); known != c.known || string(got) != string(c.packed) {
			t.Errorf("%s in %d bits: packed %v, known %v", c.value, c.width, got, known)
		}
	}
}
