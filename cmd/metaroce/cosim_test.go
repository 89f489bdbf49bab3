package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"metaroce/golden/profile"
)

// long is a run that is still going on when it is disturbed.
const long = "400000"

// TestTwoRunsAtOnceWithAColdCache: one builds, the other waits for it; both end well, and only one program is there.
func TestTwoRunsAtOnceWithAColdCache(t *testing.T) {
	root := project(t)
	var runs []*exec.Cmd
	for range 2 {
		cmd := process(t, "cosim", "--root", root, "--unit", "sack", "--count", "200", "--out", t.TempDir())
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		runs = append(runs, cmd)
	}
	for _, cmd := range runs {
		require.NoError(t, cmd.Wait(), "%s", cmd.Stdout)
		require.Contains(t, fmt.Sprint(cmd.Stdout), "verdict   same")
	}
	require.Len(t, programs(t, root), 1)
}

func programs(t *testing.T, root string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(root, "build", "harness", "program", "*", "harness"))
	require.NoError(t, err)
	return list
}

// TestJSONReport: the documented keys, on stdout and in verdict.json alike.
func TestJSONReport(t *testing.T) {
	root, out := project(t), t.TempDir()
	code, text, talk := command("cosim", "--root", root, "--unit", "sack", "--seed", "5", "--count", "300", "--out", out, "-o", "json")
	require.Equal(t, 0, code, talk)
	file, err := os.ReadFile(filepath.Join(out, "verdict.json"))
	require.NoError(t, err)
	require.Equal(t, string(file), text)
	var report map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &report))
	for key, want := range map[string]any{
		"schema_version": 1.0, "verdict": "same", "seed": 5.0, "unit": "sack", "config": "small", "level": "cycle",
		"profile": profile.Name, "profile_version": float64(profile.Version), "interim": true,
	} {
		require.Equal(t, want, report[key], key)
	}
	for _, key := range []string{"compared", "cycles", "khz"} {
		require.Greater(t, report[key], 0.0, key)
	}
	require.NotContains(t, report, "first_difference")
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	require.NoError(t, err)
	require.Contains(t, strings.ToLower(string(page)), "interim profile")
	records, err := os.ReadFile(filepath.Join(out, "records.txt"))
	require.NoError(t, err)
	require.Contains(t, lastLine(records), fmt.Sprintf("# end: complete before cycle %.0f", report["cycles"]))
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// started is a long run in a process of its own that has written records, and its harness.
type started struct {
	*exec.Cmd
	out, temporary string
	stdout, stderr bytes.Buffer
	harness        int
}

func start(t *testing.T) *started {
	t.Helper()
	root := project(t)
	s := &started{out: t.TempDir(), temporary: t.TempDir()}
	s.Cmd = process(t, "cosim", "--root", root, "--unit", "sack", "--count", long, "--out", s.out)
	s.Stdout, s.Stderr = &s.stdout, &s.stderr
	s.Env = append(s.Env, "TMPDIR="+s.temporary)
	require.NoError(t, s.Start())
	t.Cleanup(func() {
		if s.ProcessState == nil {
			s.Process.Kill()
			s.Wait()
		}
	})
	require.Eventually(t, func() bool {
		info, err := os.Stat(filepath.Join(s.out, "records.txt"))
		return err == nil && info.Size() > 1<<16
	}, 3*time.Minute, time.Millisecond, "no records: %s", &s.stderr)
	s.harness = child(t, s.Process.Pid)
	return s
}

// child finds the one child of a process.
func child(t *testing.T, parent int) int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, name := range stats {
		text, _ := os.ReadFile(name)
		var pid, ppid int
		var state string
		_, rest, _ := strings.Cut(string(text), ") ")
		fmt.Sscan(string(text), &pid)
		if n, _ := fmt.Sscan(rest, &state, &ppid); n == 2 && ppid == parent {
			return pid
		}
	}
	require.Fail(t, "the run has no child")
	return 0
}

// gone waits until a process is no more, zombies included.
func gone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH }, 10*time.Second, time.Millisecond,
		"process %d is still there", pid)
}

// cutShort asks for what a run that was cut short leaves: exit code 3, partial results that say so, and nothing else.
func (s *started) cutShort(t *testing.T, why string) {
	t.Helper()
	s.Wait()
	require.Equal(t, 3, s.ProcessState.ExitCode(), "%s%s", &s.stdout, &s.stderr)
	require.Contains(t, s.stdout.String(), "verdict   truncated")
	require.Contains(t, s.stdout.String(), "cut short: "+why)
	require.Contains(t, s.stderr.String(), "metaroce: "+why)
	require.NotContains(t, s.stderr.String(), "goroutine")
	gone(t, s.harness)
	left, err := os.ReadDir(s.temporary)
	require.NoError(t, err)
	require.Empty(t, left, "sockets and folders left over")
	records, err := os.ReadFile(filepath.Join(s.out, "records.txt"))
	require.NoError(t, err)
	require.Contains(t, lastLine(records), "# cut short: complete before cycle ")
	text, err := os.ReadFile(filepath.Join(s.out, "verdict.json"))
	require.NoError(t, err)
	var report struct {
		Verdict  string
		Compared uint64
	}
	require.NoError(t, json.Unmarshal(text, &report))
	require.Equal(t, "truncated", report.Verdict)
	require.Positive(t, report.Compared)
}

