package peer

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
)

// process is a harness that this side has started. It gets a process group of its own, so that Ctrl-C reaches it through
// this side only, and so that nothing it starts outlives it.
type process struct {
	cmd   *exec.Cmd
	tail  *tail
	done  chan struct{} // closed when it has been waited for
	grace time.Duration
}

func startProcess(binary, dir string, args []string, grace time.Duration, log hclog.Logger) (*process, error) {
	binary, err := filepath.Abs(binary) // not looked up on PATH, nor in dir
	if err != nil {
		return nil, fmt.Errorf("harness: %w", err)
	}
	p := &process{cmd: exec.Command(binary, args...), tail: &tail{}, done: make(chan struct{}), grace: grace}
	p.cmd.Dir = dir
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Stderr = p.tail
	p.cmd.Stdout = log.StandardWriter(&hclog.StandardLoggerOptions{ForceLevel: hclog.Debug}) // $display
	p.cmd.WaitDelay = grace                                                                  // for pipes that a grandchild keeps open
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("harness: %w", err)
	}
	log.Debug("harness started", "pid", p.cmd.Process.Pid, "binary", binary)
	go func() {
		p.cmd.Wait() // the state is read from ProcessState
		close(p.done)
	}()
	return p, nil
}

// within waits for the end of the process for a while and tells whether it came.
func (p *process) within(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.done:
		return true
	case <-t.C:
		return false
	}
}

// stop ends the process, whose connection has been closed: it is given time to leave by itself, then asked, then killed.
func (p *process) stop() {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if p.within(p.grace) {
			return
		}
		syscall.Kill(-p.cmd.Process.Pid, signal)
	}
	<-p.done
}

// status is how the process ended; empty while it runs.
func (p *process) status() string {
	select {
	case <-p.done:
		return p.cmd.ProcessState.String()
	default:
		return ""
	}
}

// cpu is the processor time that the ended process has used.
func (p *process) cpu() time.Duration {
	var state *os.ProcessState
	select {
	case <-p.done:
		state = p.cmd.ProcessState
	default:
		return 0
	}
	return state.UserTime() + state.SystemTime()
}

// tail keeps the end of what is written to it.
type tail struct {
	mutex sync.Mutex
	b     []byte
}

const tailBytes = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.b = append(t.b, p...)
	if over := len(t.b) - tailBytes; over > 0 {
		t.b = t.b[over:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(bytes.ToValidUTF8(t.b, []byte("?")))
}
