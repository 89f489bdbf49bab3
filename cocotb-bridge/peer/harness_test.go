package peer

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/builder"
	"metaroce/cocotb-bridge/internal/fixture"
	"metaroce/cocotb-bridge/protocol"
)

func TestHangsNameTheirSide(t *testing.T) {
	o := options(t, nil)
	j := job(5, 1, protocol.Pattern{})
	j.Stimulus[0].Beat = fixture.Beat(fixture.Stick, false)
	result, got := collect(t, o, j)
	require.True(t, result.End.Hang())
	require.EqualValues(t, 1<<fixture.PortIn, result.End.Pending, "two of five beats fit")
	require.Zero(t, result.End.Waiting)
	require.Len(t, got, 4)
	require.Equal(t, []uint32{2, 0}, result.Counters)

	j.Stimulus[0].Beat = fixture.Beat(fixture.Deafen, false)
	result, got = collect(t, o, j)
	require.EqualValues(t, 1<<fixture.PortIn, result.End.Pending)
	require.Len(t, got, 3)
	require.Equal(t, []uint32{1, 1}, result.Counters)

	j = job(1, 1, protocol.Pattern{Kind: protocol.After, A: 1 << 60})
	result, _ = collect(t, o, j)
	require.Zero(t, result.End.Pending)
	require.EqualValues(t, 1<<fixture.PortOut, result.End.Waiting)
}

func TestLimitEndsTheRun(t *testing.T) {
	j := job(100, 10, protocol.Pattern{})
	j.Setup.MaxCycles, j.Window = 77, 16
	result, got := collect(t, options(t, nil), j)
	require.Equal(t, protocol.Limit, result.End.Cause)
	require.EqualValues(t, 77, result.End.Cycle)
	require.True(t, result.End.Hang())
	want, end := reference(j)
	require.EqualValues(t, 77, end)
	require.Equal(t, want, got)
}

// One beat in a long pause: the run must not end before it, whatever the windows are, and the harness says that it lives.
func TestLongWindowsShowProgress(t *testing.T) {
	o := options(t, nil)
	j := job(2, 300_000, protocol.Pattern{})
	j.Window, j.Ahead = 1_000_000, 1
	s, err := Start(context.Background(), o, j.Setup)
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Send(j.Stimulus))
	require.NoError(t, s.Advance(j.Window, true))
	windows := 0
	for {
		w, err := s.Next()
		require.NoError(t, err)
		if windows++; w.End != nil {
			require.Greater(t, w.End.Cycle, uint64(300_000))
			break
		}
	}
	require.Equal(t, 2, windows, "progress without records is not handed over")
	_, err = s.Next()
	require.Equal(t, io.EOF, err)
}

func TestDeviceOfAnotherSpecOrTableIsRefused(t *testing.T) {
	setup := job(0, 1, protocol.Pattern{}).Setup
	var hash *protocol.HashError
	_, err := Start(context.Background(), options(t, func(o *builder.Options) {
		o.Parameters = []builder.Parameter{{Name: "SPEC_HASH", Value: "64'h55"}}
	}), setup)
	require.ErrorAs(t, err, &hash)
	require.Equal(t, "spec", hash.Name)
	require.EqualValues(t, 0x55, hash.Peer)

	o := options(t, nil)
	o.Unit.Tables[0].Hash = 0x66
	_, err = Start(context.Background(), o, setup)
	require.ErrorAs(t, err, &hash)
	require.Equal(t, "table squares", hash.Name)
	require.Equal(t, uint64(0xfedcba9876543210), hash.Peer)
	o = options(t, nil)
	o.Unit.Config = "large"
	_, err = Start(context.Background(), o, setup)
	require.ErrorContains(t, err, "this side has large, the peer small")
	o = options(t, nil)
	o.Unit.ClockPeriodPS = 3106
	_, err = Start(context.Background(), o, setup)
	require.ErrorContains(t, err, "3106 ps, the peer 4000 ps")
}

