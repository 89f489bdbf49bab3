package cosim

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/capture"
	"metaroce/verification/verdict"
)

// Files of a run in its folder.
const (
	fileScenario = "scenario.yaml"
	fileModel    = "window-model.txt"
	fileDevice   = "records.txt"
	fileCapture  = "capture.pcapng"
	fileWaves    = "window.vcd"
	fileGTKWave  = "window.gtkw"
	fileVerdict  = "verdict.json"
	fileReport   = "report.html"
	fileCut      = "until-difference.yaml"
)

// output is the folder of a run and its open files.
type output struct {
	folder  string
	files   []verdict.File
	closers []func() error
}

// newOutput makes the folder and finds out before the run whether it can be written. Files of an earlier run go away,
// so that none of them is taken for this one's.
func newOutput(folder string) (*output, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("output folder: %w: name another with --out", err)
	}
	o := &output{folder: folder}
	for _, name := range []string{fileScenario, fileModel, fileDevice, fileCapture, fileWaves, fileGTKWave, fileVerdict, fileReport, fileCut} {
		if err := os.Remove(o.path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("output folder: %w", err)
		}
	}
	probe, err := os.CreateTemp(folder, "probe-*")
	if err != nil {
		return nil, fmt.Errorf("output folder %s is not writable: %w: name another with --out", folder, err)
	}
	return o, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

func (o *output) path(name string) string { return filepath.Join(o.folder, name) }

func (o *output) add(kind, name string) {
	o.files = append(o.files, verdict.File{Kind: kind, Path: o.path(name)})
}

// create opens a file that is closed with the output; writes are buffered. A file with a kind is listed in the report.
func (o *output) create(kind, name string) (*bufio.Writer, error) {
	f, err := os.Create(o.path(name))
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	o.closers = append(o.closers, func() error { return errors.Join(w.Flush(), f.Close()) })
	if kind != "" {
		o.add(kind, name)
	}
	return w, nil
}

// close closes all files in the order in which they were opened.
func (o *output) close() error {
	var all []error
	for _, closing := range o.closers {
		all = append(all, closing())
	}
	o.closers = nil
	return errors.Join(all...)
}

// write writes a whole file by a function.
func (o *output) write(kind, name string, fill func(io.Writer) error) error {
	w, err := o.create(kind, name)
	if err != nil {
		return err
	}
	return errors.Join(fill(w), o.close())
}

// recordFile writes records of one side as text, a line a record: cycle, port and the beat's bytes in hexadecimal.
type recordFile struct {
	w    *bufio.Writer
	unit *event.Unit
}

func (o *output) recordFile(name string, unit *event.Unit, config string) (*recordFile, error) {
	w, err := o.create("records", name)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(w, "# unit %s, config %s, spec %s\n# cycle port beat (fields in order, least significant byte first)\n", unit.Name, config, profile.SpecHash)
	return &recordFile{w: w, unit: unit}, err
}

// take appends to the writer's own buffer, so that a byte is written once.
func (f *recordFile) take(records []engine.Record) error {
	for i := range records {
		line := f.append(f.w.AvailableBuffer(), &records[i])
		if _, err := f.w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func (f *recordFile) append(line []byte, r *engine.Record) []byte {
	line = strconv.AppendUint(line, r.Cycle, 10)
	line = append(line, ' ')
	line = append(line, f.unit.Ports[r.Port].Name...)
	if len(r.Beat) > 0 {
		line = append(line, ' ')
		line = appendHex(line, r.Beat)
	}
	return append(line, '\n')
}

// end marks the end of the file, so that nobody takes a part for the whole.
func (f *recordFile) end(reached uint64, cut error) error {
	text := fmt.Sprintf("# end: complete before cycle %d\n", reached)
	if cut != nil {
		text = fmt.Sprintf("# cut short: complete before cycle %d: %s\n", reached, strings.ReplaceAll(cut.Error(), "\n", " "))
	}
	_, err := f.w.WriteString(text)
	return err
}

// captureFile writes the device's handshakes as pcapng. The beat of an input handshake is the next of the stimulus.
type captureFile struct {
	w      *capture.Writer
	inputs [][]*engine.Stimulus // by port
}

func (o *output) captureFile(run *engine.Run, unit *event.Unit, seed *uint64) (*captureFile, error) {
	w, err := o.create("pcapng", fileCapture)
	if err != nil {
		return nil, err
	}
	c := &captureFile{inputs: make([][]*engine.Stimulus, len(unit.Ports))}
	c.w, err = capture.NewWriter(w, capture.Meta{Unit: run.Unit, Config: run.Config.Name, Seed: seed}, "s_axis", "s_cfg", "m_axis")
	for i := range run.Stimulus {
		s := &run.Stimulus[i]
		c.inputs[s.Port] = append(c.inputs[s.Port], s)
	}
	return c, err
}

func (c *captureFile) take(records []engine.Record) error {
	for i := range records {
		if err := c.record(&records[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *captureFile) record(r *engine.Record) error {
	beat := r.Beat
	if len(c.inputs[r.Port]) > 0 && len(beat) == 0 {
		beat = c.inputs[r.Port][0].Beat
		c.inputs[r.Port] = c.inputs[r.Port][1:]
	}
	return c.w.Record(r.Cycle, r.Port, beat)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
