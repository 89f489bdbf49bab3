package vectors

import (
	"fmt"

	"metaroce/gen/model"
	"metaroce/golden/profile"
)

// index describes a unit's files. Numbers of bits count from bit 0 of a word.
type index struct {
	Comment    string            `json:"$comment"`
	Schema     int               `json:"schema_version"`
	Unit       string            `json:"unit"`
	Module     string            `json:"module"`
	SpecHash   string            `json:"spec_hash"`
	Tables     map[string]string `json:"table_hashes"`
	Config     string            `json:"configuration"`
	Sizes      map[string]int    `json:"sizes"`
	FirstReady uint64            `json:"first_ready"`
	Cycles     uint64            `json:"cycles"`
	Testbench  string            `json:"testbench"`
	Ports      []portIndex       `json:"ports"`
	Counters   counterIndex      `json:"counters"`
}

type portIndex struct {
	Name      string       `json:"name"`
	Direction string       `json:"direction"`
	Style     string       `json:"style"`
	File      string       `json:"file"`
	Words     int          `json:"words"`
	Bits      int          `json:"word_bits"`
	Beat      bitRange     `json:"beat"`
	Earliest  *bitRange    `json:"earliest_cycle,omitempty"`
	Cycle     bitRange     `json:"cycle"`
	Ready     *readyIndex  `json:"ready,omitempty"`
	Fields    []fieldIndex `json:"fields"`
}

// readyIndex: ready in cycle t when t mod (ready + wait) < ready.
type readyIndex struct {
	Ready uint64 `json:"ready"`
	Wait  uint64 `json:"wait"`
}

type bitRange struct {
	Low  int `json:"low"`
	Bits int `json:"bits"`
}

type fieldIndex struct {
	Name   string `json:"name"`
	Signal string `json:"signal"`
	bitRange
	Match string `json:"match,omitempty"`
	Enum  string `json:"enum,omitempty"`
}

type counterIndex struct {
	File  string   `json:"file"`
	Bits  int      `json:"word_bits"`
	Names []string `json:"names"`
}

// index is the JSON document that describes the unit's files.
func (t *trace) index(s *model.Spec) ([]byte, error) {
	u := t.unit
	x := index{
		Comment: comment(s), Schema: 1, Unit: u.Name, Module: u.Module, SpecHash: fmt.Sprintf("%x", s.Hash),
		Tables: map[string]string{}, Config: configuration.Name, Sizes: map[string]int{}, FirstReady: t.firstReady, Cycles: t.cycles,
		Testbench: "../testbench/tb_vectors_" + u.Name + ".v",
		Counters:  counterIndex{File: "counters.mem", Bits: 32, Names: u.Counters},
	}
	for _, name := range u.Tables {
		hash, ok := profile.TableHash(name)
		if !ok {
			return nil, fmt.Errorf("table %s has no hash", name)
		}
		x.Tables[name] = fmt.Sprintf("%016x", hash)
	}
	for _, z := range s.Sizes {
		x.Sizes[z.Name] = configuration.Size(z.Name)
	}
	for i := range t.ports {
		x.Ports = append(x.Ports, t.ports[i].index())
	}
	return document(x)
}

func (p *portTrace) index() portIndex {
	width := 8 * p.port.Bytes
	x := portIndex{
		Name: p.port.Name, Direction: direction(p.port), Style: string(p.port.Style), File: p.file(), Words: len(p.beats),
		Bits: p.bits(), Beat: bitRange{0, width}, Cycle: bitRange{p.bits() - cycleBits, cycleBits},
	}
	switch {
	case p.port.In:
		x.Earliest = &bitRange{width, cycleBits}
	case p.port.Style != model.Event:
		x.Ready = &readyIndex{p.readyCycles(), p.sink.wait}
	}
	for _, f := range p.port.Fields {
		match := ""
		if f.Device {
			match = "device"
		}
		x.Fields = append(x.Fields, fieldIndex{f.Name, p.port.Signal(f.Name), bitRange{8 * f.Offset, f.Bits}, match, f.Enum})
	}
	return x
}

// readyCycles is the sink's ready cycles; one where it is always ready.
func (p *portTrace) readyCycles() uint64 { return max(p.sink.ready, 1) }

func direction(p *model.Port) string {
	if p.In {
		return "in"
	}
	return "out"
}
