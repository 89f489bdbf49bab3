package cc

// The tables of the spec. The model divides where the hardware looks up: an entry is by definition the quotient, and a
// division costs less than the cache lines of a table do when thousands of connections are simulated.

// timePerByte is the time per byte at mantissa 1, exponent 0: 125,000 ns in units of 2^-10 ns.
const timePerByte = 125000 << 10

// markReciprocal is floor(2^24 / n), 25 bits; 0 for n = 0.
func markReciprocal(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return 1 << 24 / n
}

// rateReciprocal is ceil(125000 * 2^10 / m), 27 bits; 0 for m = 0. It is rounded up so that no rate is exceeded.
func rateReciprocal(m uint32) uint32 {
	if m == 0 {
		return 0
	}
	return (timePerByte + m - 1) / m
}

// MarkReciprocal is the table mark_reciprocal (spec: rate.fraction).
func MarkReciprocal() (table [256]uint32) {
	for n := range table {
		table[n] = markReciprocal(uint32(n))
	}
	return table
}

// RateReciprocal is the table rate_reciprocal (spec: rate.interval).
func RateReciprocal() (table [2048]uint32) {
	for m := range table {
		table[m] = rateReciprocal(uint32(m))
	}
	return table
}
