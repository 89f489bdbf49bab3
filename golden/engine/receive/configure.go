package receive

import "metaroce/golden/event"

// configure carries out the oldest configuration operation once nothing is inside (spec: rx.configure).
func (r *Rx) configure() {
	if !r.Cfg.Has() || !r.drained() {
		return
	}
	done, ignored := r.carryOut(r.Cfg.Front())
	if ignored {
		r.Counters.CfgIgnored++
	}
	if done || ignored {
		r.Cfg.Pop()
	}
}

// carryOut returns false, false for an operation that must wait for room.
func (r *Rx) carryOut(cfg *event.RxCfg) (done, ignored bool) {
	switch cfg.Op {
	case event.RxOpOpenConnection:
		return r.openConnection(cfg)
	case event.RxOpOpenPath:
		return r.openPath(cfg)
	case event.RxOpOpenStream:
		return r.openStream(cfg)
	}
	return r.setHint(cfg)
}

func (r *Rx) openConnection(cfg *event.RxCfg) (done, ignored bool) {
	c := r.tables.connection(cfg.Connection)
	if c == nil {
		return false, true
	}
	*c = connection{
		open: true, peer: cfg.PeerConnection, hint: cfg.Hint, hintSequence: cfg.HintSequence, credit: cfg.Credit,
	}
	return true, false
}

func (r *Rx) setHint(cfg *event.RxCfg) (done, ignored bool) {
	c := r.tables.connection(cfg.Connection)
	if c == nil || !c.open {
		return false, true
	}
	c.hint, c.hintSequence, c.credit = cfg.Hint, cfg.HintSequence, cfg.Credit
	return true, false
}

func (r *Rx) openPath(cfg *event.RxCfg) (done, ignored bool) {
	if !r.tables.hasPath(cfg.Connection, cfg.Path) {
		return false, true
	}
	if !r.joins.Room() || !r.Sack.In.Room() {
		return false, false
	}
	*r.Sack.In.Push() = event.SackReq{
		Op: event.SackOpOpen, Connection: cfg.Connection, Path: cfg.Path, Psn: cfg.Sequence,
	}
	*r.joins.Push() = joinEntry{kind: joinOpen}
	r.inside.next++
	return true, false
}

func (r *Rx) openStream(cfg *event.RxCfg) (done, ignored bool) {
	s := r.tables.stream(cfg.Connection, cfg.Stream)
	if s == nil {
		return false, true
	}
	if !r.Rob.In.Room() {
		return false, false
	}
	*r.Rob.In.Push() = event.RobReq{
		Op: event.RobOpOpen, Connection: cfg.Connection, Stream: cfg.Stream, Message: cfg.Sequence,
	}
	s.open, s.floor = true, cfg.Sequence
	r.inside.next++
	return true, false
}
