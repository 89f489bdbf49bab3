package load

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
)

// readWire reads wire.yaml.
func (r *reader) readWire(f *file, root ast.Node) {
	top := f.mapping(root, FileShapes["wire.yaml"], "")
	r.readEnums(f, top, model.DomainWire)
	names := f.unique("header")
	for _, n := range top.list("headers") {
		r.readHeader(f, n, names)
	}
}

// readEnums reads the enums of wire.yaml or units.yaml.
func (r *reader) readEnums(f *file, top *object, domain model.Domain) {
	for _, n := range top.list("enums") {
		o := f.mapping(n, &enumShape, "")
		e := model.Enum{
			Name: o.name("name"), Bits: int(o.number("bits")), Flags: o.boolean("flags"), Domain: domain,
			Provenance: r.provenance(o),
		}
		if r.spec.Enum(e.Name) != nil {
			o.fail("name", "duplicate enum", e.Name)
		}
		r.claimEnum(o, &e)
		r.readValues(f, o, &e)
		r.spec.Enums = append(r.spec.Enums, e)
	}
}

// readValues reads the values of an enum.
func (r *reader) readValues(f *file, enum *object, e *model.Enum) {
	names := f.unique("name in enum " + e.Name)
	taken := map[uint64]string{}
	for _, n := range enum.list("values") {
		o := f.mapping(n, &valueShape, " of enum "+e.Name)
		v := model.EnumValue{Name: o.valueName("name"), Value: o.number("value"), Text: o.text("text")}
		if e.Bits < 64 && v.Value>>e.Bits != 0 {
			o.fail("value", fmt.Sprintf("value is wider than %d bits", e.Bits), sourceText(o.at("value")))
		}
		if e.Flags && (v.Value == 0 || v.Value&(v.Value-1) != 0) {
			o.fail("value", "value of a flag must be a power of two", sourceText(o.at("value")))
		}
		names.add(o.at("name"), v.Name)
		if other, ok := taken[v.Value]; ok && o.has("value") {
			o.fail("value", "duplicate value, also of "+other, sourceText(o.at("value")))
		}
		taken[v.Value] = v.Name
		r.claimValue(o, e, v.Name)
		e.Values = append(e.Values, v)
	}
	if len(e.Values) == 0 {
		enum.fail("values", "enum has no values", e.Name)
	}
}

// readHeader reads one header and lays its fields out.
func (r *reader) readHeader(f *file, n ast.Node, names *unique) {
	o := f.mapping(n, &headerShape, "")
	h := model.Header{Name: o.name("name"), Provenance: r.provenance(o)}
	names.add(o.at("name"), h.Name)
	r.claimHeader(o, &h)
	fields := f.unique("field in header " + h.Name)
	run := 0 // bits since the last byte boundary at which a field ended
	for _, n := range o.list("fields") {
		x := r.readHeaderField(f, n, &h)
		fields.add(x.at("name"), h.Fields[len(h.Fields)-1].Name)
		run = r.closeRun(x, run, h.Fields[len(h.Fields)-1].Bits)
	}
	r.checkHeader(o, &h, run)
	r.spec.Headers = append(r.spec.Headers, h)
}

// readHeaderField reads the next field of a header. Fields follow each other without an offset of their own; where
// one is stated (`at`, in bits) it must be the place that the fields before leave.
func (r *reader) readHeaderField(f *file, n ast.Node, h *model.Header) *object {
	o := f.mapping(n, &headerFieldShape, " of header "+h.Name)
	x := model.HeaderField{
		Name: o.fieldName("name"), Bits: int(o.number("bits")), Offset: h.Bits, Enum: o.text("enum"),
		Text: o.text("text"),
	}
	if o.has("at") {
		switch at := int(o.number("at")); {
		case at < x.Offset:
			o.fail("at", fmt.Sprintf("field overlaps the one before, which ends at bit %d", x.Offset), sourceText(o.at("at")))
		case at > x.Offset:
			o.fail("at", fmt.Sprintf("gap before the field: the one before ends at bit %d", x.Offset), sourceText(o.at("at")))
		}
	}
	r.checkWidth(o, x.Bits)
	r.checkEnum(o, x.Enum, x.Bits)
	r.claim(o.owner("header", h.Name), macros, h.Name+"_"+x.Name+"_offset", h.Name+"_"+x.Name+"_bits")
	h.Bits += x.Bits
	h.Fields = append(h.Fields, x)
	return o
}

// closeRun follows the runs of fields that share bytes: each must end on a byte boundary within 64 bits.
func (r *reader) closeRun(o *object, run, bits int) int {
	if run += bits; run%8 == 0 {
		if run > 64 && run != bits {
			o.fail("bits", "fields that share bytes are together wider than 64 bits", sourceText(o.at("bits")))
		}
		return 0
	}
	return run
}

// checkHeader checks the header's size: what it states, whole words for our own headers, whole bytes and an even
// number of them for the foreign ones that related standards fix.
func (r *reader) checkHeader(o *object, h *model.Header, run int) {
	unit := 32
	if h.Public == "" && h.Assumed == "" {
		unit = 16 // Ethernet's 14 bytes
	}
	if len(h.Fields) == 0 {
		o.fail("fields", "header has no fields", h.Name)
	} else if run != 0 || h.Bits%unit != 0 {
		o.fail("fields", fmt.Sprintf("%d bits are not a multiple of %d: gap at the end of the header", h.Bits, unit), h.Name)
	}
	if o.has("bits") && o.number("bits") != uint64(h.Bits) {
		o.fail("bits", fmt.Sprintf("the fields add up to %d bits", h.Bits), sourceText(o.at("bits")))
	}
}

// checkWidth notes a width that no target has a type for.
func (r *reader) checkWidth(o *object, width int) {
	if width > 64 && width != 128 && width != 256 && width != 512 {
		o.fail("bits", "bits must be 1..64, 128, 256 or 512", sourceText(o.at("bits")))
	}
}

// checkEnum checks, once all enums are read, that a field's enum is there and as wide as the field.
func (r *reader) checkEnum(o *object, enum string, width int) {
	if enum == "" {
		return
	}
	r.deferred = append(r.deferred, func() {
		switch e := r.spec.Enum(enum); {
		case e == nil:
			o.fail("enum", "unknown enum", enum)
		case e.Bits != width:
			o.fail("bits", fmt.Sprintf("bits differ from enum %s, which has %d", enum, e.Bits), sourceText(o.at("bits")))
		}
	})
}
