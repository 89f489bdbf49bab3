package verdict

import (
	"encoding/json"
	"io"

	"metaroce/golden/profile"
)

// SchemaVersion is that of the JSON report. It grows when a key changes its meaning or goes away.
const SchemaVersion = 1

// Report is the result of one comparison. Field order is the key order of the JSON document.
type Report struct {
	SchemaVersion int     `json:"schema_version"`
	Verdict       Verdict `json:"verdict"`
	Compared      uint64  `json:"compared"` // records
	Cycles        uint64  `json:"cycles"`   // clock cycles covered
	Seed          *uint64 `json:"seed,omitempty"`
	Khz           float64 `json:"khz,omitempty"` // thousand cycles a second of wall time; 0 is not measured

	Unit           string `json:"unit,omitempty"`
	Configuration  string `json:"config,omitempty"`
	Level          string `json:"level,omitempty"` // cycle or order
	Source         string `json:"source,omitempty"`
	Profile        string `json:"profile"`
	ProfileVersion int    `json:"profile_version"`
	Interim        bool   `json:"interim"` // the profile is an interim one: nothing here claims conformity
	SpecHash       string `json:"spec_hash,omitempty"`

	Share *Share   `json:"share,omitempty"`
	Ports []Port   `json:"ports,omitempty"` // in the unit's order
	Notes []string `json:"notes,omitempty"` // assumptions made and things not compared, in the order met
	Side  string   `json:"side,omitempty"`  // hang: the side that stopped, and on which port

	First  *Difference `json:"first_difference,omitempty"`
	Replay string      `json:"replay,omitempty"` // command that repeats the run
	Files  []File      `json:"files,omitempty"`
}

// Share says where the wall time of a co-simulation went; the parts are fractions of 1.
type Share struct {
	Model  float64 `json:"model"`
	Bridge float64 `json:"bridge"`
	RTL    float64 `json:"rtl"`
}

// Port is what was compared on one port.
type Port struct {
	Name     string `json:"name"`
	Compared uint64 `json:"compared"`
}

// File is something written beside the report.
type File struct {
	Kind string `json:"kind"` // vcd, fst, gtkw, pcapng, records, stimulus
	Path string `json:"path"`
}

// Close settles the verdict: a comparison of nothing is never the same. It fills in the schema version and the profile.
func (r *Report) Close() {
	r.SchemaVersion = SchemaVersion
	r.Profile, r.ProfileVersion, r.Interim = profile.Name, profile.Version, true
	if r.First != nil && (r.Verdict == "" || r.Verdict == Same) {
		r.Verdict = Different
	}
	if r.Verdict == "" {
		r.Verdict = Same
	}
	if r.Verdict == Same && r.Compared == 0 {
		r.Verdict = Different
		r.Notes = append(r.Notes, "nothing was compared: no verdict of same without a record")
	}
}

// Err returns nil for Same, else an *Error for the process's exit code.
func (r *Report) Err() error {
	if r.Verdict == Same {
		return nil
	}
	return &Error{Verdict: r.Verdict, Detail: r.headline()}
}

// WriteJSON writes the report as one JSON document, newline-terminated. Markup characters are escaped.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
