package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"metaroce/cocotb-bridge/protocol"
)

// BareResult is what the bare bench measured: the same device, sources and sinks, but no socket and no records.
type BareResult struct {
	Cycles  uint64  `json:"cycles"`
	Records uint64  `json:"records"` // handshakes and events counted
	Seconds float64 `json:"seconds"` // evaluating the cycles, reset and reading the file left out
	Pending uint32  `json:"pending"`
	Waiting uint32  `json:"waiting"`

	CPU time.Duration `json:"-"` // processor time of the whole process, comparable with Stats.CPU
}

// KHz is the clock rate that was simulated.
func (r BareResult) KHz() float64 {
	if r.Seconds <= 0 {
		return 0
	}
	return float64(r.Cycles) / r.Seconds / 1000
}

// WriteBare writes a job as the file that the harness's bare bench reads: SETUP and STIMULUS frames as they would go
// over the socket.
func WriteBare(path string, job Job) error {
	b := protocol.AppendSetup(nil, &job.Setup)
	rest := newFeed(&job).rest
	for len(rest) > 0 {
		n := min(len(rest), stimulusFrame/(9+protocol.MaxBeat))
		b = protocol.AppendStimulus(b, rest[:n])
		rest = rest[n:]
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		return fmt.Errorf("bare bench: %w", err)
	}
	return nil
}

// Bare runs the job in the harness's bare bench.
func Bare(ctx context.Context, binary, dir string, job Job) (BareResult, error) {
	var r BareResult
	f, err := os.CreateTemp("", "metaroce-bare-*")
	if err != nil {
		return r, fmt.Errorf("bare bench: %w", err)
	}
	f.Close()
	defer os.Remove(f.Name())
	if err := WriteBare(f.Name(), job); err != nil {
		return r, err
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return r, fmt.Errorf("bare bench: %w", err)
	}
	cmd := exec.CommandContext(ctx, binary, "--bare", f.Name())
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var last strings.Builder
	cmd.Stderr = &last
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("bare bench: %w: %s", err, strings.TrimSpace(last.String()))
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, fmt.Errorf("bare bench: %w in %q", err, out)
	}
	r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return r, nil
}
