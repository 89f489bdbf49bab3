package setup

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText prints one line a tool: name, wanted, found, and what misses without it where it is not there.
func WriteText(w io.Writer, states []State) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "tool\twanted\tfound\twithout it")
	for _, s := range states {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Name, wanted(s), found(s), s.Without)
	}
	return table.Flush()
}

func wanted(s State) string {
	if s.Pin == "" {
		return "any"
	}
	return s.Pin
}

func found(s State) string {
	switch {
	case !s.Found():
		return "missing: " + s.Err.Error()
	case !s.OK():
		return s.Version + " (not the pinned version)"
	case s.Version == "":
		return "yes"
	default:
		return s.Version
	}
}

type jsonState struct {
	Name    string `json:"name"`
	Wanted  string `json:"wanted"`
	Found   bool   `json:"found"`
	OK      bool   `json:"ok"`
	Needed  bool   `json:"needed"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Error   string `json:"error,omitempty"`
	Without string `json:"without"`
}

// WriteJSON prints one document {"schema_version": 1, "tools": [...]} in the order of Tools.
func WriteJSON(w io.Writer, states []State) error {
	list := make([]jsonState, len(states))
	for i, s := range states {
		list[i] = jsonState{Name: s.Name, Wanted: wanted(s), Found: s.Found(), OK: s.OK(), Needed: s.Needed,
			Version: s.Version, Path: s.Path, Without: s.Without}
		if s.Err != nil {
			list[i].Error = s.Err.Error()
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		SchemaVersion int         `json:"schema_version"`
		Tools         []jsonState `json:"tools"`
	}{1, list})
}

// Missing returns the needed tools that are not there.
func Missing(states []State) []State {
	var list []State
	for _, s := range states {
		if s.Needed && !s.Found() {
			list = append(list, s)
		}
	}
	return list
}
