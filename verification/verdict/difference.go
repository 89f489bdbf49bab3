package verdict

// Kind says in which way two record sequences differ.
type Kind string

// Kinds of difference.
const (
	KindField      Kind = "field"      // same record on both sides, a field has two values
	KindCycle      Kind = "cycle"      // same record on both sides, in different cycles
	KindMissing    Kind = "missing"    // the model has the record, the device has not
	KindUnexpected Kind = "unexpected" // the device has the record, the model has not
	KindUnknown    Kind = "unknown"    // the device's value has x or z bits
	KindCounter    Kind = "counter"    // a counter has two values at the end of the run
	KindProtocol   Kind = "protocol"   // the device broke the rules of a port (valid dropped, fields moved while stalled)
)

// Difference is one place where the device is not as the model. Want is the model's side, Got the device's.
// Values are text as the report shows them: 0x-prefixed hexadecimal, or an enum's name with its value.
type Difference struct {
	Kind   Kind   `json:"kind"`
	Cycle  uint64 `json:"cycle"`            // of the device's record; of the model's where the device has none
	Time   string `json:"time,omitempty"`   // of the trace: decimal seconds (pcapng) or raw time steps (VCD)
	Port   string `json:"port"`             // port of the unit, as in the spec
	Record uint64 `json:"record"`           // ordinal of the record on its port, from 0
	Key    string `json:"key,omitempty"`    // fields by which the record is known: "connection=1 path=2 psn=0x10"
	Field  string `json:"field,omitempty"`  // field of the port, as in the spec; "cycle" for KindCycle
	Want   string `json:"want"`             // model
	Got    string `json:"got"`              // device
	Rule   string `json:"rule,omitempty"`   // rule of gen/spec/rules.yaml that governs the field
	Signal string `json:"signal,omitempty"` // full name in the wave: top.sub.sig

	WantRecord string   `json:"want_record,omitempty"` // whole record of the model
	GotRecord  string   `json:"got_record,omitempty"`  // whole record of the device
	LastGood   []string `json:"last_good,omitempty"`   // last records that agreed, oldest first

	ModelState  string `json:"model_state,omitempty"`  // state of the context that the record names
	DeviceState string `json:"device_state,omitempty"` // what is known of the device's
}
