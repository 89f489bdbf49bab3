package load

// The shapes of the spec's entries.
var (
	profileShape = Shape{What: "profile", Keys: []Key{
		text("name", "name of the profile"), number("version", 1, 65535, "version of the profile"),
		text("statement", "what the profile is"),
	}}
	factShape = Shape{What: "public fact", Keys: []Key{
		text("id", "P and a number"), text("text", "the fact"),
	}}
	questionShape = Shape{What: "open question", Keys: []Key{
		text("id", "short name"), text("question", "what the public text leaves open"), text("choice", "what this profile does"),
	}}

	constantShape = Shape{What: "constant", Provenance: true, Keys: []Key{
		name("name of the constant"), number("value", 0, 1<<64-1, "value; it must fit the bits"),
		number("bits", 1, 64, "width of its Verilog literal"), {Name: "unit", Kind: Label, Text: "unit, or empty"},
		text("text", "meaning"),
	}}
	sizeShape = Shape{What: "size", Provenance: true, Keys: []Key{
		name("name of the size"), text("text", "meaning"), number("min", 1, 1<<31, "smallest value"),
		number("max", 1, 1<<31, "largest value"),
	}}
	configurationShape = Shape{What: "configuration", Sizes: true, Keys: []Key{name("name of the configuration")}}
	tableShape         = Shape{What: "table", Provenance: true, Keys: []Key{
		name("name of the table"), reference("unit", ToUnit, "unit that holds it"),
		number("entries", 1, 1<<20, "number of entries"), number("bits", 1, 64, "width of an entry"),
		text("text", "formula"),
	}}

	valueShape = Shape{What: "value", Keys: []Key{
		{Name: "name", Kind: Upper, Text: "name of the value"}, number("value", 0, 1<<64-1, "number"), text("text", "meaning"),
	}}
	enumShape = Shape{What: "enum", Provenance: true, Keys: []Key{
		name("name of the enum"), number("bits", 1, 64, "width"), boolean("flags", "the values are bits that can be combined"),
		entries("values", &valueShape),
	}}
	headerFieldShape = Shape{What: "field", Keys: []Key{
		name("name of the field"), number("bits", 1, 256, "width"),
		optional(number("at", 0, 1<<16, "bits from the header's first bit; checked against the fields before")),
		optional(reference("enum", ToEnum, "enum of its values")), text("text", "meaning"),
	}}
	headerShape = Shape{What: "header", Provenance: true, Keys: []Key{
		name("name of the header"), optional(number("bits", 1, 1<<16, "length; checked against the fields")),
		entries("fields", &headerFieldShape),
	}}

	timingShape = Shape{What: "timing", Keys: []Key{
		name("name of the latency or depth"), number("value", 1, 1<<16, "value"), text("unit", "what it counts"),
		text("text", "meaning"),
	}}
	portFieldShape = Shape{What: "field", Keys: []Key{
		name("name of the signal behind the port's name"), number("bits", 1, 512, "width"),
		optional(reference("enum", ToEnum, "enum of its values")),
		optional(choice("match", "how an output is compared; must where it is absent", "must", "device")),
		text("text", "meaning"),
	}}
	portShape = Shape{What: "port", Keys: []Key{
		name("name of the port group"), choice("direction", "the unit's own", "in", "out"),
		choice("style", "handshake", "stream", "axis", "event"),
		optional(names("keys", "", "fields by which a beat is known")),
		optional(matching(names("ordered_by", "", "output: order is promised among beats that agree in these fields; among all where it "+
			"is absent. Of a port with a packet: base.<field>, fields of its base header"), LowerPathPattern)),
		optional(reference("packet", ToHeader, "header that the port's frames carry")),
		entries("fields", &portFieldShape),
	}}
	statusShape = Shape{What: "status", Keys: []Key{
		name("name behind stat_"), number("bits", 1, 64, "width"), text("text", "meaning"),
	}}
	unitShape = Shape{What: "unit", Provenance: true, Keys: []Key{
		name("name of the unit"), text("module", "top module: mr_ and the unit's name"), text("text", "what it does"),
		names("sizes", ToSize, "sizes it depends on"), names("tables", ToTable, "ROM tables it holds"),
		{Name: "sweep", Kind: Lists, Refers: ToSize, Text: "products of sizes; the largest is the length of the sweep after reset"},
		entries("timing", &timingShape), entries("ports", &portShape), optional(entries("status", &statusShape)),
		names("counters", "", "names behind count_"),
	}}

	ruleShape = Shape{What: "rule", Provenance: true, Keys: []Key{
		text("id", "area.rule"), text("text", "the rule"),
	}}
)

// FileShapes is the shape of each file's top level, by FileNames.
var FileShapes = map[string]*Shape{
	"profile.yaml": {What: "profile.yaml", Keys: []Key{
		{Name: "profile", Kind: Entry, Item: &profileShape, Text: "identity of the profile"},
		entries("public_facts", &factShape), entries("open_questions", &questionShape),
	}},
	"constants.yaml": {What: "constants.yaml", Keys: []Key{
		entries("constants", &constantShape), entries("sizes", &sizeShape), entries("configurations", &configurationShape),
		entries("tables", &tableShape),
	}},
	"wire.yaml":  {What: "wire.yaml", Keys: []Key{entries("enums", &enumShape), entries("headers", &headerShape)}},
	"units.yaml": {What: "units.yaml", Keys: []Key{entries("enums", &enumShape), entries("units", &unitShape)}},
	"rules.yaml": {What: "rules.yaml", Keys: []Key{entries("rules", &ruleShape)}},
}
