package report

import "slices"

// scale maps low..high onto from..to.
func scale(low, high, from, to float64) func(float64) float64 {
	if high <= low {
		high = low + 1
	}
	return func(v float64) float64 { return from + (v-low)/(high-low)*(to-from) }
}

// quantiles are the 4th and the 96th of a hundred parts of the values.
func quantiles(values []int64) (low, high int64) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)*4/100], sorted[(len(sorted)-1)*96/100]
}
