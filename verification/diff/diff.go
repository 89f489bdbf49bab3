// Package diff judges a trace against the golden model: the trace's inputs drive the model, and the model's outputs are
// compared with the trace's. It reads a trace once, with memory that does not grow with it.
package diff

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/trace"
	"metaroce/verification/verdict"
)

// Options say how a trace is to be read. Empty values mean: as the trace says, else the default.
type Options struct {
	Source string        // name of the trace in reports
	Unit   string        // of a VCD: the unit to look for
	Scope  string        // of a VCD: the scope of the unit, "top.dut"
	Config string        // name of a configuration
	Level  compare.Level // default: cycle for a VCD, order for a capture
	Setup  *Setup        // of a capture without configuration beats
}

// Source is a trace that can be read again from its start; only captures without a setup are.
type Source interface {
	io.Reader
	io.Seeker
}

// Run judges one trace. An error means that no verdict could be reached: the trace is unreadable, or the options do not
// fit it. A trace that ends early gives a report with the verdict up to there.
func Run(in Source, o Options) (*verdict.Report, error) {
	start := make([]byte, trace.MagicBytes)
	n, err := io.ReadFull(in, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	format, err := trace.Detect(start[:n])
	if err != nil {
		return nil, err
	}
	report := &verdict.Report{Source: o.Source, SpecHash: profile.SpecHash}
	if format == trace.FormatVCD {
		err = waves(in, o, report)
	} else {
		err = packets(in, format, o, report)
	}
	if err != nil {
		return nil, err
	}
	return report, nil
}

// check refuses names that are in no spec, whatever the trace is.
func (o *Options) check() error {
	if _, ok := event.UnitByName(o.Unit); !ok && o.Unit != "" {
		return fmt.Errorf("unit %q is not in the spec: there are sack, rob, rate and rx", o.Unit)
	}
	if _, ok := profile.ConfigByName(o.Config); !ok && o.Config != "" {
		return fmt.Errorf("configuration %q: small and large are known", o.Config)
	}
	return nil
}

// chooseConfig picks a configuration: the flag, else what the trace says, else small.
func chooseConfig(flag, stated string, report *verdict.Report) (profile.Config, error) {
	name := flag
	switch {
	case name == "" && stated != "":
		name = stated
	case name == "":
		name = profile.Small.Name
		note(report, "the trace names no configuration: %s is assumed", name)
	case stated != "" && stated != name:
		return profile.Config{}, fmt.Errorf("the trace is of configuration %s, but %s is asked for", stated, name)
	}
	c, ok := profile.ConfigByName(name)
	if !ok {
		return c, fmt.Errorf("configuration %q: small and large are known", name)
	}
	report.Configuration = name
	return c, nil
}

func note(report *verdict.Report, format string, args ...any) {
	report.Notes = append(report.Notes, fmt.Sprintf(format, args...))
}

// ending judges the error that reading a trace ended with: a clean end, an early end that keeps the verdict up to
// there, or a trace that cannot be read.
func ending(err error, report *verdict.Report) (complete bool, _ error) {
	var cut *trace.Truncated
	switch {
	case err == io.EOF:
		return true, nil
	case errors.As(err, &cut):
		note(report, "%v", cut)
		return false, nil
	}
	return false, err
}

// buffered reads a trace from where it stands.
func buffered(in io.Reader) *bufio.Reader { return bufio.NewReaderSize(in, 64<<10) }
