package load

import (
	"fmt"
	"strings"
	"testing"
)

// malformed is a spec with one mistake. In file, old is replaced by new; "@" in new marks where the error must point
// and is taken out. want is what the error says behind the place.
var malformed = []struct {
	name, file, old, new, want string
}{
	{"unknown key", "constants.yaml", `{name: wire_version, value: 1,`, `{name: wire_version, @colour: 1, value: 1,`,
		`constant: unknown key: "colour"`},
	{"duplicate key", "constants.yaml", `{name: wire_version, value: 1,`, `{name: wire_version, value: 1, @value: 2,`,
		`constant: duplicate key: "value"`},
	{"duplicate key in block style", "units.yaml", "    module: mr_sack\n", "    module: mr_sack\n    @module: mr_sack\n",
		`unit: duplicate key: "module"`},
	{"missing key", "constants.yaml", `- {name: wire_version, value: 1,`, `- {@name: wire_version,`,
		`constant: missing key: "value"`},
	{"section missing", "wire.yaml", "headers:\n", "@headings:\n", `wire.yaml: unknown key: "headings"`},
	{"entry is no mapping", "profile.yaml", `- {id: P1,`, "- @P0\n  - {id: P1,", `public fact must be a mapping: "P0"`},
	{"list is no list", "wire.yaml", "values:\n      - {name: DATA, value: 1, text: \"carries payload of one message\"}",
		"values: @DATA\n    x:\n      - {name: DATA, value: 1, text: \"\"}", `enum: values must be a list: "DATA"`},
	{"text is a number", "profile.yaml", "choice: \"Packets, 16.8 fixed point.\"", "choice: @16.8",
		`open question: choice must be a string: "16.8"`},
	{"character that cannot be seen", "profile.yaml", "choice: \"Packets, 16.8 fixed point.\"", `choice: @"a\u0001b"`,
		`open question: choice holds a character that cannot be seen: "\"a\\x01b\""`},
	{"text that goes on in the next line", "constants.yaml", `text: "UDP destination port"`, `text: @'UDP destination port\'`,
		`constant: text ends in a backslash: "UDP destination port\\"`},
	{"profile name with blanks", "profile.yaml", "name: metaroce-interim", "name: @metaroce interim",
		`profile: name must be lower case words joined by hyphens: "metaroce interim"`},
	{"text is empty", "profile.yaml", "choice: \"Packets, 16.8 fixed point.\"", "choice: @\"  \"", `open question: choice is empty: ""`},

	{"header bits no multiple of 32", "wire.yaml", "{name: stamp, bits: 32, text: \"transmit stamp in ns; in an ACK the echoed stamp\"}",
		"{name: stamp, bits: 16, text: x}", `header: 112 bits are not a multiple of 32: gap at the end of the header: "base"`},
	{"header ends inside a byte", "wire.yaml", "{name: hint_sequence, bits: 16,", "{name: hint_sequence, bits: 15,",
		`header: 447 bits are not a multiple of 32: gap at the end of the header: "ack"`},
	{"field overlaps", "wire.yaml", "{name: type, bits: 4, enum", "{name: type, at: @3, bits: 4, enum",
		`field of header base: field overlaps the one before, which ends at bit 4: "3"`},
	{"gap before a field", "wire.yaml", "{name: type, bits: 4, enum", "{name: type, at: @8, bits: 4, enum",
		`field of header base: gap before the field: the one before ends at bit 4: "8"`},
	{"stated length differs", "wire.yaml", "  - name: data\n", "  - name: data\n    bits: @128\n",
		`header: the fields add up to 256 bits: "128"`},
	{"field width no target has", "wire.yaml", "{name: vector, bits: 256,", "{name: vector, bits: @96,",
		`field of header ack: bits must be 1..64, 128, 256 or 512: "96"`},
	{"fields share bytes beyond 64 bits", "wire.yaml", "{name: type, bits: 4, enum: packet_type, text: \"packet type\"}",
		"{name: kind, bits: 62, text: x}\n      - {name: more, bits: @6, text: x}",
		`field of header base: fields that share bytes are together wider than 64 bits: "6"`},

	{"duplicate enum", "units.yaml", "  - name: rob_op\n", "  - name: @sack_op\n", `enum: duplicate enum: "sack_op"`},
	{"duplicate name in enum", "wire.yaml", "{name: ACK, value: 2, text: \"acknowledges", "{name: @DATA, value: 2, text: \"acknowledges",
		`duplicate name in enum packet_type: "DATA"`},
	{"duplicate value in enum", "wire.yaml", "{name: ACK, value: 2,", "{name: ACK, value: @1,",
		`value of enum packet_type: duplicate value, also of DATA: "1"`},
	{"enum value too wide", "wire.yaml", "{name: ACK, value: 2,", "{name: ACK, value: @16,",
		`value of enum packet_type: value is wider than 4 bits: "16"`},
	{"flag of two bits", "wire.yaml", "{name: LAST, value: 2,", "{name: LAST, value: @3,",
		`value of enum base_flag: value of a flag must be a power of two: "3"`},
	{"constant too wide", "constants.yaml", "name: udp_port, value: 49200, bits: 16", "name: udp_port, value: @65536, bits: 16",
		`constant: value is wider than 16 bits: "65536"`},
	{"number is negative", "constants.yaml", "name: ack_every, value: 2,", "name: ack_every, value: @-2,",
		`constant: value must be a decimal integer from 0 to 2^64-1: "-2"`},
	{"number is hexadecimal", "constants.yaml", "name: ack_every, value: 2,", "name: ack_every, value: @0x10,",
		`constant: value must be a decimal integer from 0 to 2^64-1: "0x10"`},
	{"number beyond 64 bits", "constants.yaml", "name: ack_every, value: 2,", "name: ack_every, value: @18446744073709551616,",
		`constant: value must be a decimal integer from 0 to 2^64-1: "18446744073709551616"`},
	{"number is a word", "units.yaml", "name: pipeline_cycles, value: 14,", "name: pipeline_cycles, value: @many,",
		`timing of unit sack: value must be a decimal integer from 0 to 2^64-1: "many"`},
	{"bits out of range", "constants.yaml", "value: 2, bits: 8,", "value: 2, bits: @65,", `constant: bits must be in 1..64: "65"`},
	{"depth of zero", "units.yaml", "name: pipeline_cycles, value: 14,", "name: pipeline_cycles, value: @0,",
		`timing of unit sack: value must be in 1..65536: "0"`},
	{"size below its range", "constants.yaml", "streams: 2, reorder_depth: 16", "streams: 2, reorder_depth: @2",
		`configuration: reorder_depth must be in 4..256: "2"`},
	{"size no power of two", "constants.yaml", "streams: 2, reorder_depth: 16", "streams: 2, reorder_depth: @24",
		`configuration: reorder_depth must be a power of two: "24"`},
	{"size missing", "constants.yaml", "- {name: small, connections: 4, paths: 4,", "- {@name: small, connections: 4,",
		`configuration: missing key: "paths"`},
	{"range upside down", "constants.yaml", "min: 4, max: 256,", "min: 4, max: @2,", `size: max is below min 4: "2"`},

	{"Verilog word", "constants.yaml", "name: ack_ttl,", "name: @wire,", `constant: name is a reserved word of Verilog-2005: "wire"`},
	{"Verilog word as field", "units.yaml", "{name: ack_now, bits: 1, text", "{name: @reg, bits: 1, text",
		`field of port m_rsp: name is a reserved word of Verilog-2005: "reg"`},
	{"SystemVerilog word", "wire.yaml", "{name: credit, bits", "{name: @logic, bits",
		`field of header ack: name is a reserved word of SystemVerilog: "logic"`},
	{"Go word", "units.yaml", "  - name: rob\n", "  - name: @func\n", `unit: name is a reserved word of Go: "func"`},
	{"C++ word", "wire.yaml", "  - name: trailer\n", "  - name: @namespace\n", `header: name is a reserved word of C++: "namespace"`},
	{"Python word", "units.yaml", "counters: [new_in_order,", "counters: [@lambda,",
		`counter is a reserved word of Python: "lambda"`},
	{"Lua word", "units.yaml", "name: run_fifo_depth,", "name: @elseif,", `timing of unit rob: name is a reserved word of Lua: "elseif"`},
	{"method name", "wire.yaml", "{name: credit, bits", "{name: @append, bits",
		`field of header ack: name is the name of a generated method: "append"`},
	{"C macro", "wire.yaml", "{name: NAK, value", "{name: @EOF, value",
		`value of enum packet_type: name is a macro of the C++ library: "EOF"`},
	{"name in camel case", "constants.yaml", "name: ack_ttl,", "name: @ackTtl,",
		`constant: name must be lower case words joined by underscores: "ackTtl"`},
	{"word that begins with a digit", "constants.yaml", "name: ack_ttl,", "name: @ack_2nd,",
		`constant: name must be lower case words joined by underscores: "ack_2nd"`},
	{"enum value in lower case", "wire.yaml", "{name: NAK, value", "{name: @nak, value",
		`value of enum packet_type: name must be upper case words joined by underscores: "nak"`},
	{"generated name taken", "constants.yaml", "name: ack_ttl,", "name: @ack_every,",
		`generated name ack_every of constant ack_every is taken by constant ack_every (Verilog macros and Python constants): "ack_every"`},
	{"generated name of two kinds", "constants.yaml", "name: ack_ttl,", "name: sack_pipeline_cycles,",
		`generated name sack_pipeline_cycles of timing of unit sack is taken by constant sack_pipeline_cycles (Verilog macros and Python constants): "pipeline_cycles"`},
	{"name of the generator", "constants.yaml", "name: ack_ttl,", "name: @spec_hash,",
		`generated name spec_hash of constant spec_hash is taken by the generator (Verilog macros and Python constants): "spec_hash"`},
	{"Go type of a header and an enum", "wire.yaml", "  - name: trailer\n", "  - name: @opcode\n",
		`generated name Opcode of header opcode is taken by enum opcode (Go package wire): "opcode"`},
	{"Go type of a port and an enum", "units.yaml", "  - name: rob_op\n", "  - name: sack_req\n",
		`generated name SackReq of port s_req of unit sack is taken by enum sack_req (Go package event): "s_req"`},
	{"Go type of the generator", "units.yaml", "  - name: rob_op\n", "  - name: @direction\n",
		`generated name Direction of enum direction is taken by the generator (Go package event): "direction"`},
	{"Go method of a configuration", "constants.yaml", "- {name: streams,", "- {name: @check,",
		`generated name Check of size check is taken by the generator (Go type profile.Config): "check"`},
	{"Go constants of a table and a constant", "constants.yaml", "name: ack_ttl,", "name: crc_residue_bits,",
		`generated name CrcResidueBits of table crc_residue is taken by constant crc_residue_bits (Go package profile): "crc_residue"`},
	{"C++ name of a unit and an enum", "units.yaml", "  - name: rob_op\n", "  - name: sack\n",
		`generated name sack of unit sack is taken by enum sack (C++ namespace metaroce): "sack"`},
	{"Python class of the generator", "wire.yaml", "  - name: opcode\n", "  - name: @header\n",
		`generated name Header of enum header is taken by the generator (Python classes): "header"`},
	{"one signal of two ports", "units.yaml", "{name: tuser, bits: 1, text: \"with tlast: bad frame\"}\n      - name: s_cfg\n",
		"{name: tuser_valid, bits: 1, text: x}\n      - name: @s_axis_tuser\n",
		`generated name s_axis_tuser_valid of port s_axis_tuser of unit rx is taken by port s_axis of unit rx (signals of rx): "s_axis_tuser"`},

	{"provenance missing", "constants.yaml", `text: "TTL and hop limit of what the engine sends", related: "RFC 1700 default"`, `text: x`,
		`constant: provenance is missing (public, related or assumed): "ack_ttl"`},
	{"provenance of a rule missing", "rules.yaml", "    related: \"RFC 1982 serial number arithmetic\"\n", "",
		`rule: provenance is missing (public, related or assumed): "seq.compare"`},
	{"provenance of a unit missing", "units.yaml", "    public: P12\n    assumed: \"ports, latencies and depths are ours\"\n", "",
		`unit: provenance is missing (public, related or assumed): "rob"`},
	{"unknown fact", "wire.yaml", "public: P3", "public: @P99", `header: unknown public fact: "P99"`},
	{"fact number malformed", "profile.yaml", "{id: P11,", "{id: @P011,", `public fact: id must be P and a number: "P011"`},
	{"duplicate fact", "profile.yaml", "{id: P11,", "{id: @P10,", `duplicate public fact: "P10"`},
	{"duplicate question", "profile.yaml", "{id: crc,", "{id: @psn_width,", `duplicate question: "psn_width"`},

	{"unknown enum", "wire.yaml", "enum: opcode,", "enum: @opcodes,", `field of header base: unknown enum: "opcodes"`},
	{"enum of another width", "wire.yaml", "{name: type, bits: 4, enum: packet_type,", "{name: type, bits: @4, enum: opcode,",
		`field of header base: bits differ from enum opcode, which has 8: "4"`},
	{"unknown size", "units.yaml", "sizes: [connections, streams, reorder_depth]", "sizes: [connections, streams, reorder_depth, @planes]",
		`unknown size: "planes"`},
	{"unknown size in a sweep", "units.yaml", "sweep: [[connections, streams]]", "sweep: [[connections, @paths]]",
		`sweep: not a size of the unit: "paths"`},
	{"unknown table", "units.yaml", "tables: [crc_residue]", "tables: [@crc_rest]", `unknown table: "crc_rest"`},
	{"table of another unit", "units.yaml", "tables: [crc_residue]", "tables: [crc_residue, @rate_reciprocal]",
		`table is of unit rate: "rate_reciprocal"`},
	{"table that its unit does not list", "units.yaml", "tables: [crc_residue]", "tables: []",
		`table: unit rx does not list this table: "crc_residue"`},
	{"unknown unit of a table", "constants.yaml", "  - name: crc_residue\n",
		"  - {name: spare, unit: @tx, entries: 1, bits: 1, text: x, assumed: x}\n  - name: crc_residue\n", `table: unknown unit: "tx"`},
	{"unknown key field", "units.yaml", "keys: [connection, path, psn]\n        ordered_by",
		"keys: [connection, path, @sequence]\n        ordered_by", `key is not a field of port m_rsp: "sequence"`},
	{"unknown header", "units.yaml", "packet: ack", "packet: @nack", `port of unit rx: unknown header: "nack"`},
	{"unknown direction", "units.yaml", "direction: in\n", "direction: @inout\n", `port of unit sack: direction must be one of in, out: "inout"`},
	{"unknown style", "units.yaml", "style: stream\n", "style: @avalon\n", `port of unit sack: style must be one of stream, axis, event: "avalon"`},
	{"unknown comparison class", "units.yaml", "match: device,", "match: @maybe,", `field of port m_axis: match must be one of must, device: "maybe"`},
	{"comparison class of an input", "units.yaml", "{name: tuser, bits: 1, text", "{name: tuser, bits: 1, match: @device, text",
		`field of port s_axis: only outputs are compared: "device"`},
	{"order by an unknown field", "units.yaml", "ordered_by: [connection, stream]\n        fields:\n          - {name: op, ",
		"ordered_by: [connection, @lane]\n        fields:\n          - {name: op, ", `ordered_by is not a field of port m_rsp: "lane"`},
	{"order by a field of another port", "units.yaml", "ordered_by: [connection]", "ordered_by: [connection, @psn]",
		`ordered_by is not a field of port m_rsp: "psn"`},
	{"order by a field twice", "units.yaml", "ordered_by: [connection, path]", "ordered_by: [connection, path, @connection]",
		`duplicate field in ordered_by of port m_rsp: "connection"`},
	{"order by no field", "units.yaml", "ordered_by: [connection, path]", "ordered_by: @[]",
		`port of unit sack: ordered_by is empty: leave it out where the order of all beats is promised: "m_rsp"`},
	{"order by a word", "units.yaml", "ordered_by: [connection, path]", "ordered_by: @connection",
		`port of unit sack: ordered_by must be a list: "connection"`},
	{"order by a number", "units.yaml", "ordered_by: [connection, path]", "ordered_by: [@7]",
		`port of unit sack: ordered_by must hold strings: "7"`},
	{"order of an input", "units.yaml", "direction: in\n        style: stream\n", "direction: in\n        style: stream\n        ordered_by: @[connection]\n",
		`port of unit sack: only outputs promise an order: "s_req"`},
	{"order of packets by a signal", "units.yaml", "ordered_by: [base.connection, base.path]", "ordered_by: [@tkeep]",
		`ordered_by of port m_axis, which carries packets, is not a field of their base header (base.<field>): "tkeep"`},
	{"order of packets by an unknown field", "units.yaml", "base.connection, base.path", "base.connection, @base.stream",
		`ordered_by of port m_axis, which carries packets, is not a field of their base header (base.<field>): "base.stream"`},
	{"order of packets by another header", "units.yaml", "base.connection, base.path", "base.connection, @ack.hold",
		`ordered_by of port m_axis, which carries packets, is not a field of their base header (base.<field>): "ack.hold"`},
	{"order by a field that the device decides", "units.yaml", "{name: path_alpha, bits: 16, text: \"mark fraction estimate, 2^-16, after this operation\"}\n      - name: dbg_update\n        direction: out\n        style: event\n        keys: [connection, path]\n        ordered_by: [connection]\n        fields:\n          - {name: op, bits: 2,",
		"{name: path_alpha, bits: 16, text: x}\n      - name: dbg_update\n        direction: out\n        style: event\n        keys: [connection, path]\n        ordered_by: [connection, @op]\n        fields:\n          - {name: op, bits: 2, match: device,",
		`ordered_by is decided by the device, so it tells no groups apart: "op"`},
	{"port prefix against direction", "units.yaml", "- name: s_req\n        direction: in", "- name: @m_req\n        direction: in",
		`port of unit sack: port name must begin with s_: "m_req"`},
	{"event port as input", "units.yaml", "- name: dbg_update\n        direction: out", "- name: dbg_update\n        direction: @in",
		`port of unit sack: an event port is an output: "in"`},
	{"handshake signal as field", "units.yaml", "{name: ack_now, bits: 1, text", "{name: @ready, bits: 1, text",
		`field of port m_rsp: name is a signal of the handshake: "ready"`},
	{"axis field without t", "units.yaml", "{name: tuser, bits: 1, text", "{name: @user, bits: 1, text",
		`field of port s_axis: field of an AXI-Stream port must begin with t: "user"`},
	{"module of another name", "units.yaml", "module: mr_rx", "module: @rx_top", `unit: module must be mr_rx: "rx_top"`},
	{"duplicate field", "wire.yaml", "{name: epoch, bits: 4,", "{name: @path, bits: 4,", `duplicate field in header base: "path"`},
	{"duplicate counter", "units.yaml", "closed, refused]", "closed, @closed]", `duplicate counter of unit sack: "closed"`},
	{"duplicate rule", "rules.yaml", "- id: sack.classify", "- id: @sack.open", `duplicate rule: "sack.open"`},
	{"rule id malformed", "rules.yaml", "- id: sack.classify", "- id: @classify", `rule: id must be area.rule in lower case: "classify"`},
	{"rule quotes an unknown name", "rules.yaml", "pending + 1 >= `ack_every`", "pending + 1 >= `ack_never`",
		`rule: quoted name is not in the spec: "ack_never"`},

	{"anchor", "profile.yaml", "version: 1\n", "version: @&v 1\n", `profile: version must be a decimal integer from 0 to 2^64-1: "&"`},
	{"tag", "profile.yaml", "version: 1\n", "version: @!!int 1\n", `profile: version must be a decimal integer from 0 to 2^64-1: "!!int"`},
	{"merge key", "profile.yaml", "  version: 1\n", "  version: 1\n  @<<: {a: b}\n", `profile: key is not a plain name: "<<"`},
	{"second document", "profile.yaml", "open_questions:\n", "open_questions: []\n---\nmore:\n", `file must hold one document: "---"`},
}