func TestInterruptInMidRun(t *testing.T) {
	s := start(t)
	require.NoError(t, s.Process.Signal(syscall.SIGINT))
	s.cutShort(t, "interrupted")
}

func TestHarnessKilledInMidRun(t *testing.T) {
	s := start(t)
	require.NoError(t, syscall.Kill(s.harness, syscall.SIGKILL))
	s.cutShort(t, "the harness died in the run, after ")
	require.Contains(t, s.stdout.String(), "(signal: killed)")
}

// TestDriverKilledInMidRun: the harness goes away by itself, nothing claims to be complete, and the same run afterwards
// is not disturbed by what was left.
func TestDriverKilledInMidRun(t *testing.T) {
	s := start(t)
	require.NoError(t, s.Process.Kill())
	s.Wait()
	gone(t, s.harness)
	require.NoFileExists(t, filepath.Join(s.out, "verdict.json"))
	records, err := os.ReadFile(filepath.Join(s.out, "records.txt"))
	require.NoError(t, err)
	require.NotContains(t, string(records), "# end")
	again := process(t, "cosim", "--root", project(t), "--unit", "sack", "--count", "300", "--out", s.out)
	again.Env = append(again.Env, "TMPDIR="+s.temporary)
	out, err := again.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestInterruptBeforeTheRun: while the stimulus is being made.
func TestInterruptBeforeTheRun(t *testing.T) {
	root, out := project(t), filepath.Join(t.TempDir(), "out")
	cmd := process(t, "cosim", "--root", root, "--unit", "rx", "--count", "10000000", "--out", out)
	var talk bytes.Buffer
	cmd.Stderr = &talk
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { // it handles signals by now
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", cmd.Process.Pid))
		var pages, resident int
		fmt.Sscan(string(status), &pages, &resident)
		return resident > 1<<14
	}, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	began := time.Now()
	cmd.Wait()
	require.Equal(t, 3, cmd.ProcessState.ExitCode(), "%s", &talk)
	require.Contains(t, talk.String(), "interrupted before there was a result")
	require.Less(t, time.Since(began), 20*time.Second)
	require.NoDirExists(t, out)
}

// withHarness puts a program in the place of the built one for a test.
func withHarness(t *testing.T, role string) (root string) {
	t.Helper()
	root = project(t)
	code, _, talk := command("cosim", "--root", root, "--unit", "sack", "--count", "100", "--out", t.TempDir())
	require.Equal(t, 0, code, talk)
	script, err := fakeScript(role)
	require.NoError(t, err)
	name := programs(t, root)[0]
	require.NoError(t, os.Rename(name, name+".kept"))
	require.NoError(t, os.WriteFile(name, script, 0o700))
	t.Cleanup(func() { require.NoError(t, os.Rename(name+".kept", name)) })
	return root
}

func TestPeersOfAnotherKind(t *testing.T) {
	for _, c := range []struct {
		role string
		code int
		want string
	}{
		{"version", 5, "protocol version: this side speaks 1, the peer 2"},
		{"kind", 5, "frame of unknown kind 127"},
		{"garbage", 5, "byte 0: "},
		{"cut 0", 3, "the harness died"},
		{"cut 3", 3, "the harness died"},
		{"cut 40", 3, "the harness died"},
		{"cut 100000", 3, "the harness died"},
	} {
		t.Run(c.role, func(t *testing.T) {
			root := withHarness(t, c.role)
			code, out, talk := command("cosim", "--root", root, "--unit", "sack", "--count", "100", "--out", t.TempDir())
			require.Equal(t, c.code, code, "%s%s", out, talk)
			require.Contains(t, talk, c.want)
			require.Contains(t, out, "cut short: ")
		})
	}
}

// foreignRTL is a copy of the RTL with one text changed in one file; an empty text takes the file away.
func foreignRTL(t *testing.T, file, old, new string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "rtl")
	require.NoError(t, os.CopyFS(folder, os.DirFS("../../rtl")))
	path := filepath.Join(folder, file)
	if old == "" {
		require.NoError(t, os.Remove(path))
		return folder
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), old)
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte(old), []byte(new)), 0o600))
	return folder
}

