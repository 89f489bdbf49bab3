package cosim

import (
	"context"
	"time"

	"metaroce/golden/engine"
)

// Device is the side under test. A Device runs once.
type Device interface {
	// Run runs the whole simulation. It hands the records over in order, a window of cycles at a time: all those before
	// cycle reached. An error of deliver ends the run and is returned as it is.
	Run(ctx context.Context, deliver func(records []engine.Record, reached uint64) error) (Ending, error)
	// Close ends whatever the device runs on, also in mid-run. It may be called more than once.
	Close() error
}

// Ending is how a device's run ended.
type Ending struct {
	Hang     bool
	Limit    bool // the last cycle that the run may have was reached
	Cycle    uint64
	Counters []uint32
	RunNS    uint64        // time the device took to run its cycles
	BridgeNS uint64        // time the device took to hand its records over
	Detail   string        // of a hang: the ports that wait
	Wall     time.Duration // of the run, without starting the device; 0: not known
}

// Waves asks a device for a dump of the cycles From..To-1.
type Waves struct {
	File     string
	From, To uint64
}

// Opener makes a device for a run. The dump is written if its file is not empty.
type Opener func(ctx context.Context, run *engine.Run, waves Waves) (Device, error)
