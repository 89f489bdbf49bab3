package peer

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// maxSocketPath is what the system allows (sun_path without its final zero).
const maxSocketPath = 107

// deadlineListener is a listener whose Accept can be ended.
type deadlineListener interface {
	net.Listener
	SetDeadline(t time.Time) error
}

// socket is the listening end, with what a harness needs to find it.
type socket struct {
	listener deadlineListener
	args     []string // for the harness
	folder   string   // made for the socket, removed with it
}

func (s *socket) close() {
	s.listener.Close() // a Unix listener removes its file
	if s.folder != "" {
		os.RemoveAll(s.folder)
	}
}

// listen makes the socket that the options ask for.
func (o *Options) listen() (*socket, error) {
	switch {
	case o.TCP != "":
		return listenTCP(o.TCP)
	case o.Socket != "":
		if err := o.removeStale(o.Socket); err != nil {
			return nil, err
		}
		return listenUnix(o.Socket, "")
	}
	folder, err := os.MkdirTemp("", "metaroce-")
	if err != nil {
		return nil, &SocketError{Path: os.TempDir(), What: "no folder for it", Err: err}
	}
	s, err := listenUnix(filepath.Join(folder, "bridge"), folder)
	if err != nil {
		os.RemoveAll(folder)
	}
	return s, err
}

func listenUnix(path, folder string) (*socket, error) {
	absolute, err := filepath.Abs(path) // the harness runs in another folder
	if err != nil {
		return nil, &SocketError{Path: path, What: "no absolute path", Err: err}
	}
	if len(absolute) > maxSocketPath {
		return nil, &SocketError{Path: absolute, What: "longer than the 107 bytes that the system allows: choose a shorter path"}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: absolute, Net: "unix"})
	if err != nil {
		return nil, &SocketError{Path: absolute, What: "cannot listen", Err: err}
	}
	return &socket{listener: l, args: []string{"--socket", absolute}, folder: folder}, nil
}

// removeStale removes the socket file of a driver that has died. One that somebody answers on, or that is no socket,
// is left alone.
func (o *Options) removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &SocketError{Path: path, What: "cannot be looked at", Err: err}
	}
	if info.Mode().Type() != os.ModeSocket {
		return &SocketError{Path: path, What: "there is a file of this name that is not a socket: not removed"}
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		c.Close()
		return &SocketError{Path: path, What: "another driver listens on it"}
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return &SocketError{Path: path, What: "cannot tell whether it is in use", Err: err}
	}
	o.Log.Warn("removing the socket file of a driver that is gone", "path", path)
	if err := os.Remove(path); err != nil {
		return &SocketError{Path: path, What: "stale, and cannot be removed", Err: err}
	}
	return nil
}

// listenTCP listens on a loopback address only: the bridge has no authentication.
func listenTCP(address string) (*socket, error) {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, &SocketError{Path: address, What: "want an address and a port, as in 127.0.0.1:0", Err: err}
	}
	if !a.Addr().Is4() || !a.Addr().IsLoopback() {
		return nil, &SocketError{Path: address, What: "only IPv4 loopback addresses are served"}
	}
	l, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(a))
	if err != nil {
		return nil, &SocketError{Path: address, What: "cannot listen", Err: err}
	}
	return &socket{listener: l, args: []string{"--tcp", l.Addr().String()}}, nil
}
