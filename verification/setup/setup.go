// Package setup knows the tools that the toolkit uses from outside: which version is pinned, what is found, and what is
// missing without it. The pins stand once, in requirements.txt and apt-packages.txt beside this file, which install.sh
// reads too.
package setup

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed requirements.txt
var requirements string

//go:embed apt-packages.txt
var aptPackages string

// Pin is one pinned package.
type Pin struct {
	Name    string // package name
	Version string // exact, or with a trailing * for "begins with"; without Debian epoch
}

// pins reads lines "name==version" or "name=version", leaving out comments and empty lines.
func pins(text string) []Pin {
	var list []Pin
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		name, version, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found {
			continue
		}
		version = strings.TrimPrefix(version, "=")
		if _, upstream, epoch := strings.Cut(version, ":"); epoch {
			version = upstream
		}
		list = append(list, Pin{Name: name, Version: version})
	}
	return list
}

// Pinned returns the version pinned for a package, and an error for a package that neither list names.
func Pinned(name string) (string, error) {
	for _, pin := range append(pins(requirements), pins(aptPackages)...) {
		if pin.Name == name {
			return pin.Version, nil
		}
	}
	return "", fmt.Errorf("no pin for %q in requirements.txt or apt-packages.txt", name)
}

// Matches tells whether a found version satisfies a pin: equal, or beginning with the pin's text before its *.
// An empty pin is satisfied by any version.
func Matches(pin, version string) bool {
	prefix, open := strings.CutSuffix(pin, "*")
	if open || pin == "" {
		return strings.HasPrefix(version, prefix)
	}
	return version == pin
}
