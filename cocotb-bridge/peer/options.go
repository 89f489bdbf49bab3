// Package peer is the driver's end of the bridge: it starts a harness, agrees with it, streams stimulus and windows of
// cycles to it and hands back what it records. The harness works in its own process, so that it runs ahead while the
// caller judges the window before.
package peer

import (
	"fmt"
	"time"

	"github.com/hashicorp/go-hclog"

	"metaroce/cocotb-bridge/protocol"
)

// Options say which harness is started and how long it may be silent.
type Options struct {
	Binary string        // the harness; empty: wait for somebody else to start one
	Dir    string        // its working directory: where the .mem files are
	Unit   protocol.Unit // what it must be
	Socket string        // path of the Unix socket; empty: one in a fresh private folder
	TCP    string        // listen on this loopback address instead, as in 127.0.0.1:0
	Log    hclog.Logger  // nil: no log

	Handshake time.Duration // from its start to its HELLO; 0: 20 s
	Silence   time.Duration // between two frames while an answer is due; 0: 60 s
	Grace     time.Duration // from the closed connection to SIGTERM, and from there to SIGKILL; 0: 2 s
}

func (o *Options) complete() error {
	if err := o.Unit.Check(); err != nil {
		return err
	}
	if o.Socket != "" && o.TCP != "" {
		return fmt.Errorf("both a Unix socket (%s) and a TCP address (%s) are asked for", o.Socket, o.TCP)
	}
	if o.Log == nil {
		o.Log = hclog.NewNullLogger()
	}
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{{&o.Handshake, 20 * time.Second}, {&o.Silence, 60 * time.Second}, {&o.Grace, 2 * time.Second}} {
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
	return nil
}
