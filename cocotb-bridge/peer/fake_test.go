package peer

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/internal/fixture"
	"metaroce/cocotb-bridge/protocol"
)

// fake is a harness in Go that does what a test wants.
type fake func(conn net.Conn)

// meet starts a session with a fake harness.
func meet(t *testing.T, o Options, f fake) (*Session, error) {
	t.Helper()
	o.Unit, o.Socket = fixture.Unit(), filepath.Join(t.TempDir(), "s")
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn := dial(o.Socket)
		if conn == nil {
			return
		}
		defer conn.Close()
		f(conn)
	}()
	t.Cleanup(func() { <-done })
	j := job(3, 1, protocol.Pattern{})
	s, err := Start(context.Background(), o, j.Setup)
	if s != nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

// dial connects once the driver listens.
func dial(path string) net.Conn {
	for range 1000 {
		if conn, err := net.Dial("unix", path); err == nil {
			return conn
		}
		time.Sleep(time.Millisecond) // a file that appears has no event to wait for
	}
	return nil
}

func harnessHello(change func(*protocol.Hello)) []byte {
	h := protocol.Hello{Version: protocol.Version, Side: protocol.Harness, LayoutHash: fixture.Unit().SpecHash, Unit: fixture.Unit()}
	if change != nil {
		change(&h)
	}
	return protocol.AppendHello(nil, &h)
}

// answers is what a harness sends after HELLO in a run of three records and two windows.
func answers() []byte {
	b := protocol.AppendRecords(nil, sample()[:2])
	b = protocol.AppendCycle(b, protocol.KindReached, 10)
	b = protocol.AppendRecords(b, sample()[2:])
	b = protocol.AppendCounters(b, []uint32{1, 1})
	u := fixture.Unit()
	return protocol.AppendEnd(b, &protocol.End{Cycle: 20, SpecHash: u.SpecHash, Tables: []uint64{u.Tables[0].Hash}})
}

func sample() []protocol.Record {
	return []protocol.Record{
		{Cycle: 4, Port: fixture.PortIn},
		{Cycle: 5, Port: fixture.PortOut, Beat: fixture.Beat(1, true)},
		{Cycle: 12, Port: fixture.PortOut, Beat: fixture.Beat(2, true)},
	}
}

// perform sends the first n bytes of a HELLO and what follows it, the latter when two windows have been asked for.
func perform(conn net.Conn, hello, rest []byte, n int) {
	conn.Write(hello[:min(n, len(hello))])
	if n <= len(hello) {
		return
	}
	r := protocol.NewReader(conn)
	for asked := 0; asked < 2; {
		f, err := r.Next()
		if err != nil {
			return
		}
		if f.Kind == protocol.KindAdvance {
			asked++
		}
	}
	conn.Write(rest[:n-len(hello)])
}

// drain reads what the driver sends, so that it is never stopped by a full socket.
func drain(conn net.Conn) { io.Copy(io.Discard, conn) }

// take asks for two windows and returns all records that Next gives before its error.
func take(t *testing.T, s *Session) ([]protocol.Record, Window, error) {
	t.Helper()
	require.NoError(t, s.Advance(10, false))
	require.NoError(t, s.Advance(20, true))
	var all []protocol.Record
	var last Window
	for {
		w, err := s.Next()
		if err != nil {
			_, again := s.Next()
			require.Equal(t, err, again, "the error must stay")
			return all, last, err
		}
		for _, r := range w.Records {
			require.LessOrEqual(t, last.Reached, r.Cycle)
			require.LessOrEqual(t, r.Cycle, w.Reached)
		}
		all, last = append(all, w.Records...), w
	}
}

func TestFakeSessionEndsWell(t *testing.T) {
	s, err := meet(t, Options{}, func(conn net.Conn) {
		perform(conn, harnessHello(nil), answers(), len(harnessHello(nil))+len(answers()))
		drain(conn)
	})
	require.NoError(t, err)
	all, last, err := take(t, s)
	require.Equal(t, io.EOF, err)
	require.Equal(t, sample(), all)
	require.EqualValues(t, 20, last.End.Cycle)
	require.Equal(t, []uint32{1, 1}, last.Counters)
	require.NoError(t, s.Close())
}

