package eventloop

import (
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/seq"
	"metaroce/golden/wire"
)

// Receiver is the receive engine without cycles: a frame or a configuration operation is finished before the next.
type Receiver struct {
	Place   []event.RxPlace
	Payload []event.RxPayload
	Cqe     []event.RobCqe
	Ack     []frame.Ack // hold time 0
	Update  []event.RxDbgUpdate

	// Counters by their name in the spec.
	Counters map[string]uint32

	size        profile.Config
	sack        SackRules
	rob         RobRules
	connections map[uint32]event.RxCfg // by identifier: the operation that opened it, with the newest hint
}

// NewReceiver returns a receiver with nothing open.
func NewReceiver(c profile.Config, sack SackRules, rob RobRules) *Receiver {
	return &Receiver{
		Counters: map[string]uint32{}, size: c, sack: sack, rob: rob, connections: map[uint32]event.RxCfg{},
	}
}

// Configure carries out one configuration operation (spec: rx.configure).
func (r *Receiver) Configure(cfg event.RxCfg) {
	known, isOpen := r.connections[cfg.Connection]
	inRange := int(cfg.Connection) < r.size.Connections
	switch {
	case cfg.Op == event.RxOpOpenConnection && inRange:
		r.connections[cfg.Connection] = cfg
	case cfg.Op == event.RxOpSetHint && isOpen:
		known.Hint, known.HintSequence, known.Credit = cfg.Hint, cfg.HintSequence, cfg.Credit
		r.connections[cfg.Connection] = known
	case cfg.Op == event.RxOpOpenPath && inRange && int(cfg.Path) < r.size.Paths:
		r.openPath(cfg)
	case cfg.Op == event.RxOpOpenStream && inRange && int(cfg.Stream) < r.size.Streams:
		var rsp event.RobRsp
		r.rob.Apply(&event.RobReq{
			Op: event.RobOpOpen, Connection: cfg.Connection, Stream: cfg.Stream, Message: cfg.Sequence,
		}, &rsp, nil)
	default:
		r.Counters["cfg_ignored"]++
	}
}

func (r *Receiver) openPath(cfg event.RxCfg) {
	var rsp event.SackRsp
	r.sack.Apply(&event.SackReq{
		Op: event.SackOpOpen, Connection: cfg.Connection, Path: cfg.Path, Psn: cfg.Sequence,
	}, &rsp)
	r.Update = append(r.Update, event.RxDbgUpdate{
		Connection: cfg.Connection, Path: cfg.Path, Psn: cfg.Sequence, Outcome: event.RxOutcomeOpened, Class: rsp.Class,
	})
}

// rejectNames are the counters of the reasons to drop a frame.
var rejectNames = [frame.Rejects]string{
	frame.BadFrame: "bad_frame", frame.Oversize: "oversize", frame.NotOurs: "not_ours", frame.LengthError: "length_error",
	frame.ChecksumError: "checksum_error", frame.CrcError: "crc_error", frame.Malformed: "malformed",
}

// Frame takes one frame; bad is tuser of its last beat.
func (r *Receiver) Frame(b []byte, bad bool) {
	r.Counters["frames"]++
	var d frame.Data
	reject := frame.BadFrame
	switch {
	case bad:
	case len(b) > profile.RxMaxFrameBeats*frame.BeatBytes:
		reject = frame.Oversize
	default:
		reject = frame.Receive(b, &d)
	}
	if reject != frame.Accepted {
		r.Counters[rejectNames[reject]]++
		return
	}
	r.packet(&d)
}

// packet asks the SACK unit about a good packet and decides what becomes of it (spec: rx.admit, rx.join).
func (r *Receiver) packet(d *frame.Data) {
	update := event.RxDbgUpdate{
		Connection: d.Base.Connection, Path: d.Base.Path, Psn: d.Base.Psn, Stream: d.Data.Stream, Message: d.Data.Message,
		Outcome: event.RxOutcomeUnknown, Class: event.SackClassClosed,
	}
	if _, open := r.connections[d.Base.Connection]; !open || int(d.Base.Path) >= r.size.Paths {
		r.Counters["unknown"]++
		r.Update = append(r.Update, update)
		return
	}
	reason := r.refuse(d)
	var rsp event.SackRsp
	r.sack.Apply(&event.SackReq{
		Op: event.SackOpPacket, Connection: d.Base.Connection, Path: d.Base.Path, Psn: d.Base.Psn,
		Ce: d.Ecn() == 3, AckRequest: d.Base.Flags&wire.BaseFlagAckRequest != 0, Tail: d.Base.Flags&wire.BaseFlagTail != 0,
		Refused: reason != wire.RefuseReasonNone,
	}, &rsp)
	update.Class = rsp.Class
	flags := r.outcome(&update, d, reason)
	r.Update = append(r.Update, update)
	if rsp.AckNow {
		r.acknowledge(d, &rsp, flags)
	}
}

