package verdict

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestEachVerdictHasItsOwnExitCode(t *testing.T) {
	want := map[Verdict]int{Same: 0, Different: 1, "": 2, "other": 2, Truncated: 3, Hang: 4, ProtocolError: 5}
	for v, code := range want {
		if v.ExitCode() != code {
			t.Errorf("%q: got exit code %d, want %d", v, v.ExitCode(), code)
		}
	}
}

func TestNothingComparedIsNeverSame(t *testing.T) {
	r := Report{Verdict: Same}
	r.Close()
	if r.Verdict != Different || r.Err() == nil {
		t.Fatalf("got %q, want different", r.Verdict)
	}
	r = Report{}
	r.Close()
	if r.Verdict != Different {
		t.Fatalf("zero report: got %q, want different", r.Verdict)
	}
}

func TestADifferenceOverrulesSame(t *testing.T) {
	r := Report{Verdict: Same, Compared: 9, First: &Difference{Port: "m_rsp"}}
	r.Close()
	if r.Verdict != Different {
		t.Fatalf("got %q", r.Verdict)
	}
	r = Report{Verdict: Truncated, Compared: 9}
	r.Close()
	var e *Error
	if !errors.As(r.Err(), &e) || e.ExitCode() != 3 {
		t.Fatalf("got %v, want exit code 3", r.Err())
	}
}

func TestJSONHasTheDocumentedKeysInOrder(t *testing.T) {
	seed := uint64(0)
	r := Report{Compared: 2, Cycles: 10, Seed: &seed, Khz: 1.5, First: &Difference{Kind: KindField, Cycle: 7, Time: "50000",
		Port: "m_rsp", Field: "class", Want: "<b>", Got: "1"}}
	r.Close()
	var b strings.Builder
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, k := range []string{"schema_version", "verdict", "compared", "cycles", "seed", "khz", "first_difference"} {
		at := strings.Index(b.String(), `"`+k+`"`)
		if at <= last {
			t.Errorf("key %q at %d, not behind %d", k, at, last)
		}
		last = at
	}
	if strings.Contains(b.String(), "<b>") {
		t.Error("markup is not escaped")
	}
	var back Report
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("does not read back: %v", err)
	}
}

func TestTextShowsWhatViewersLink(t *testing.T) {
	r := Report{Compared: 2, First: &Difference{Kind: KindField, Cycle: 7, Time: "50000", Port: "m_rsp", Field: "class",
		Signal: "top.dut.m_rsp_class", Want: "DUPLICATE", Got: "OLD"}}
	r.Close()
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"verdict   different", "@ 50000", "top.dut.m_rsp_class", "DUPLICATE"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