// What came before $finish is kept.
func TestDeviceThatStopsTheSimulation(t *testing.T) {
	var kept []protocol.Record
	j := job(100, 0, protocol.Pattern{})
	j.Window = 4
	j.Stimulus[8].Beat = fixture.Beat(fixture.Finish, true)
	_, err := Run(context.Background(), options(t, nil), j, func(w Window) error {
		kept = appendCopies(kept, w.Records)
		return nil
	})
	var remote *protocol.RemoteError
	require.ErrorAs(t, err, &remote)
	require.Regexp(t, `\$finish.*in cycle 12`, remote.Text)
	want, _ := reference(j)
	require.NotEmpty(t, kept)
	require.Equal(t, want[:len(kept)], kept)
}

// A register without reset starts from the run's seed: other seeds, other values; the same seed, the same run.
func TestInitialValues(t *testing.T) {
	o := options(t, nil)
	j := job(1, 1, protocol.Pattern{})
	j.Setup.Initial = protocol.InitialRandom
	unset := func(records []protocol.Record) byte { // of the event that is the second or third record
		for _, r := range records {
			if r.Port == fixture.PortSeen {
				return r.Beat[14]
			}
		}
		return 0xff
	}
	values := map[byte]uint64{}
	for seed := range uint64(8) {
		j.Setup.InitialSeed = seed
		_, first := collect(t, o, j)
		_, second := collect(t, o, j)
		require.Equal(t, first, second)
		values[unset(first)] = seed
	}
	require.Greater(t, len(values), 3)
	j.Setup.Initial = protocol.InitialZero
	_, zero := collect(t, o, j)
	require.Zero(t, unset(zero))
}

func TestTCP(t *testing.T) {
	o := options(t, nil)
	o.TCP = "127.0.0.1:0"
	j := job(50, 1, protocol.Pattern{})
	want, _ := reference(j)
	_, got := collect(t, o, j)
	require.Equal(t, want, got)
}

func TestBareRunsTheSameCycles(t *testing.T) {
	o := options(t, nil)
	j := job(500, 2, protocol.Pattern{Kind: protocol.StallLast, A: 3})
	want, end := reference(j)
	bare, err := Bare(context.Background(), o.Binary, o.Dir, j)
	require.NoError(t, err)
	require.Equal(t, end, bare.Cycles)
	require.EqualValues(t, len(want), bare.Records)
	require.Positive(t, bare.KHz())
	bad := filepath.Join(t.TempDir(), "bad")
	require.NoError(t, WriteBare(bad, j))
	b, err := os.ReadFile(bad)
	require.NoError(t, err)
	for _, n := range []int{0, 3, 50, len(b) - 1} {
		require.NoError(t, os.WriteFile(bad, b[:n], 0o644))
		out, err := exec.Command(o.Binary, "--bare", bad).CombinedOutput()
		require.Error(t, err, "%d bytes", n)
		require.NotEmpty(t, out)
	}
}

// pids of processes whose program is path.
func pids(t *testing.T, path string) (list []int) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	require.NoError(t, err)
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == path {
			pid, err := strconv.Atoi(strings.Split(link, "/")[2])
			require.NoError(t, err)
			list = append(list, pid)
		}
	}
	return list
}

// private copies the program, so that its processes can be told from those of other tests.
func private(t *testing.T, o Options) Options {
	t.Helper()
	b, err := os.ReadFile(o.Binary)
	require.NoError(t, err)
	o.Binary = filepath.Join(t.TempDir(), "harness")
	require.NoError(t, os.WriteFile(o.Binary, b, 0o755))
	return o
}

// endless is a run of a few hours.
func endless() Job {
	j := job(1, 1, protocol.Pattern{})
	j.Setup.MaxCycles = 1 << 60
	j.Stimulus = append(j.Stimulus, protocol.Stimulus{Port: 0, Cycle: 1 << 59, Beat: fixture.Beat(0, true)})
	j.Window, j.Ahead = 1<<58, 1
	return j
}

func running(t *testing.T, o Options) *Session {
	t.Helper()
	j := endless()
	s, err := Start(context.Background(), o, j.Setup)
	require.NoError(t, err)
	require.NoError(t, s.Send(j.Stimulus))
	require.NoError(t, s.Advance(j.Window, true))
	w, err := s.Next() // the first beat's records come with the first sign of life
	require.NoError(t, err)
	require.NotEmpty(t, w.Records)
	return s
}

