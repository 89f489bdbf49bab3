package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// SchemaVersion is that of the JSON document.
const SchemaVersion = 1

// summary is one row with its medians. Ratios are medians of the ratios of each round.
type summary struct {
	Row
	Median      Round   `json:"median"`
	ModelToBare float64 `json:"model_to_bare"`
	BridgeShare float64 `json:"bridge_to_bare"`
	CosimShare  float64 `json:"cosim_to_bare"`
}

func summarise(row Row) summary {
	pick := func(of func(Round) float64) float64 { return median(row.Rounds, of) }
	return summary{
		Row: row,
		Median: Round{
			Model: pick(func(r Round) float64 { return r.Model }), Bare: pick(func(r Round) float64 { return r.Bare }),
			Bridge: pick(func(r Round) float64 { return r.Bridge }), Cosim: pick(func(r Round) float64 { return r.Cosim }),
			ModelCPU: pick(func(r Round) float64 { return r.ModelCPU }), BareCPU: pick(func(r Round) float64 { return r.BareCPU }),
			DeviceCPU: pick(func(r Round) float64 { return r.DeviceCPU }), DriverCPU: pick(func(r Round) float64 { return r.DriverCPU }),
		},
		ModelToBare: pick(func(r Round) float64 { return ratio(r.Model, r.Bare) }),
		BridgeShare: pick(func(r Round) float64 { return ratio(r.Bridge, r.Bare) }),
		CosimShare:  pick(func(r Round) float64 { return ratio(r.Cosim, r.Bare) }),
	}
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// median is that of the rounds, the mean of the middle two where their number is even; 0 of none.
func median(rounds []Round, of func(Round) float64) float64 {
	values := make([]float64, len(rounds))
	for i := range rounds {
		values[i] = of(rounds[i])
	}
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

// WriteText writes one line a unit.
func WriteText(w io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "unit\tconfig\tcycles\tmodel kHz\tRTL bare kHz\tRTL by bridge kHz\tco-simulation kHz\tmodel/bare\tbridge/bare\tco-sim/bare\t")
	for _, row := range rows {
		s := summarise(row)
		fmt.Fprintf(table, "%s\t%s\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t\n", s.Unit, s.Config, s.Cycles,
			s.Median.Model, s.Median.Bare, s.Median.Bridge, s.Median.Cosim, s.ModelToBare, s.BridgeShare, s.CosimShare)
	}
	fmt.Fprintln(table, "\nns of processor time a cycle\tmodel\tRTL bare\tRTL by bridge\tmodel side of co-simulation\t")
	for _, row := range rows {
		m := summarise(row).Median
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t\n", row.Unit, m.ModelCPU, m.BareCPU, m.DeviceCPU, m.DriverCPU)
	}
	return table.Flush()
}

// WriteJSON writes one document: {"schema_version", "units": [row, its rounds, medians and ratios]}.
func WriteJSON(w io.Writer, rows []Row) error {
	list := make([]summary, len(rows))
	for i := range rows {
		list[i] = summarise(rows[i])
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		SchemaVersion int       `json:"schema_version"`
		Units         []summary `json:"units"`
	}{SchemaVersion, list})
}
