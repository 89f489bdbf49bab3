package diff

import (
	"errors"
	"fmt"
	"io"
	"net/netip"

	"github.com/goccy/go-yaml"

	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Setup says which contexts are open before a capture starts, for captures that do not hold their configuration.
type Setup struct {
	Device      string            `yaml:"device"` // IP address of the device that is judged; empty: where the first DATA packet goes
	Connections []SetupConnection `yaml:"connections"`
}

// SetupConnection opens one connection with its paths and streams.
type SetupConnection struct {
	Connection   uint32        `yaml:"connection"`
	Peer         uint32        `yaml:"peer"` // connection that its ACKs carry
	Hint         uint16        `yaml:"hint"`
	HintSequence uint16        `yaml:"hint_sequence"`
	Credit       uint16        `yaml:"credit"`
	Paths        []SetupPath   `yaml:"paths"`
	Streams      []SetupStream `yaml:"streams"`
}

// SetupPath opens a path: PSN is the first one expected.
type SetupPath struct {
	Path uint16 `yaml:"path"`
	PSN  uint32 `yaml:"psn"`
}

// SetupStream opens a stream: Message is the first one expected.
type SetupStream struct {
	Stream  uint16 `yaml:"stream"`
	Message uint32 `yaml:"message"`
}

// ReadSetup reads a setup; unknown and duplicate keys are errors with their place.
func ReadSetup(r io.Reader) (*Setup, error) {
	s := &Setup{}
	if err := yaml.NewDecoder(r, yaml.Strict()).Decode(s); err != nil && err != io.EOF { // EOF: an empty file, which opens nothing
		return nil, atPlace(err)
	}
	if len(s.Connections) == 0 {
		return nil, fmt.Errorf("setup: no connections: nothing would be open")
	}
	if s.Device != "" {
		if _, err := netip.ParseAddr(s.Device); err != nil {
			return nil, fmt.Errorf("setup: device: %w", err)
		}
	}
	return s, nil
}

// atPlace gives a fault of the text its place, in one line.
func atPlace(err error) error {
	var fault yaml.Error
	if !errors.As(err, &fault) || fault.GetToken() == nil {
		return err
	}
	at := fault.GetToken().Position
	return fmt.Errorf("line %d, column %d: %s", at.Line, at.Column, fault.GetMessage())
}

// beats are the configuration beats that a setup stands for; contexts that the configuration has no room for are an
// error.
func (s *Setup) beats(c profile.Config) ([][]byte, error) {
	var beats [][]byte
	for i := range s.Connections {
		n := &s.Connections[i]
		if int64(n.Connection) >= int64(c.Connections) {
			return nil, fmt.Errorf("setup: connection %d: configuration %s has %d", n.Connection, c.Name, c.Connections)
		}
		beats = append(beats, event.RxCfg{
			Op: event.RxOpOpenConnection, Connection: n.Connection, PeerConnection: n.Peer, Hint: n.Hint,
			HintSequence: n.HintSequence, Credit: n.Credit,
		}.Append(nil))
		more, err := n.contexts(c)
		if err != nil {
			return nil, err
		}
		beats = append(beats, more...)
	}
	return beats, nil
}

func (n *SetupConnection) contexts(c profile.Config) (beats [][]byte, err error) {
	for _, p := range n.Paths {
		if int(p.Path) >= c.Paths {
			return nil, fmt.Errorf("setup: connection %d path %d: configuration %s has %d paths", n.Connection, p.Path, c.Name, c.Paths)
		}
		beats = append(beats, event.RxCfg{Op: event.RxOpOpenPath, Connection: n.Connection, Path: p.Path, Sequence: p.PSN}.Append(nil))
	}
	for _, s := range n.Streams {
		if int(s.Stream) >= c.Streams {
			return nil, fmt.Errorf("setup: connection %d stream %d: configuration %s has %d streams", n.Connection, s.Stream, c.Name, c.Streams)
		}
		beats = append(beats, event.RxCfg{Op: event.RxOpOpenStream, Connection: n.Connection, Stream: s.Stream, Sequence: s.Message}.Append(nil))
	}
	return beats, nil
}