func TestKilledHarnessIsReported(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV} {
		s := running(t, private(t, options(t, nil)))
		require.NoError(t, syscall.Kill(s.process.cmd.Process.Pid, signal))
		_, err := s.Next()
		var died *DiedError
		require.ErrorAs(t, err, &died)
		require.Contains(t, died.Status, signal.String())
		s.Close()
	}
}

func TestStoppedHarnessTimesOutAndIsKilled(t *testing.T) {
	o := private(t, options(t, nil))
	o.Silence, o.Grace = 200*time.Millisecond, 20*time.Millisecond
	s := running(t, o)
	require.NoError(t, syscall.Kill(s.process.cmd.Process.Pid, syscall.SIGSTOP))
	_, err := s.Next()
	var timeout *TimeoutError
	require.ErrorAs(t, err, &timeout)
	require.Equal(t, "harness", timeout.Side)
	s.Close()
	require.Contains(t, s.process.status(), "killed")
	require.Empty(t, pids(t, o.Binary))
}

// In the middle of a window that would take hours, closing the session ends the harness by itself, without a signal.
func TestCloseEndsTheHarness(t *testing.T) {
	o := private(t, options(t, nil))
	o.Grace = 20 * time.Second
	s := running(t, o)
	require.Len(t, pids(t, o.Binary), 1)
	s.Close()
	require.Equal(t, "exit status 0", s.process.status())
	require.Empty(t, pids(t, o.Binary))
}

func TestInterruptEndsTheHarness(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		s := running(t, private(t, options(t, nil)))
		require.NoError(t, syscall.Kill(s.process.cmd.Process.Pid, signal))
		_, err := s.Next()
		var died *DiedError
		require.ErrorAs(t, err, &died)
		require.Equal(t, fmt.Sprintf("exit status %d", 128+int(signal)), died.Status)
		s.Close()
	}
}

func TestCancelInTheMiddleOfARun(t *testing.T) {
	o := private(t, options(t, nil))
	ctx, cancel := context.WithCancel(context.Background())
	result, err := Run(ctx, o, endless(), func(Window) error {
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, result.End)
	require.EqualValues(t, 3, result.Records)
	require.Empty(t, pids(t, o.Binary))
}

func TestErrorOfTheCallerEndsTheRun(t *testing.T) {
	o := private(t, options(t, nil))
	result, err := Run(context.Background(), o, endless(), func(Window) error { return os.ErrProcessDone })
	require.ErrorIs(t, err, os.ErrProcessDone)
	require.Positive(t, result.Reached)
	require.Empty(t, pids(t, o.Binary))
}

// driverEnv makes the test program a driver that is killed in mid-run.
const driverEnv = "METAROCE_TEST_DRIVER"

func TestMain(m *testing.M) {
	if binary := os.Getenv(driverEnv); binary != "" {
		j := endless()
		_, err := Run(context.Background(), Options{Binary: binary, Unit: fixture.Unit()}, j, func(Window) error {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
		panic(err)
	}
	os.Exit(m.Run())
}

// A driver that is killed takes its harness with it, although nobody is left to kill it.
func TestHarnessOutlivesNoDriver(t *testing.T) {
	o := private(t, options(t, nil))
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), driverEnv+"="+o.Binary)
	require.Error(t, cmd.Run())
	require.True(t, cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled())
	require.Eventually(t, func() bool { return len(pids(t, o.Binary)) == 0 }, 10*time.Second, 10*time.Millisecond)
}

func TestProgramsThatAreNoHarness(t *testing.T) {
	setup := job(0, 1, protocol.Pattern{}).Setup
	dir := t.TempDir()
	script := func(text string) Options {
		path := filepath.Join(dir, "program")
		os.Remove(path)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
		return Options{Binary: path, Unit: fixture.Unit(), Grace: 20 * time.Millisecond, Handshake: 300 * time.Millisecond}
	}
	_, err := Start(context.Background(), Options{Binary: filepath.Join(dir, "none"), Unit: fixture.Unit()}, setup)
	require.ErrorIs(t, err, os.ErrNotExist)

	_, err = Start(context.Background(), script("echo no licence >&2; exit 3"), setup)
	var died *DiedError
	require.ErrorAs(t, err, &died)
	require.Equal(t, "exit status 3", died.Status)
	require.Contains(t, died.Error(), "no licence")

	_, err = Start(context.Background(), script("trap '' TERM; sleep 100 & wait; sleep 100"), setup)
	var timeout *TimeoutError
	require.ErrorAs(t, err, &timeout)
	require.Equal(t, "before it connected", timeout.When)
}

// drive starts a harness by hand, sends it bytes, and returns its exit code and what it sent.
func drive(t *testing.T, o Options, bytes []byte) (int, []byte, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	cmd := exec.Command(o.Binary, "--socket", path)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	conn, err := l.Accept()
	require.NoError(t, err)
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	conn.Write(bytes)
	conn.(*net.UnixConn).CloseWrite()
	sent, err := io.ReadAll(conn)
	require.NoError(t, err, "the harness hangs")
	conn.Close()
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), sent, stderr.String()
}

