package compare

import "metaroce/golden/event"

// fieldRules name the rule of gen/spec/rules.yaml that governs a field: a hint for the reader of a difference, by
// unit, port and field. The empty field is every other field of the port.
var fieldRules = map[string]map[string]map[string]string{
	"sack": {
		"m_rsp":      {"class": "sack.classify", "ack_now": "sack.packet, step 3", "received": "sack.packet, step 1", "ce_marked": "sack.packet, step 1", "": "sack.packet"},
		"dbg_update": {"class": "sack.classify", "": "sack.packet"},
	},
	"rob": {
		"m_rsp": {"": "rob.packet"}, "m_cqe": {"": "rob.packet"}, "dbg_update": {"": "rob.packet"}, "dbg_floor": {"": "rob.walker"},
	},
	"rate": {
		"m_rsp": {
			"departure": "rate.send, rate.interval", "path_window": "rate.aimd", "connection_window": "rate.aimd",
			"path_alpha": "rate.aimd, rate.fraction", "path_in_flight": "rate.send, rate.ack", "connection_in_flight": "rate.send, rate.ack",
			"": "rate.send",
		},
		"dbg_update": {"srtt": "rate.ack, step 1", "rttvar": "rate.ack, step 1", "": "rate.ack"},
	},
	"rx": {
		"m_place": {"": "rx.join"}, "m_payload": {"": "rx.move"}, "m_cqe": {"": "rob.packet"}, "m_axis": {"": "rx.ack"},
		"dbg_update": {"class": "sack.classify", "reason": "rx.admit", "": "rx.join"},
	},
}

// timingRules name the rule that decides in which cycle a record of a port happens, by unit and port.
var timingRules = map[string]map[string]string{
	"sack": {"m_rsp": "cycle.pipeline", "dbg_update": "cycle.pipeline"},
	"rob":  {"m_rsp": "cycle.pipeline, rob.issue", "m_cqe": "rob.walker", "dbg_update": "cycle.pipeline, rob.issue", "dbg_floor": "rob.walker"},
	"rate": {"m_rsp": "cycle.pipeline", "dbg_update": "cycle.pipeline"},
	"rx": {
		"s_axis": "rx.parse", "s_cfg": "rx.configure", "m_place": "rx.join", "m_payload": "rx.move", "m_cqe": "rob.walker",
		"m_axis": "rx.ack", "dbg_update": "rx.join",
	},
}

func ruleOf(unit *event.Unit, port *event.Port, field string) string {
	fields := fieldRules[unit.Name][port.Name]
	if rule, ok := fields[field]; ok {
		return rule
	}
	return fields[""]
}

func timingRuleOf(unit *event.Unit, port *event.Port) string {
	if rule, ok := timingRules[unit.Name][port.Name]; ok {
		return rule
	}
	return "cycle.fifo"
}
