package protocol

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryPrefixOfASessionIsAnErrorThatSaysWhere(t *testing.T) {
	stream := session()
	boundaries := map[int]bool{0: true}
	r := NewReader(bytes.NewReader(stream))
	for {
		if _, err := r.Next(); err != nil {
			break
		}
		boundaries[int(r.Offset())] = true
	}
	for n := range len(stream) {
		_, err := readAll(stream[:n])
		var truncated *TruncatedError
		var missing *MissingEndError
		switch {
		case boundaries[n]:
			require.True(t, errors.As(err, &missing), "prefix of %d bytes: %v", n, err)
			require.EqualValues(t, n, missing.Offset)
		default:
			require.True(t, errors.As(err, &truncated), "prefix of %d bytes: %v", n, err)
			require.EqualValues(t, n, truncated.Offset)
			require.True(t, boundaries[int(truncated.Frame)])
			require.Less(t, truncated.Got, truncated.Want)
		}
		require.ErrorIs(t, err, ErrProtocol)
		require.True(t, where(err))
	}
	frames, err := readAll(stream)
	require.NoError(t, err)
	require.Equal(t, 7, frames)
}

// The payload of a frame cut short inside an intact frame must not pass either.
func TestEveryShortenedPayloadIsRefused(t *testing.T) {
	u := unit()
	for _, stream := range [][]byte{session(), driverFrames()} {
		r := NewReader(bytes.NewReader(stream))
		for {
			f, err := r.Next()
			if err != nil {
				break
			}
			require.NoError(t, parse(&f, &u))
			for n := range len(f.Payload) {
				cut := Frame{Kind: f.Kind, Offset: f.Offset, Payload: f.Payload[:n:n]}
				err := parse(&cut, &u)
				require.Error(t, err, "%s of %d bytes", f.Kind, n)
				require.ErrorIs(t, err, ErrProtocol)
			}
			long := Frame{Kind: f.Kind, Offset: f.Offset, Payload: append(bytes.Clone(f.Payload), 0)}
			require.Error(t, parse(&long, &u), "%s with a byte too many", f.Kind)
		}
	}
}

func TestReaderRefusesWhatIsNoFrame(t *testing.T) {
	h := hello(Harness)
	greeting := AppendHello(nil, &h)
	after := func(b ...byte) []byte { return append(bytes.Clone(greeting), b...) }
	for name, c := range map[string]struct {
		stream []byte
		want   error
	}{
		"web server":      {[]byte("HTTP/1.1 400 Bad Request\r\n"), new(OversizeError)},
		"length too big":  {after(0xff, 0xff, 0xff, 0xff, 5), new(OversizeError)},
		"just too big":    {after(1, 0, 0x40, 0, 5), new(OversizeError)},
		"kind 0":          {after(0, 0, 0, 0, 0), new(UnknownFrameError)},
		"kind 11":         {after(0, 0, 0, 0, 11), new(UnknownFrameError)},
		"kind 255":        {after(0, 0, 0, 0, 255), new(UnknownFrameError)},
		"second HELLO":    {append(bytes.Clone(greeting), greeting...), new(OrderError)},
		"no HELLO":        {AppendCycle(nil, KindReached, 1), new(OrderError)},
		"after END":       {AppendCycle(session(), KindReached, 1), new(OrderError)},
		"wrong magic":     {bytes.Replace(greeting, []byte("MR"), []byte("RM"), 1), new(MagicError)},
		"records of none": {after(0, 0, 0, 0, 5), new(FormatError)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAll(c.stream)
			require.Error(t, err)
			require.IsType(t, c.want, err)
			require.ErrorIs(t, err, ErrProtocol)
			require.True(t, where(err), "%v", err)
		})
	}
}

func TestUnknownFrameNamesBothVersions(t *testing.T) {
	h := hello(Harness)
	h.Version = 77
	_, err := readAll(append(AppendHello(nil, &h), 0, 0, 0, 0, 42))
	var unknown *UnknownFrameError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, Kind(42), unknown.Kind)
	require.Equal(t, Version, unknown.Own)
	require.EqualValues(t, 77, unknown.Peer)
}

// An oversize claim must not be allocated first.
func TestOversizeClaimAllocatesNothing(t *testing.T) {
	stream := []byte{0xff, 0xff, 0xff, 0x7f, 1}
	allocated := testing.AllocsPerRun(10, func() {
		NewReader(bytes.NewReader(stream)).Next()
	})
	require.Less(t, allocated, 20.0)
}

// A record count of 2^32-1 in a short frame is a lie that must not be allocated either.
func TestLyingCountsAreRefused(t *testing.T) {
	u := unit()
	for _, f := range []Frame{
		{Kind: KindRecords, Payload: append(make([]byte, 8), 0xff, 0xff, 0xff, 0xff, 0, 0)},
		{Kind: KindStimulus, Payload: []byte{0xff, 0xff, 0xff, 0xff, 0}},
	} {
		require.Error(t, parse(&f, &u))
	}
}

type brokenStream struct{ err error }

func (b brokenStream) Read([]byte) (int, error) { return 0, b.err }

func TestErrorsOfTheStreamComeThrough(t *testing.T) {
	broken := errors.New("cable cut")
	_, err := NewReader(io.MultiReader(bytes.NewReader([]byte{1, 2}), brokenStream{broken})).Next()
	require.ErrorIs(t, err, broken)
}

func FuzzReader(f *testing.F) {
	f.Add(session())
	f.Add(driverFrames())
	f.Add(session()[:40])
	f.Fuzz(func(t *testing.T, stream []byte) {
		_, err := readAll(stream)
		if err != nil && !errors.Is(err, ErrProtocol) {
			t.Fatalf("%v is not a protocol error", err)
		}
	})
}

// FuzzRoundTrip: whatever is accepted as records or stimulus is written back as the same bytes or as a shorter form of
// the same list.
func FuzzRoundTrip(f *testing.F) {
	u := unit()
	f.Add(byte(KindRecords), AppendRecords(nil, records())[HeaderBytes:])
	f.Add(byte(KindStimulus), AppendStimulus(nil, stimulus())[HeaderBytes:])
	f.Fuzz(func(t *testing.T, kind byte, payload []byte) {
		frame := Frame{Kind: Kind(kind), Payload: payload}
		switch frame.Kind {
		case KindRecords:
			first, err := ParseRecords(nil, &frame, &u)
			if err != nil {
				return
			}
			frame.Payload = AppendRecords(nil, first)[HeaderBytes:]
			second, err := ParseRecords(nil, &frame, &u)
			require.NoError(t, err)
			require.Equal(t, first, second)
		case KindStimulus:
			if list, err := ParseStimulus(nil, &frame, &u); err == nil {
				require.Equal(t, payload, AppendStimulus(nil, list)[HeaderBytes:])
			}
		}
	})
}
