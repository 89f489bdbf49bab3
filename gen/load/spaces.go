package load

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// space is a set of generated names that must differ.
type space string

// The spaces, and in reservedNames what the targets put there themselves.
const (
	macros    space = "Verilog macros and Python constants"
	goProfile space = "Go package profile"
	goConfig  space = "Go type profile.Config"
	goWire    space = "Go package wire"
	goEvent   space = "Go package event"
	cppNames  space = "C++ namespace metaroce"
	python    space = "Python classes"
)

var reservedNames = map[space]map[string]bool{
	macros: words(`name version statement spec_hash spec_hash64 config_name configurations profile_vh config_vh tables_vh enums
		headers units`),
	goProfile: words(`Name Version Statement SpecHash SpecHash64 Config Configurations ConfigByName TableHash`),
	goConfig:  words(`Name Check Size`),
	goWire:    words(`ShortError`),
	goEvent: words(`Unit Units Port Field Match Must Device Style Stream Axis Event Direction In Out UnitByName EnumName
		LengthError WidthError`),
	cppNames: words(`constant timing header_field beat_field port_style port_layout unit_layout put get put_wide get_wide
		clear_wide profile_name profile_version spec_hash spec_hash64 std`),
	python: words(`Header HeaderField BeatField Port Unit Mapping`),
}

// owner is an entry that claims names.
type owner struct {
	object *object
	label  string
}

// owner is the entry as an owner of names: what it is, and its own or its parent's name.
func (o *object) owner(what, name string) owner { return owner{o, what + " " + name} }

// claim takes names of a space for an entry, and notes where another entry or a target has one already.
func (r *reader) claim(by owner, s space, names ...string) {
	if r.spaces == nil {
		r.spaces = map[space]map[string]string{}
	}
	if r.spaces[s] == nil {
		r.spaces[s] = map[string]string{}
	}
	for _, name := range names {
		other, taken := r.spaces[s][name]
		if reservedNames[s][name] {
			other, taken = "the generator", true
		}
		if taken {
			at := by.object.at("name")
			by.object.file.fail(at, fmt.Sprintf("generated name %s of %s is taken by %s (%s)", name, by.label, other, s), nodeText(at))
			continue
		}
		r.spaces[s][name] = by.label
	}
}

// nodeText is the text of a string node.
func nodeText(n ast.Node) string {
	s, _ := scalarText(n)
	return s
}

// claimEnum takes the names of an enum's type.
func (r *reader) claimEnum(o *object, e *model.Enum) {
	own := o.owner("enum", e.Name)
	r.claim(own, macros, e.Name+"_bits")
	r.claim(own, goSpace(e.Domain), output.Camel(e.Name))
	r.claim(own, cppNames, e.Name)
	r.claim(own, python, output.Camel(e.Name))
}

// claimValue takes the names of an enum's value.
func (r *reader) claimValue(o *object, e *model.Enum, name string) {
	own := o.owner("enum", e.Name)
	r.claim(own, macros, e.Name+"_"+strings.ToLower(name))
	r.claim(own, goSpace(e.Domain), output.Camel(e.Name)+output.Camel(name))
}

func goSpace(d model.Domain) space {
	if d == model.DomainWire {
		return goWire
	}
	return goEvent
}

// claimHeader takes the names of a header.
func (r *reader) claimHeader(o *object, h *model.Header) {
	own, name := o.owner("header", h.Name), output.Camel(h.Name)
	r.claim(own, macros, h.Name+"_bytes")
	r.claim(own, goWire, name, name+"Bytes", "Parse"+name)
	r.claim(own, cppNames, h.Name+"_header", h.Name+"_header_bytes")
}

// claimPort takes the names of a port's beat and of its handshake.
func (r *reader) claimPort(o *object, u *model.Unit, p *model.Port) {
	own, name := o.owner("port "+p.Name+" of unit", u.Name), output.Camel(u.Name+"_"+p.Base)
	r.claim(own, goEvent, name, name+"Bytes", "Parse"+name)
	r.claim(own, space("signals of "+u.Name), p.Signal("valid"))
	if p.Style != model.Event {
		r.claim(own, space("signals of "+u.Name), p.Signal("ready"))
	}
}
