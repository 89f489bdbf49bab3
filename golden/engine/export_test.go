package engine

import (
	"metaroce/golden/cc"
	"metaroce/golden/engine/pipeline"
	"metaroce/golden/engine/receive"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/rob"
	"metaroce/golden/sack"
)

// Units around rules that a test has made, for planted faults.

func infoOf(name string) *event.Unit {
	info, _ := event.UnitByName(name)
	return info
}

func SackOf(c profile.Config, rules pipeline.SackRules) Unit {
	return &sackUnit{clock: newClock(infoOf("sack"), c), Sack: pipeline.NewSack(rules), table: sack.New(1, 1)}
}

func RobOf(c profile.Config, rules pipeline.RobRules) Unit {
	return &robUnit{clock: newClock(infoOf("rob"), c), Rob: pipeline.NewRob(c, rules), table: rob.New(1, 1, 4)}
}

func RateOf(c profile.Config, rules pipeline.RateRules) Unit {
	return &rateUnit{clock: newClock(infoOf("rate"), c), Rate: pipeline.NewRate(rules), table: cc.New(1, 1)}
}

func RxOf(c profile.Config, sackRules pipeline.SackRules, robRules pipeline.RobRules) Unit {
	return &rxUnit{
		clock: newClock(infoOf("rx"), c), Rx: receive.New(c, sackRules, robRules),
		sackTable: sack.New(1, 1), robTable: rob.New(1, 1, 4),
	}
}
