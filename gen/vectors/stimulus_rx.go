package vectors

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// The receive engine's input ports.
const (
	rxAxis = 0
	rxCfg  = 1
)

// rxStream follows the messages of one connection: all go over its first two paths, on its first stream.
type rxStream struct {
	psn     [2]uint32
	message uint32
}

// rxStimulus opens two connections and sends frames of all address kinds and many lengths, in and out of order, and of
// each kind that is dropped or refused.
func rxStimulus() []engine.Stimulus {
	l := newList(4)
	streams := [2]rxStream{{psn: [2]uint32{1<<32 - 4, 100}, message: 1<<32 - 3}, {psn: [2]uint32{0, 1<<31 - 2}}}
	for c := range streams {
		l.rxOpen(uint32(c), &streams[c])
	}
	l.add(rxCfg, event.RxCfg{Op: event.RxOpOpenPath, Connection: uint32(configuration.Connections)}) // ignored
	l.cycle[rxAxis] = 100
	for i, payload := range []int{0, 1, 9, 10, 11, 12, 63, 64, 65, 128, 200, 1000, 4096} {
		l.rxPlaced(&streams[i%2], uint32(i%2), i, payload)
	}
	for i := range 40 {
		l.rxPlaced(&streams[i%2], uint32(i%2), i, l.IntN(300))
		if l.chance(100) {
			l.rxStrange(&streams[i%2], uint32(i%2), i)
		}
	}
	for kind := range rxStrangeKinds {
		l.rxStrange(&streams[0], 0, kind)
	}
	l.rxInconsistent(&streams[0])
	l.cycle[rxCfg] = l.cycle[rxAxis] + 200
	l.add(rxCfg, event.RxCfg{Op: event.RxOpSetHint, Connection: 0, Hint: 0x1234, HintSequence: 9, Credit: 77})
	l.cycle[rxAxis] += 400
	l.rxPlaced(&streams[0], 0, 0, 100)
	return l.beats
}

func (l *list) rxOpen(connection uint32, s *rxStream) {
	l.add(rxCfg, event.RxCfg{
		Op: event.RxOpOpenConnection, Connection: connection, PeerConnection: 0xabc000 + connection, Hint: 0x2fff,
		HintSequence: 5, Credit: 16,
	})
	for p := range s.psn {
		l.add(rxCfg, event.RxCfg{Op: event.RxOpOpenPath, Connection: connection, Path: uint16(p), Sequence: s.psn[p]})
	}
	l.add(rxCfg, event.RxCfg{Op: event.RxOpOpenStream, Connection: connection, Sequence: s.message})
}

// rxData is a DATA frame of one message, whose address kind follows from a number.
func (l *list) rxData(connection uint32, kind, payload int) frame.Data {
	d := frame.Data{Payload: make([]byte, payload)}
	for i := range d.Payload {
		d.Payload[i] = byte(l.Uint32())
	}
	d.HasVlan, d.HasIpv6 = kind&1 != 0, kind&2 != 0
	d.Ethernet.Destination, d.Ethernet.Source, d.Vlan.TagControl = 0x02_00_00_00_00_01, 0x02_00_00_00_00_02, 0x6005
	d.Ipv4.Source, d.Ipv4.Destination, d.Ipv4.Ttl, d.Ipv4.Ecn = 0x0a000002, 0x0a000001, 64, 2
	d.Ipv6.Source, d.Ipv6.Destination = [16]byte{0xfd, 15: 2}, [16]byte{0xfd, 15: 1}
	d.Ipv6.HopLimit, d.Ipv6.Ecn = 64, 2
	if l.chance(40) {
		d.Ipv4.Ecn, d.Ipv6.Ecn = 3, 3
	}
	d.Udp.SourcePort = uint16(0xc000 + kind)
	d.Base.Connection, d.Base.Epoch, d.Base.Stamp = connection, 3, l.Uint32()
	d.Base.Opcode = wire.Opcode(1 + kind%4)
	d.Data.MessageLength = uint32(payload)
	d.Data.Address, d.Data.Key, d.Data.Immediate = l.Uint64(), l.Uint32(), l.Uint32()
	return d
}

// rxPlaced sends a message of one packet that is to be placed; every fifth time the next one overtakes it.
func (l *list) rxPlaced(s *rxStream, connection uint32, kind, payload int) {
	path := kind / 2 % 2
	first := l.rxNext(s, connection, path, kind, payload)
	if kind%5 == 4 {
		l.rxSend(l.rxNext(s, connection, path, kind+1, 40), true)
	}
	l.rxSend(first, true)
}