// conversation is what a driver sends in a short run.
func conversation() []byte {
	j := job(3, 1, protocol.Pattern{})
	h := protocol.Hello{Version: protocol.Version, Side: protocol.Driver, LayoutHash: fixture.Unit().SpecHash, Unit: fixture.Unit()}
	b := protocol.AppendHello(nil, &h)
	b = protocol.AppendSetup(b, &j.Setup)
	b = protocol.AppendStimulus(b, j.Stimulus)
	b = protocol.AppendAdvance(b, protocol.Advance{Until: 20, Final: true})
	return protocol.AppendAdvance(b, protocol.Advance{Until: 1000, Final: true})
}

// The driver may die at any byte: the harness leaves, in silence.
func TestDriverDiesAtEveryByte(t *testing.T) {
	o := options(t, nil)
	whole := conversation()
	for n := 0; n <= len(whole); n += 3 {
		code, _, stderr := drive(t, o, whole[:n])
		require.Zero(t, code, "after byte %d: %s", n, stderr)
		require.Empty(t, stderr)
	}
}

// The harness refuses what it cannot carry out, and tells the driver and stderr why.
func TestHarnessRefusesNonsense(t *testing.T) {
	o := options(t, nil)
	u := fixture.Unit()
	hello := func(change func(*protocol.Hello)) []byte {
		h := protocol.Hello{Version: protocol.Version, Side: protocol.Driver, LayoutHash: u.SpecHash, Unit: fixture.Unit()}
		change(&h)
		return protocol.AppendHello(nil, &h)
	}
	good := hello(func(*protocol.Hello) {})
	setup := job(0, 1, protocol.Pattern{}).Setup
	after := func(head []byte, frame []byte) []byte { return append(head[:len(head):len(head)], frame...) }
	set := after(good, protocol.AppendSetup(nil, &setup))
	stimulus := func(port uint8, cycle uint64, beat []byte) []byte {
		return protocol.AppendStimulus(nil, []protocol.Stimulus{{Port: port, Cycle: cycle, Beat: beat}})
	}
	beat := fixture.Beat(1, false)
	advance := protocol.AppendAdvance(nil, protocol.Advance{Until: 10})
	final := protocol.AppendAdvance(nil, protocol.Advance{Until: 11, Final: true})
	wave := setup
	wave.Waves = protocol.Waves{File: "x.vcd", To: 1}
	few := setup
	few.Sinks = few.Sinks[:2]
	for name, c := range map[string]struct {
		stream []byte
		want   string
	}{
		"version":        {hello(func(h *protocol.Hello) { h.Version = 2 }), "speaks 1, the driver 2"},
		"other unit":     {hello(func(h *protocol.Hello) { h.Unit.Top = "x" }), "differs"},
		"not a driver":   {hello(func(h *protocol.Hello) { h.Side = protocol.Harness }), "differs"},
		"no magic":       {append([]byte{8, 0, 0, 0, 1}, "BRIDGEMR"...), "magic"},
		"no HELLO":       {advance, "where HELLO is due"},
		"oversize":       {after(good, []byte{0xff, 0xff, 0xff, 0xff, 2}), "4294967295 bytes"},
		"unknown kind":   {after(good, []byte{0, 0, 0, 0, 77}), "kind 77 that protocol version 1"},
		"early stimulus": {after(good, stimulus(0, 0, beat)), "before SETUP"},
		"early advance":  {after(good, advance), "before SETUP"},
		"second SETUP":   {after(set, protocol.AppendSetup(nil, &setup)), "second"},
		"few sinks":      {after(good, protocol.AppendSetup(nil, &few)), "2 sinks, the unit has 3 ports"},
		"no waves":       {after(good, protocol.AppendSetup(nil, &wave)), "without a trace variant"},
		"output":         {after(set, stimulus(1, 0, beat)), "not an input"},
		"short beat":     {after(set, stimulus(0, 0, beat[:4])), "4 bytes left, want 9"},
		"late":           {after(after(set, advance), stimulus(0, 9, beat)), "came when cycle 10 had been reached"},
		"back":           {after(after(set, stimulus(0, 9, beat)), stimulus(0, 8, beat)), "came after that for cycle 9"},
		"after final":    {after(after(set, final), stimulus(0, 90, beat)), "after the final ADVANCE"},
		"driver's error": {after(set, protocol.AppendError(nil, "sorry")), "the driver gave up: sorry"},
	} {
		t.Run(name, func(t *testing.T) {
			code, sent, stderr := drive(t, o, c.stream)
			require.Equal(t, 1, code)
			require.Contains(t, stderr, c.want)
			r := protocol.NewReader(strings.NewReader(string(sent)))
			var last protocol.Frame
			for {
				f, err := r.Next()
				if err != nil {
					break
				}
				last = f
			}
			require.Equal(t, protocol.KindError, last.Kind)
			require.ErrorContains(t, protocol.ParseError(&last), c.want)
		})
	}
}

