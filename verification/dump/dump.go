// Package dump prints traces of any format that package trace reads, one line a record, as text or JSON. README.md
// states the JSON.
package dump

import (
	"bufio"
	"fmt"
	"io"

	"metaroce/verification/trace"
	"metaroce/verification/trace/pcap"
	"metaroce/verification/trace/pcapng"
	"metaroce/verification/trace/vcd"
)

// Style is the form of the output.
type Style string

// Styles.
const (
	Text Style = "text"
	JSON Style = "json"
)

// Dump prints the trace in r. What was printed before an error is good; the error is also the last line of JSON output.
func Dump(w io.Writer, r io.Reader, style Style) error {
	if style != Text && style != JSON {
		return fmt.Errorf("output %q: text and json are known", style)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	in := bufio.NewReaderSize(r, trace.MagicBytes)
	err := dump(&line{out: out, json: style == JSON}, in)
	if err != nil && style == JSON {
		failure(out, err)
	}
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return err
}

func dump(l *line, in *bufio.Reader) error {
	start, err := in.Peek(trace.MagicBytes)
	if err != nil && err != io.EOF {
		return err
	}
	format, err := trace.Detect(start)
	if err != nil {
		return err
	}
	switch format {
	case trace.FormatVCD:
		reader, err := vcd.NewReader(in)
		if err != nil {
			return err
		}
		return changes(l, reader)
	case trace.FormatPcap:
		reader, err := pcap.NewReader(in)
		if err != nil {
			return err
		}
		return packets(l, reader, nil)
	}
	reader, err := pcapng.NewReader(in)
	if err != nil {
		return err
	}
	return packets(l, reader, reader)
}
