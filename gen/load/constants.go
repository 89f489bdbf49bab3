package load

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// readConstants reads constants.yaml.
func (r *reader) readConstants(f *file, root ast.Node) {
	top := f.mapping(root, FileShapes["constants.yaml"], "")
	for _, n := range top.list("constants") {
		r.readConstant(f, n)
	}
	for _, n := range top.list("sizes") {
		r.readSize(f, n)
	}
	names := f.unique("configuration")
	for _, n := range top.list("configurations") {
		r.readConfiguration(f, n, names)
	}
	for _, n := range top.list("tables") {
		r.readTable(f, n)
	}
}

func (r *reader) readConstant(f *file, n ast.Node) {
	o := f.mapping(n, &constantShape, "")
	c := model.Constant{
		Name: o.name("name"), Value: o.number("value"), Bits: int(o.number("bits")),
		Unit: strings.Join(strings.Fields(o.label("unit")), " "), Text: o.text("text"), Provenance: r.provenance(o),
	}
	o.fits("value", c.Value, c.Bits)
	r.claim(o.owner("constant", c.Name), macros, c.Name)
	r.claim(o.owner("constant", c.Name), goProfile, output.Camel(c.Name))
	r.spec.Constants = append(r.spec.Constants, c)
}

// fits notes a value that is wider than its bits.
func (o *object) fits(key string, value uint64, width int) {
	if o.has(key) && o.has("bits") && bits.Len64(value) > width {
		o.fail(key, fmt.Sprintf("%s is wider than %d bits", key, width), sourceText(o.at(key)))
	}
}

func (r *reader) readSize(f *file, n ast.Node) {
	o := f.mapping(n, &sizeShape, "")
	s := model.Size{
		Name: o.name("name"), Text: o.text("text"), Min: o.number("min"), Max: o.number("max"),
		Provenance: r.provenance(o),
	}
	if s.Max < s.Min {
		o.fail("max", fmt.Sprintf("max is below min %d", s.Min), sourceText(o.at("max")))
	}
	r.claim(o.owner("size", s.Name), macros, s.Name)
	r.claim(o.owner("size", s.Name), goConfig, output.Camel(s.Name))
	f.sizes = append(f.sizes, number(s.Name, s.Min, s.Max, s.Text))
	r.spec.Sizes = append(r.spec.Sizes, s)
}

func (r *reader) readConfiguration(f *file, n ast.Node, names *unique) {
	o := f.mapping(n, &configurationShape, "")
	c := model.Configuration{Name: o.text("name")}
	if c.Name != "" && !lowerName.MatchString(c.Name) {
		o.fail("name", "name must be lower case words joined by underscores", c.Name)
	} else if language := reservedIn(c.Name); language != "" && !configurationWords[c.Name] {
		o.fail("name", "name is a reserved word of "+language, c.Name)
	}
	for _, s := range r.spec.Sizes {
		v := o.number(s.Name)
		if v&(v-1) != 0 {
			o.fail(s.Name, s.Name+" must be a power of two", sourceText(o.at(s.Name)))
		}
		c.Values = append(c.Values, v)
	}
	names.add(o.at("name"), c.Name)
	r.claim(o.owner("configuration", c.Name), macros, c.Name)
	r.claim(o.owner("configuration", c.Name), goProfile, output.Camel(c.Name))
	r.spec.Configurations = append(r.spec.Configurations, c)
}

func (r *reader) readTable(f *file, n ast.Node) {
	o := f.mapping(n, &tableShape, "")
	t := model.Table{
		Name: o.name("name"), Unit: o.text("unit"), Entries: int(o.number("entries")),
		Bits: int(o.number("bits")), Text: o.text("text"), Provenance: r.provenance(o),
	}
	own := o.owner("table", t.Name)
	r.claim(own, macros, "table_"+t.Name+"_hash", "table_"+t.Name+"_entries", "table_"+t.Name+"_bits")
	r.claim(own, goProfile, output.Camel(t.Name)+"Entries", output.Camel(t.Name)+"Bits")
	r.deferred = append(r.deferred, func() { r.tableUnit(o, &t) })
	r.spec.Tables = append(r.spec.Tables, t)
}

// tableUnit checks that the table's unit is there and names the table.
func (r *reader) tableUnit(o *object, t *model.Table) {
	i := slices.IndexFunc(r.spec.Units, func(u model.Unit) bool { return u.Name == t.Unit })
	if i < 0 {
		o.fail("unit", "unknown unit", t.Unit)
	} else if !slices.Contains(r.spec.Units[i].Tables, t.Name) {
		o.fail("name", "unit "+t.Unit+" does not list this table", t.Name)
	}
}