var vcdTime = regexp.MustCompile(`(?m)^#(\d+)$`)

func TestWavesOfAWindow(t *testing.T) {
	o := options(t, func(o *builder.Options) { o.Trace = builder.VCD })
	j := job(100, 1, protocol.Pattern{})
	want, _ := reference(j)
	file := filepath.Join(t.TempDir(), "w.vcd")
	j.Setup.Waves = protocol.Waves{File: file, From: 20, To: 30}
	_, got := collect(t, o, j)
	require.Equal(t, want, got, "looking must not change the run")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	times := vcdTime.FindAllStringSubmatch(string(text), -1)
	require.Len(t, times, 20, "two edges a cycle")
	first := (protocol.ResetCycles+20)*4000 + 2000
	last := (protocol.ResetCycles + 30) * 4000
	require.Equal(t, strconv.Itoa(first), times[0][1])
	require.Equal(t, strconv.Itoa(last), times[19][1])
	require.Contains(t, string(text), "dbg_seen_wide [99:0]")
	require.Contains(t, string(text), "entry")

	j.Setup.Waves = protocol.Waves{File: file, To: 2}
	collect(t, o, j)
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	times = vcdTime.FindAllStringSubmatch(string(text), -1)
	require.Len(t, times, 2*(protocol.ResetCycles+2), "a dump from cycle 0 on holds the reset")
	require.Equal(t, "2000", times[0][1])

	j.Setup.Waves.File = filepath.Join(t.TempDir(), "none", "w.vcd")
	_, err = Run(context.Background(), o, j, nil)
	require.ErrorContains(t, err, "cannot write waves")

	j.Setup.Waves = protocol.Waves{File: filepath.Join(t.TempDir(), "beyond.vcd"), From: 1 << 40, To: 1 << 41}
	collect(t, o, j)
	_, err = os.Stat(j.Setup.Waves.File)
	require.ErrorIs(t, err, os.ErrNotExist, "cycles that are never run write nothing")
}

func TestFSTWaves(t *testing.T) {
	if !builder.HasFST() {
		t.Skip("SKIPPED: TestFSTWaves: zlib1g-dev or liblz4-dev is missing (metaroce doctor)")
	}
	o := options(t, func(o *builder.Options) { o.Trace = builder.FST })
	j := job(100, 1, protocol.Pattern{})
	file := filepath.Join(t.TempDir(), "w.fst")
	j.Setup.Waves = protocol.Waves{File: file, To: 1 << 63}
	want, _ := reference(j)
	_, got := collect(t, o, j)
	require.Equal(t, want, got)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Greater(t, len(b), 330, "more than a header block")
	require.Zero(t, b[0], "a finished file begins with a header block")
}