// rxInconsistent sends a message of two packets with a packet between them that gives it another length.
func (l *list) rxInconsistent(s *rxStream) {
	for i := range uint32(3) {
		d := l.rxData(0, 0, 30)
		d.Base.Psn, d.Data.Message = s.psn[0], s.message
		d.Data.MessageLength, d.Data.Offset = 60+i&1, 15*i
		s.psn[0]++
		l.rxSend(d, true)
	}
	s.message++
}

// rxNext is the next packet of a path, with the next message.
func (l *list) rxNext(s *rxStream, connection uint32, path, kind, payload int) frame.Data {
	d := l.rxData(connection, kind, payload)
	d.Base.Path, d.Base.Psn, d.Data.Message = uint16(path), s.psn[path], s.message
	if l.chance(60) {
		d.Base.Flags |= wire.BaseFlagAckRequest
	}
	s.psn[path]++
	s.message++
	return d
}

// rxSend cuts a frame into beats; complete sets the fields that follow from others first.
func (l *list) rxSend(d frame.Data, complete bool) {
	if complete {
		d.Complete()
	}
	l.rxBeats(frame.Beats(d.Append(nil)))
}

func (l *list) rxBeats(beats []event.RxAxisIn) {
	for i := range beats {
		l.add(rxAxis, beats[i])
	}
	if l.chance(100) {
		l.pause(rxAxis, l.IntN(60))
	}
}

// rxSpoil makes a frame that was right wrong in one way each, in the order of the counters of rule rx.check; the last ones
// are right but not placed.
var rxSpoil = []func(*frame.Data){
	func(d *frame.Data) { d.Ethernet.Ethertype = 0x88f7 },
	func(d *frame.Data) { d.Udp.DestinationPort = 4791 },
	func(d *frame.Data) { d.Ipv4.Protocol = 6 },
	func(d *frame.Data) { d.Udp.Length++ },
	func(d *frame.Data) { d.Ipv4.TotalLength++ },
	func(d *frame.Data) { d.Ipv4.Checksum ^= 0x0100 },
	func(d *frame.Data) { d.CrcError = 1 << 31 },
	func(d *frame.Data) { d.Base.Version = 2 },
	func(d *frame.Data) { d.Base.Type = wire.PacketTypeProbe },
	func(d *frame.Data) { d.Base.Opcode = wire.OpcodeNop },
	func(d *frame.Data) { d.Data.PayloadLength++ },
	func(d *frame.Data) { d.Data.Offset = 1 },
	func(d *frame.Data) { d.Base.Psn += 2 * profile.WindowPackets },                  // beyond the window
	func(d *frame.Data) { d.Base.Psn -= 2 },                                          // repeated
	func(d *frame.Data) { d.Data.Message += uint32(2 * configuration.ReorderDepth) }, // refused: ring
	func(d *frame.Data) { d.Data.Stream = 1 },                                        // refused: stream not open
	func(d *frame.Data) { d.Base.Connection = 3 },                                    // unknown
	func(d *frame.Data) { d.Base.Path = uint16(configuration.Paths) },                // unknown
	func(d *frame.Data) { d.Base.Path = uint16(configuration.Paths - 1) },            // not open
	func(d *frame.Data) { d.Data.Message -= 5 },                                      // placed, but the message is stale
}

// rxStrangeKinds is the number of kinds that rxStrange has: the spoilt ones, a bad frame, and one that is too long.
var rxStrangeKinds = len(rxSpoil) + 2

// rxStrange sends one frame that is not placed, or placed in vain. It does not move the stream on.
func (l *list) rxStrange(s *rxStream, connection uint32, kind int) {
	kind %= rxStrangeKinds
	d := l.rxData(connection, 0, 20+kind)
	d.Base.Psn, d.Data.Message = s.psn[0], s.message
	d.Complete()
	if kind < len(rxSpoil) {
		rxSpoil[kind](&d)
		if kind >= 2 && kind != 4 && kind != 5 {
			d.Ipv4.Checksum = frame.Ipv4Checksum(d.Ipv4)
		}
		l.rxSend(d, false)
		if kind == len(rxSpoil)-1 {
			s.psn[0]++ // it was placed
		}
		return
	}
	beats := frame.Beats(d.Append(nil))
	if kind == len(rxSpoil) {
		beats[len(beats)-1].Tuser = true
	} else {
		long := make([]byte, (profile.RxMaxFrameBeats+1)*frame.BeatBytes)
		copy(long, d.Append(nil))
		beats = frame.Beats(long)
	}
	l.rxBeats(beats)
}