func TestMalformedSpec(t *testing.T) {
	files := specFiles(t)
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			content := string(files[c.file])
			if !strings.Contains(content, c.old) {
				t.Fatalf("%s does not hold %q any more", c.file, c.old)
			}
			content = strings.Replace(content, c.old, c.new, 1)
			place := ""
			if at := strings.Index(content, "@"); at >= 0 {
				line := strings.Count(content[:at], "\n") + 1
				column := at - strings.LastIndex(content[:at], "\n")
				place = fmt.Sprintf("gen/spec/%s:%d:%d: ", c.file, line, column)
				content = strings.Replace(content, "@", "", 1)
			}
			_, err := Parse(with(files, c.file, content))
			if err == nil {
				t.Fatal("no error")
			}
			for _, line := range strings.Split(err.Error(), "\n") {
				if strings.HasPrefix(line, place) && strings.HasSuffix(line, ": "+c.want) {
					return
				}
			}
			t.Errorf("got:\n%v\nwant %s%s", err, place, c.want)
		})
	}
}

// TestSyntaxErrorsHaveAPlace: what is not YAML is reported where it stops being YAML.
func TestSyntaxErrorsHaveAPlace(t *testing.T) {
	files := specFiles(t)
	for name, content := range map[string]string{
		"open brace": "enums:\n  - {name: x\nheaders: []\n", "open quote": "enums:\n  - {name: \"x}\n", "tab": "enums:\n\t- a\n",
		"empty": "", "only a comment": "# nothing\n", "scalar": "wire\n", "zero byte": "enums: \x00\n", "alias": "enums: *nowhere\nheaders: []\n",
	} {
		_, err := Parse(with(files, "wire.yaml", content))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if !strings.HasPrefix(first, "gen/spec/wire.yaml:") {
			t.Errorf("%s: %q has no place", name, first)
		}
	}
}