// refuse is the reason to refuse a packet of a known path. Without cycles the floor of a stream is its head.
func (r *Receiver) refuse(d *frame.Data) wire.RefuseReason {
	head, open := r.rob.Head(d.Base.Connection, d.Data.Stream)
	if !open {
		return wire.RefuseReasonStream
	}
	ahead := seq.Distance32(d.Data.Message, head)
	if ahead >= int32(r.size.ReorderDepth) {
		return wire.RefuseReasonRing
	}
	return wire.RefuseReasonNone
}

// outcome carries out what the class and the reason decide, and returns the flags of an ACK.
func (r *Receiver) outcome(update *event.RxDbgUpdate, d *frame.Data, reason wire.RefuseReason) wire.AckFlag {
	switch class := update.Class; {
	case class == event.SackClassClosed:
		r.Counters["unknown"]++
		return 0
	case class == event.SackClassDuplicate || class == event.SackClassOld:
		r.Counters["repeated"]++
		update.Outcome = event.RxOutcomeRepeated
		return wire.AckFlagDuplicateSeen
	case class == event.SackClassBeyond:
		r.Counters["beyond"]++
		update.Outcome = event.RxOutcomeBeyondWindow
		return wire.AckFlagOutOfWindow
	case reason != wire.RefuseReasonNone:
		r.Counters["refused"]++
		update.Outcome, update.Reason = event.RxOutcomeRefused, reason
		return wire.AckFlagRefused | wire.AckFlag(uint16(reason)<<8)
	}
	update.Outcome = event.RxOutcomePlaced
	r.place(d)
	return 0
}

// place places a packet and counts its bytes (spec: rx.join, rx.move).
func (r *Receiver) place(d *frame.Data) {
	r.Counters["placed"]++
	r.Place = append(r.Place, event.RxPlace{
		Connection: d.Base.Connection, Path: d.Base.Path, Psn: d.Base.Psn, Stream: d.Data.Stream, Opcode: d.Base.Opcode,
		Message: d.Data.Message, Offset: d.Data.Offset, Bytes: d.Data.PayloadLength, Address: d.Data.Address,
		Key: d.Data.Key, Immediate: d.Data.Immediate,
	})
	for _, beat := range frame.Beats(d.Payload) {
		r.Payload = append(r.Payload, event.RxPayload{Tdata: beat.Tdata, Tkeep: beat.Tkeep, Tlast: beat.Tlast})
	}
	req := event.RobReq{
		Op: event.RobOpPacket, Connection: d.Base.Connection, Stream: d.Data.Stream, Message: d.Data.Message,
		Length: d.Data.MessageLength, Bytes: d.Data.PayloadLength, Opcode: d.Base.Opcode, Immediate: d.Data.Immediate,
	}
	if req.Opcode == wire.OpcodeSend || req.Opcode == wire.OpcodeSendImm {
		req.Ordinal = d.Data.Key
	}
	var rsp event.RobRsp
	r.Cqe = r.rob.Apply(&req, &rsp, r.Cqe)
	switch rsp.Verdict {
	case event.RobVerdictStale, event.RobVerdictBeyond:
		r.Counters["rob_stale"]++
	case event.RobVerdictInconsistent:
		r.Counters["rob_inconsistent"]++
	}
}

// acknowledge answers a packet (spec: rx.ack).
func (r *Receiver) acknowledge(d *frame.Data, rsp *event.SackRsp, flags wire.AckFlag) {
	r.Counters["acks"]++
	c := r.connections[d.Base.Connection]
	ack := frame.Ack{
		Network: d.Network.Reply(),
		Base: wire.Base{
			Path: d.Base.Path, Epoch: d.Base.Epoch, Connection: c.PeerConnection, Psn: rsp.Cumulative, Stamp: d.Base.Stamp,
		},
		Ack: wire.Ack{
			Trigger: d.Base.Psn, SackOffset: profile.SackOffset, Flags: flags, Credit: c.Credit,
			Received: rsp.Received, CeMarked: rsp.CeMarked, Hint: c.Hint, HintSequence: c.HintSequence, Vector: rsp.Vector,
		},
	}
	ack.Complete()
	r.Ack = append(r.Ack, ack)
}
