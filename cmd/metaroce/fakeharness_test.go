package main

import (
	"bufio"
	"io"
	"net"
	"os"
	"strconv"
	"strings"

	"metaroce/cocotb-bridge/protocol"
)

// fakeHarness is a peer of another make. The role says what it does: "version" speaks a later protocol, "kind" sends a
// frame of no known kind after a right handshake, "garbage" is no bridge peer at all, and "cut N" sends N bytes of a
// right HELLO and goes away.
func fakeHarness(role, socket string) int {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return 1
	}
	defer conn.Close()
	if role == "garbage" {
		io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
		return 0
	}
	f, err := protocol.NewReader(bufio.NewReader(conn)).Next()
	if err != nil {
		return 1
	}
	hello, err := protocol.ParseHello(&f) // the same unit as the driver's
	if err != nil {
		return 1
	}
	hello.Side = protocol.Harness
	if role == "version" {
		hello.Version++
	}
	answer := protocol.AppendHello(nil, &hello)
	if text, cut := strings.CutPrefix(role, "cut "); cut {
		n, _ := strconv.Atoi(text)
		conn.Write(answer[:min(n, len(answer))])
		return 0
	}
	conn.Write(answer)
	if role == "kind" {
		conn.Write([]byte{4, 0, 0, 0, 0x7f, 1, 2, 3, 4})
	}
	io.Copy(io.Discard, conn) // until the driver has had enough
	return 0
}

// fakeScript is a program that starts the test program in a role.
func fakeScript(role string) ([]byte, error) {
	self, err := os.Executable()
	return []byte("#!/bin/sh\n" + roleVariable + "='" + role + "' exec '" + self + "' \"$@\"\n"), err
}
