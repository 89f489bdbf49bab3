package diff

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"

	"metaroce/golden/profile"
	"metaroce/golden/seq"
	"metaroce/golden/wire"
	"metaroce/verification/decode"
	"metaroce/verification/trace"
	"metaroce/verification/verdict"
)

// recentPackets bounds the DATA packets that an ACK is looked for among.
const recentPackets = 1 << 16

// survey reads a capture ahead of the comparison to learn which contexts it uses and where they start: the lowest PSN
// and message seen before the path's first ACK, and the peer connection, hint and credit of the connection's first ACK.
type survey struct {
	decoder *decode.Decoder
	config  profile.Config
	device  netip.Addr
	known   map[uint32]*surveyed // by connection
	recent  map[trigger]uint32   // connection of a DATA packet
	order   []trigger            // ring of the keys of recent
	next    int
	outside uint64 // packets of contexts that the configuration has no room for
}

type surveyed struct {
	setup   SetupConnection
	hasPeer bool
	acked   map[uint16]bool // by path: its first ACK has been seen
}

// trigger is what an ACK repeats of the packet that triggered it.
type trigger struct {
	path       uint16
	psn, stamp uint32
}

func surveyFile(in Source, c profile.Config, report *verdict.Report) (*Setup, error) {
	reader, err := openPackets(in)
	if err != nil {
		return nil, err
	}
	s := &survey{decoder: decode.NewDecoder(), config: c, known: map[uint32]*surveyed{}, recent: map[trigger]uint32{}}
	for {
		p, err := reader.Next()
		if err == io.EOF || trace.IsTruncated(err) { // a cut is reported by the pass that compares
			break
		}
		if err != nil {
			return nil, err
		}
		s.packet(p)
	}
	setup := s.result(report)
	if len(setup.Connections) == 0 {
		return nil, fmt.Errorf("no DATA packet of connections 0..%d with a right CRC is in the capture: nothing can be compared", c.Connections-1)
	}
	return setup, nil
}

func (s *survey) packet(p *trace.Packet) {
	if p.Interface.Link != trace.LinkEthernet {
		return
	}
	f := s.decoder.Decode(p.Data)
	e, ok := ends(f)
	if !ok || f.Meta == nil || !f.Meta.CrcOK() {
		return
	}
	switch f.Meta.Base.Type {
	case wire.PacketTypeData:
		if !s.device.IsValid() {
			s.device = e.destination
		}
		if e.destination == s.device {
			s.data(f.Meta)
		}
	case wire.PacketTypeAck:
		if e.source == s.device {
			s.ack(f.Meta)
		}
	}
}

func (s *survey) data(m *decode.MetaRoCE) {
	if int(m.Base.Connection) >= s.config.Connections || int(m.Base.Path) >= s.config.Paths || int(m.Data.Stream) >= s.config.Streams {
		s.outside++
		return
	}
	k, ok := s.known[m.Base.Connection]
	if !ok {
		k = &surveyed{setup: SetupConnection{Connection: m.Base.Connection}, acked: map[uint16]bool{}}
		s.known[m.Base.Connection] = k
	}
	k.path(m.Base.Path, m.Base.Psn)
	k.stream(m.Data.Stream, m.Data.Message, k.acked[m.Base.Path])
	s.remember(trigger{m.Base.Path, m.Base.Psn, m.Base.Stamp}, m.Base.Connection)
}

func (k *surveyed) path(path uint16, psn uint32) {
	i := slices.IndexFunc(k.setup.Paths, func(p SetupPath) bool { return p.Path == path })
	switch {
	case i < 0:
		k.setup.Paths = append(k.setup.Paths, SetupPath{Path: path, PSN: psn})
	case !k.acked[path] && seq.Before32(psn, k.setup.Paths[i].PSN):
		k.setup.Paths[i].PSN = psn
	}
}

func (k *surveyed) stream(stream uint16, message uint32, acked bool) {
	i := slices.IndexFunc(k.setup.Streams, func(p SetupStream) bool { return p.Stream == stream })
	switch {
	case i < 0:
		k.setup.Streams = append(k.setup.Streams, SetupStream{Stream: stream, Message: message})
	case !acked && seq.Before32(message, k.setup.Streams[i].Message):
		k.setup.Streams[i].Message = message
	}
}

func (s *survey) remember(t trigger, connection uint32) {
	if len(s.order) < recentPackets {
		s.order = append(s.order, t)
	} else {
		delete(s.recent, s.order[s.next])
		s.order[s.next] = t
		s.next = (s.next + 1) % recentPackets
	}
	s.recent[t] = connection
}

func (s *survey) ack(m *decode.MetaRoCE) {
	connection, ok := s.recent[trigger{m.Base.Path, m.Ack.Trigger, m.Base.Stamp}]
	if !ok {
		return
	}
	k := s.known[connection]
	if !k.acked[m.Base.Path] {
		k.path(m.Base.Path, m.Base.Psn)
		k.acked[m.Base.Path] = true
	}
	if !k.hasPeer {
		k.hasPeer = true
		k.setup.Peer, k.setup.Hint, k.setup.HintSequence, k.setup.Credit = m.Base.Connection, m.Ack.Hint, m.Ack.HintSequence, m.Ack.Credit
	}
}

// result is the setup, in the order of the identifiers, and says in the report what was adopted.
func (s *survey) result(report *verdict.Report) *Setup {
	setup := &Setup{Device: s.device.String()}
	for _, k := range s.known {
		slices.SortFunc(k.setup.Paths, func(a, b SetupPath) int { return int(a.Path) - int(b.Path) })
		slices.SortFunc(k.setup.Streams, func(a, b SetupStream) int { return int(a.Stream) - int(b.Stream) })
		setup.Connections = append(setup.Connections, k.setup)
	}
	slices.SortFunc(setup.Connections, func(a, b SetupConnection) int { return int(a.Connection) - int(b.Connection) })
	for i := range setup.Connections {
		note(report, "adopted from its first packets: %s", setup.Connections[i].text())
	}
	if s.outside > 0 {
		note(report, "%d packets are of contexts that configuration %s has no room for", s.outside, s.config.Name)
	}
	return setup
}

func (n *SetupConnection) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "connection %d (peer 0x%x, hint 0x%x, hint sequence 0x%x, credit 0x%x)", n.Connection, n.Peer, n.Hint, n.HintSequence, n.Credit)
	for _, p := range n.Paths {
		fmt.Fprintf(&b, ", path %d from PSN 0x%x", p.Path, p.PSN)
	}
	for _, p := range n.Streams {
		fmt.Fprintf(&b, ", stream %d from message 0x%x", p.Stream, p.Message)
	}
	return b.String()
}
