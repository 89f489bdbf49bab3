package cosim

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"metaroce/golden/event"
)

// Time of a cycle in the harness's dumps: cycle t begins resetCycles periods after time 0, and its inputs settle in
// its middle.
const resetCycles = 16

func cycleTime(cycle, periodPS uint64) uint64 { return (resetCycles+cycle)*periodPS + periodPS/2 }

// signal is a variable of a dump: its full name, and its range where it has one.
type signal struct {
	name, bits string
	width      int
}

// full is the name as wave viewers want it: one bit has one index, more have a range.
func (s *signal) full() string {
	if high, _, ranged := strings.Cut(s.bits, ":"); ranged && s.width == 1 {
		return s.name + high + "]"
	}
	return s.name + s.bits
}

// topSignals reads the variables of a dump's top module from its header, by their last name. Only the outermost
// occurrence of a name is kept: the unit's own port.
func topSignals(vcd io.Reader) (map[string]signal, error) {
	found := map[string]signal{}
	depth := map[string]int{}
	var scopes []string
	lines := bufio.NewScanner(vcd)
	lines.Buffer(make([]byte, 1<<16), 1<<24)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0:
		case words[0] == "$enddefinitions":
			return found, nil
		case words[0] == "$scope" && len(words) >= 3:
			scopes = append(scopes, words[2])
		case words[0] == "$upscope" && len(scopes) > 0:
			scopes = scopes[:len(scopes)-1]
		case words[0] == "$var" && len(words) >= 6:
			s := signal{name: strings.Join(append(append([]string(nil), scopes...), words[4]), ".")}
			fmt.Sscan(words[2], &s.width)
			if words[5] != "$end" {
				s.bits = words[5]
			}
			if d, known := depth[words[4]]; !known || len(scopes) < d {
				found[words[4]], depth[words[4]] = s, len(scopes)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("the dump ends within its header")
}

// dumpSignals is topSignals of a file.
func dumpSignals(dump string) (map[string]signal, error) {
	f, err := os.Open(dump)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	signals, err := topSignals(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dump, err)
	}
	return signals, nil
}

// portSignals are the names of a port's signals in the RTL, in the order in which they are shown.
func portSignals(port *event.Port) []string {
	mark := ""
	if port.Style == event.Axis {
		mark = "t"
	}
	names := []string{port.Name + "_" + mark + "valid"}
	if port.Style != event.Event {
		names = append(names, port.Name+"_"+mark+"ready")
	}
	for i := range port.Fields {
		names = append(names, port.Name+"_"+port.Fields[i].Name)
	}
	return names
}

// writeGTKWave writes a save file beside a dump: the unit's ports in groups, the marker in the middle of the cycle of
// the difference, zoomed to the cycles around it.
func writeGTKWave(path, dump string, signals map[string]signal, unit *event.Unit, cycle, periodPS uint64) error {
	marker := cycleTime(cycle, periodPS)
	var b strings.Builder
	fmt.Fprintf(&b, "[dumpfile] %q\n[savefile] %q\n", filepath.Base(dump), filepath.Base(path))
	fmt.Fprintf(&b, "[timestart] %d\n", marker-min(marker, 24*periodPS))
	b.WriteString("[size] 1600 900\n[pos] -1 -1\n")
	fmt.Fprintf(&b, "*-%d.0 %d%s\n", zoom(periodPS), marker, strings.Repeat(" -1", 26))
	b.WriteString("[sst_width] 220\n[signals_width] 300\n")
	for _, name := range []string{"clk", "rst"} {
		writeTrace(&b, signals, name)
	}
	for i := range unit.Ports {
		fmt.Fprintf(&b, "@200\n-%s\n", unit.Ports[i].Name)
		for _, name := range portSignals(&unit.Ports[i]) {
			writeTrace(&b, signals, name)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// zoom is the power of two of time units in a pixel at which a clock period is a few tens of pixels wide.
func zoom(periodPS uint64) int {
	n := 0
	for periodPS>>n > 32 {
		n++
	}
	return n
}

func writeTrace(b *strings.Builder, signals map[string]signal, name string) {
	s, ok := signals[name]
	if !ok {
		return
	}
	if s.width > 1 {
		fmt.Fprintf(b, "@22\n%s\n", s.full())
		return
	}
	fmt.Fprintf(b, "@28\n%s\n", s.full())
}