// The harness may die at any byte. What came wholly is handed over, and the error says where it stopped.
func TestDeathAtEveryByte(t *testing.T) {
	hello, stream := harnessHello(nil), answers()
	firstRecords := len(hello) + len(protocol.AppendRecords(nil, sample()[:2]))
	secondRecords := len(hello) + len(stream) - endBytes(t)
	for n := range len(hello) + len(stream) {
		s, err := meet(t, Options{}, func(conn net.Conn) {
			perform(conn, hello, stream, n)
			conn.(*net.UnixConn).CloseWrite()
			drain(conn)
		})
		var all []protocol.Record
		if n >= len(hello) {
			require.NoError(t, err)
			all, _, err = take(t, s)
		}
		var died *DiedError
		require.ErrorAs(t, err, &died, "after byte %d", n)
		require.ErrorIs(t, err, protocol.ErrProtocol)
		require.EqualValues(t, n, died.Offset)
		want := 0
		if n >= firstRecords {
			want = 2
		}
		if n >= secondRecords {
			want = 3
		}
		require.Equal(t, want, len(all), "records after byte %d", n)
		require.Equal(t, sample()[:want:want], append([]protocol.Record{}, all...))
	}
}

// endBytes is the length of COUNTERS and END in answers.
func endBytes(t *testing.T) int {
	u := fixture.Unit()
	b := protocol.AppendCounters(nil, []uint32{1, 1})
	return len(protocol.AppendEnd(b, &protocol.End{Tables: []uint64{u.Tables[0].Hash}}))
}

func TestPeersThatDoNotFitAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*protocol.Hello)
		want   error
	}{
		"version": {func(h *protocol.Hello) { h.Version++ }, new(protocol.VersionError)},
		"spec":    {func(h *protocol.Hello) { h.Unit.SpecHash++ }, new(protocol.HashError)},
		"layout":  {func(h *protocol.Hello) { h.LayoutHash++ }, new(protocol.HashError)},
		"table":   {func(h *protocol.Hello) { h.Unit.Tables[0].Hash++ }, new(protocol.HashError)},
		"port":    {func(h *protocol.Hello) { h.Unit.Ports[1].BeatBytes++ }, new(protocol.PortError)},
		"config":  {func(h *protocol.Hello) { h.Unit.Config = "large" }, new(protocol.MismatchError)},
		"driver":  {func(h *protocol.Hello) { h.Side = protocol.Driver }, new(protocol.MismatchError)},
	} {
		t.Run(name, func(t *testing.T) {
			told := make(chan error, 1)
			_, err := meet(t, Options{}, func(conn net.Conn) {
				conn.Write(harnessHello(c.change))
				r := protocol.NewReader(conn)
				r.Next()
				f, err := r.Next()
				if err == nil {
					err = protocol.ParseError(&f)
				}
				told <- err
			})
			require.IsType(t, c.want, err)
			var remote *protocol.RemoteError
			require.ErrorAs(t, <-told, &remote)
			require.Equal(t, err.Error(), remote.Text, "the peer must be told the same")
		})
	}
}