// TestRTLThatDoesNotBuild: file and line of the RTL, and exit code 2.
func TestRTLThatDoesNotBuild(t *testing.T) {
	root := project(t)
	for _, c := range []struct{ name, file, old, new, want string }{
		{"syntax error", "mr_sack.v", "endmodule", "endmodul", "/mr_sack.v:"},
		{"missing module", "mr_ring_window.v", "", "", "Cannot find file containing module: 'mr_ring_window'"},
		{"missing port", "mr_sack.v", "s_req_ready", "s_req_rdy", "module mr_sack has no port s_req_ready"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := foreignRTL(t, c.file, c.old, c.new)
			code, out, talk := command("cosim", "--root", root, "--unit", "sack", "--count", "100", "--rtl", folder, "--out", t.TempDir())
			require.Equal(t, exitUsage, code, out)
			require.Contains(t, talk, c.want)
			require.Regexp(t, folder+`/mr_sack\.v:\d+: `, talk)
			require.Regexp(t, `\(log: \S+\)`, talk)
		})
	}
}

// TestRTLOfAnotherSpec: refused before the first cycle, with both hashes.
func TestRTLOfAnotherSpec(t *testing.T) {
	root, own := project(t), profile.SpecHash[:16]
	folder := foreignRTL(t, "generated/mr_profile.vh", own, "dead"+own[4:])
	code, out, talk := command("cosim", "--root", root, "--unit", "sack", "--count", "100", "--rtl", folder, "--out", t.TempDir())
	require.Equal(t, 5, code, talk)
	require.Contains(t, out, "verdict   protocol-error\ncompared  0 records")
	require.Contains(t, talk, "the RTL in "+folder+" does not fit the model: spec hash: this side has "+own+", the peer dead"+own[4:])
}

// TestFullDisk: what fits is kept, the verdict says up to where.
func TestFullDisk(t *testing.T) {
	root, disk := project(t), t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=300k"); err != nil {
		t.Skipf("%s NOT RUN: a small disk cannot be mounted: %v", t.Name(), err)
	}
	defer syscall.Unmount(disk, 0)
	code, out, talk := command("cosim", "--root", root, "--unit", "sack", "--count", "20000", "--out", filepath.Join(disk, "out"))
	require.Equal(t, 3, code, talk)
	require.Contains(t, out, "verdict   truncated")
	require.Contains(t, talk, "records.txt: no space left on device")
}

// TestUnwritableOutput: as a user who may not write there.
func TestUnwritableOutput(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skipf("%s NOT RUN: only root can become another user", t.Name())
	}
	root, folder := t.TempDir(), t.TempDir()
	for _, name := range []string{"rtl", "cocotb-bridge"} { // a copy: the project may lie where the other user cannot go
		require.NoError(t, os.CopyFS(filepath.Join(root, name), os.DirFS(filepath.Join("../..", name))))
	}
	require.NoError(t, os.Chmod(folder, 0o755))
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := process(t, "cosim", "--root", root, "--unit", "sack", "--count", "100", "--out", folder)
	program := filepath.Join(os.TempDir(), fmt.Sprintf("metaroce-test-%d", os.Getpid())) // where the other user may run it
	require.NoError(t, exec.Command("cp", self, program).Run())
	defer os.Remove(program)
	cmd.Path, cmd.SysProcAttr = program, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	for _, name := range []string{root, filepath.Dir(folder)} {
		require.NoError(t, os.Chmod(name, 0o755))
	}
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, exitUsage, cmd.ProcessState.ExitCode(), "%s", out)
	require.Contains(t, string(out), "output folder "+folder+" is not writable")
	require.Contains(t, string(out), "name another with --out")
}

// TestFullStandardOutput: a report that cannot be written is not a success.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, args := range [][]string{{"diff", sackDump}, {"trace", "dump", sackDump}, {"version"}, {"doctor", "--root", "../.."}} {
		cmd := process(t, args...)
		var talk bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &talk
		require.Error(t, cmd.Run(), "%v", args)
		require.Equal(t, exitUsage, cmd.ProcessState.ExitCode(), "%v", args)
		require.Contains(t, talk.String(), "no space left on device", "%v", args)
	}
}

// TestWavesAreJudgedOffline: the dump of a whole run holds its reset, so that the offline diff assumes nothing, and comes
// to the same records.
func TestWavesAreJudgedOffline(t *testing.T) {
	project(t)
	out := t.TempDir()
	code, live, talk := command("cosim", "--root", "../..", "--scenario", "../../verification/scenarios/sack-wrap.yaml", "--waves", "--out", out)
	require.Equal(t, 0, code, talk)
	code, offline, talk := command("diff", filepath.Join(out, "window.vcd"))
	require.Equal(t, 0, code, talk)
	require.NotContains(t, offline, "behind the reset")
	require.Equal(t, lineOf(t, live, "compared"), lineOf(t, offline, "compared"))
	for _, text := range []string{live, offline} {
		require.Contains(t, text, "profile   interim profile "+profile.Name)
	}
}

func lineOf(t *testing.T, text, name string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			return line
		}
	}
	require.Fail(t, "no line "+name, text)
	return ""
}
