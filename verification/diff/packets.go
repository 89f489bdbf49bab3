package diff

import (
	"fmt"
	"io"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/capture"
	"metaroce/verification/compare"
	"metaroce/verification/trace"
	"metaroce/verification/trace/pcap"
	"metaroce/verification/trace/pcapng"
	"metaroce/verification/verdict"
)

// packets judges a pcap or pcapng file.
func packets(in Source, format trace.Format, o Options, report *verdict.Report) error {
	if o.Level == compare.Cycle {
		return fmt.Errorf("a capture holds frames, not the cycles of their beats: it can be judged at level order only")
	}
	if o.Scope != "" {
		return fmt.Errorf("a capture has no scopes: --scope %q is for VCD files", o.Scope)
	}
	if format == trace.FormatPcap {
		return foreign(in, o, report)
	}
	reader, err := pcapng.NewReader(buffered(in))
	if trace.IsTruncated(err) {
		_, err = ending(err, report)
		report.Verdict = verdict.Truncated
		report.Close()
		return err
	}
	if err != nil {
		return err
	}
	own, ok, err := capture.NewReader(reader)
	if err != nil {
		return err
	}
	if !ok {
		return foreign(in, o, report)
	}
	if o.Unit != "" && o.Unit != own.Meta.Unit {
		return fmt.Errorf("the capture is of unit %s, but %s is asked for", own.Meta.Unit, o.Unit)
	}
	return ownCapture(own, o, report)
}

// windowCycles is how far the model stays behind the file: a frame is in the file where it ends, so one that began
// earlier may still come.
const windowCycles = 512

// match is one comparison of packets with the model.
type match struct {
	unit     *event.Unit
	model    *follower
	comparer *compare.Comparer
	places   []*places // of each port's records in the file
}

func newMatch(unit engine.Unit) *match {
	m := &match{unit: unit.Info(), comparer: compare.New(unit.Info(), compare.Order)}
	m.model = newFollower(unit, m.comparer.Model)
	for range m.unit.Ports {
		m.places = append(m.places, &places{})
	}
	return m
}

func ownCapture(in *capture.Reader, o Options, report *verdict.Report) error {
	if o.Setup != nil {
		return fmt.Errorf("the capture has its own configuration beats: --setup is for captures without")
	}
	config, err := chooseConfig(o.Config, in.Meta.Config, report)
	if err != nil {
		return err
	}
	unit, err := engine.New(in.Meta.Unit, config)
	if err != nil {
		return err
	}
	report.Seed = in.Meta.Seed
	if in.Meta.Spec != "" && in.Meta.Spec != report.SpecHash {
		note(report, "the capture was written from spec %.16s, this model is of spec %.16s", in.Meta.Spec, report.SpecHash)
	}
	m := newMatch(unit)
	complete, err := m.follow(in, report)
	if err != nil {
		return err
	}
	m.finish(report, complete)
	return nil
}

// follow reads the capture to its end or to the first difference.
func (m *match) follow(in *capture.Reader, report *verdict.Report) (complete bool, err error) {
	for m.comparer.First() == nil {
		item, err := in.Read()
		if err != nil {
			m.watch(in)
			return ending(err, report)
		}
		m.watch(in)
		m.model.advance(item.Cycle - min(item.Cycle, windowCycles))
		if err := m.take(item); err != nil {
			return false, fmt.Errorf("packet %d: %w", item.Packet.Number, err)
		}
	}
	return true, nil
}

func (m *match) watch(in *capture.Reader) {
	for _, name := range in.Watched() {
		if p, ok := m.unit.PortByName(name); ok {
			m.model.watched[p.ID] = p.Direction == event.Out
		}
	}
}

// take gives one packet's beats to the model or to the comparison.
func (m *match) take(item *capture.Item) error {
	if !item.Frame {
		m.beat(item.Port, item.Cycle, item.Packet.Data)
		m.places[item.Port.ID].add(item.Packet)
		return nil
	}
	i := uint64(0)
	err := capture.Beats(item.Port, item.Packet.Data, item.Beats, item.Bad, func(beat []byte) {
		i++
		cycle := min(item.First+i-1, item.Cycle)
		if i == item.Beats {
			cycle = item.Cycle
		}
		m.beat(item.Port, cycle, beat)
	})
	m.places[item.Port.ID].add(item.Packet)
	return err
}

func (m *match) beat(port *event.Port, cycle uint64, beat []byte) {
	if port.Direction == event.In {
		m.model.offer(port.ID, cycle, beat)
		return
	}
	m.model.expect(port.ID, cycle)
	m.comparer.Device(engine.Record{Cycle: cycle, Port: port.ID, Beat: beat})
}

// finish lets the model run out and writes the report.
func (m *match) finish(report *verdict.Report, complete bool) {
	if m.comparer.First() == nil {
		m.model.drain()
	}
	counters := m.model.unit.AppendCounters(nil)
	end := compare.End{Complete: true, Cycle: m.model.now, Counters: counters}
	device := end
	device.Complete = complete
	if complete && m.comparer.First() == nil && !m.model.idle() {
		note(report, "the model did not take all inputs")
		end.Hang = true
	}
	m.comparer.Finish(report, end, device)
	note(report, "counters are not in a capture: not compared; hold times and the times of records are the device's")
	if d := report.First; d != nil {
		m.place(d)
		describe(d, m.model.unit, m.comparer.Subject())
	}
}

// place says where in the file the difference is.
func (m *match) place(d *verdict.Difference) {
	port, ok := m.unit.PortByName(d.Port)
	if !ok {
		return
	}
	p, ok := m.places[port.ID].at(d.Record)
	if !ok || d.Kind == verdict.KindMissing && d.GotRecord == "" {
		return
	}
	d.Time = p.time
	d.Signal = fmt.Sprintf("packet %d", p.number)
}

// describe adds the model's state of the context that the difference is about, as it is now.
func describe(d *verdict.Difference, unit engine.Unit, subject *engine.Record) {
	if subject == nil {
		return
	}
	var text writer
	unit.Describe(&text, int(subject.Port), subject.Beat)
	if d.ModelState != "" && text.b != nil {
		d.ModelState += "\n"
	}
	d.ModelState += string(text.b)
}

type writer struct{ b []byte }

func (w *writer) Write(b []byte) (int, error) {
	w.b = append(w.b, b...)
	return len(b), nil
}

// foreign judges a capture that was not written by this toolkit.
func foreign(in Source, o Options, report *verdict.Report) error {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return adopt(in, o, report)
}

// openPackets opens a pcap or pcapng file from its start.
func openPackets(in Source) (trace.PacketReader, error) {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	b := buffered(in)
	start, err := b.Peek(4)
	if err != nil {
		return nil, err
	}
	if format, err := trace.Detect(start); err != nil {
		return nil, err
	} else if format == trace.FormatPcap {
		return pcap.NewReader(b)
	}
	return pcapng.NewReader(b)
}