func TestNonsenseFromTheHarness(t *testing.T) {
	beat := fixture.Beat(1, true)
	for name, c := range map[string]struct {
		frames []byte
		want   error
	}{
		"unknown kind":     {[]byte{0, 0, 0, 0, 99}, new(protocol.UnknownFrameError)},
		"oversize":         {[]byte{0, 0, 0, 0xff, 5}, new(protocol.OversizeError)},
		"driver's frame":   {protocol.AppendAdvance(nil, protocol.Advance{}), new(protocol.OrderError)},
		"END alone":        {answers()[len(answers())-endOnly():], new(protocol.OrderError)},
		"answer too many":  {cycles(1, 2, 3), new(protocol.OrderError)},
		"cycle goes back":  {cycles(5, 4), new(protocol.FormatError)},
		"late record":      {append(cycles(10), protocol.AppendRecords(nil, sample()[:1])...), new(protocol.FormatError)},
		"record twice":     {append(protocol.AppendRecords(nil, sample()[:1]), protocol.AppendRecords(nil, sample()[:1])...), new(protocol.FormatError)},
		"reached too low":  {append(protocol.AppendRecords(nil, sample()[:1]), cycles(4)...), new(protocol.FormatError)},
		"short beat":       {protocol.AppendRecords(nil, []protocol.Record{{Cycle: 1, Port: 1, Beat: beat[:8]}}), new(protocol.FormatError)},
		"counters missing": {protocol.AppendCounters(nil, []uint32{1}), new(protocol.FormatError)},
		"gives up":         {protocol.AppendError(nil, "out of luck"), new(protocol.RemoteError)},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := meet(t, Options{}, func(conn net.Conn) {
				perform(conn, harnessHello(nil), c.frames, len(harnessHello(nil))+len(c.frames))
				drain(conn)
			})
			require.NoError(t, err)
			_, _, err = take(t, s)
			require.IsType(t, c.want, err)
			require.ErrorIs(t, err, protocol.ErrProtocol)
		})
	}
}

// endOnly is the length of the END frame in answers.
func endOnly() int {
	return len(protocol.AppendEnd(nil, &protocol.End{Tables: make([]uint64, 1)}))
}

func cycles(list ...uint64) (b []byte) {
	for _, c := range list {
		b = protocol.AppendCycle(b, protocol.KindReached, c)
	}
	return b
}

// A device whose identity changes in the run is not the one that was agreed on.
func TestIdentityIsComparedAtTheEnd(t *testing.T) {
	s, err := meet(t, Options{}, func(conn net.Conn) {
		b := protocol.AppendCounters(harnessHello(nil), []uint32{1, 1})
		conn.Write(protocol.AppendEnd(b, &protocol.End{SpecHash: 5, Tables: make([]uint64, 1)}))
		drain(conn)
	})
	require.NoError(t, err)
	_, _, err = take(t, s)
	var hash *protocol.HashError
	require.ErrorAs(t, err, &hash)
	require.EqualValues(t, 5, hash.Peer)
}

func TestSilence(t *testing.T) {
	short := Options{Handshake: 50 * time.Millisecond, Silence: 50 * time.Millisecond}
	for name, c := range map[string]struct {
		say  []byte
		when string
	}{
		"never connects":    {nil, "before it connected"},
		"says nothing":      {[]byte{}, "during the handshake"},
		"stops in HELLO":    {harnessHello(nil)[:20], "during the handshake"},
		"stops after HELLO": {harnessHello(nil), "in the run"},
		"stops in a window": {append(harnessHello(nil), protocol.AppendRecords(nil, sample())...), "in the run"},
	} {
		t.Run(name, func(t *testing.T) {
			hold := make(chan struct{})
			defer close(hold)
			o := short
			var s *Session
			var err error
			if c.say == nil {
				o.Unit, o.Socket = fixture.Unit(), filepath.Join(t.TempDir(), "s")
				s, err = Start(context.Background(), o, job(0, 1, protocol.Pattern{}).Setup)
			} else {
				s, err = meet(t, o, func(conn net.Conn) {
					conn.Write(c.say)
					drain(conn)
				})
			}
			var all []protocol.Record
			if err == nil {
				all, _, err = take(t, s)
			}
			var timeout *TimeoutError
			require.ErrorAs(t, err, &timeout)
			require.Equal(t, "harness", timeout.Side)
			require.Equal(t, c.when, timeout.When)
			require.EqualValues(t, len(c.say), timeout.Offset)
			if name == "stops in a window" {
				require.Equal(t, sample(), all)
			}
		})
	}
}

// While nothing is asked of it the harness may be silent for as long as it likes.
func TestSilenceIsAllowedWhileNothingIsDue(t *testing.T) {
	ask := make(chan struct{})
	s, err := meet(t, Options{Silence: 30 * time.Millisecond}, func(conn net.Conn) {
		conn.Write(harnessHello(nil))
		<-ask
		perform(conn, nil, answers(), len(answers()))
		drain(conn)
	})
	require.NoError(t, err)
	time.Sleep(60 * time.Millisecond) // the time that must not matter
	close(ask)
	_, _, err = take(t, s)
	require.Equal(t, io.EOF, err)
}

func TestContextEndsTheSession(t *testing.T) {
	o := Options{Unit: fixture.Unit(), Socket: filepath.Join(t.TempDir(), "s")}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		conn := dial(o.Socket)
		defer conn.Close()
		conn.Write(harnessHello(nil))
		drain(conn)
	}()
	s, err := Start(ctx, o, job(0, 1, protocol.Pattern{}).Setup)
	require.NoError(t, err)
	require.NoError(t, s.Advance(10, true))
	cancel()
	_, err = s.Next()
	require.ErrorIs(t, err, context.Canceled)
	s.Close()

	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = Start(ctx, Options{Unit: fixture.Unit()}, job(0, 1, protocol.Pattern{}).Setup)
	require.ErrorIs(t, err, context.Canceled)
}

func TestSocketFiles(t *testing.T) {
	setup := job(0, 1, protocol.Pattern{}).Setup
	start := func(o Options) error {
		o.Unit, o.Handshake = fixture.Unit(), 20*time.Millisecond
		_, err := Start(context.Background(), o, setup)
		return err
	}
	dir := t.TempDir()
	var socket *SocketError

	stale := filepath.Join(dir, "stale")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false)
	l.Close()
	var timeout *TimeoutError
	require.ErrorAs(t, start(Options{Socket: stale}), &timeout, "a stale file must not be in the way")
	_, err = os.Lstat(stale)
	require.ErrorIs(t, err, os.ErrNotExist, "and must not be left")

	used := filepath.Join(dir, "used")
	l, err = net.ListenUnix("unix", &net.UnixAddr{Name: used, Net: "unix"})
	require.NoError(t, err)
	defer l.Close()
	require.ErrorAs(t, start(Options{Socket: used}), &socket)
	require.Contains(t, socket.Error(), "another driver")

	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o600))
	require.ErrorAs(t, start(Options{Socket: file}), &socket)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "precious", string(b))

	require.ErrorAs(t, start(Options{Socket: filepath.Join(dir, "missing", "s")}), &socket)
	require.ErrorAs(t, start(Options{Socket: filepath.Join(dir, longName)}), &socket)
	require.Contains(t, socket.Error(), "107")
	require.ErrorAs(t, start(Options{TCP: "0.0.0.0:0"}), &socket)
	require.ErrorAs(t, start(Options{TCP: "example"}), &socket)
	require.Error(t, start(Options{TCP: "127.0.0.1:0", Socket: used}))
}

const longName = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

func TestStimulusThatTheHarnessWouldRefuse(t *testing.T) {
	s, err := meet(t, Options{}, func(conn net.Conn) {
		conn.Write(harnessHello(nil))
		drain(conn)
	})
	require.NoError(t, err)
	beat := fixture.Beat(1, false)
	send := func(port uint8, cycle uint64, beat []byte) error {
		return s.Send([]protocol.Stimulus{{Port: port, Cycle: cycle, Beat: beat}})
	}
	require.NoError(t, send(0, 5, beat))
	require.ErrorContains(t, send(1, 5, beat), "not an input")
	require.ErrorContains(t, send(9, 5, beat), "not an input")
	require.ErrorContains(t, send(0, 5, beat[:3]), "3 bytes")
	require.ErrorContains(t, send(0, 4, beat), "after one for cycle 5")
	require.NoError(t, s.Advance(10, false))
	require.ErrorContains(t, send(0, 9, beat), "after Advance to cycle 10")
	require.NoError(t, send(0, 10, beat))
	require.Error(t, s.Advance(9, false))
	require.NoError(t, s.Advance(20, true))
	require.ErrorContains(t, send(0, 30, beat), "final")
	for n := 2; n < maxAhead; n++ {
		require.NoError(t, s.Advance(uint64(20+n), true))
	}
	require.ErrorContains(t, s.Advance(99, true), "call Next")
}
