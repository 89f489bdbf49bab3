package vcd

// codeTable numbers identifier codes in the order met. Codes of up to maxShort printable bytes, which is what all
// writers use for their first 800,000 signals, are found by index.
type codeTable struct {
	short []int32 // signal + 1
	long  map[string]int
	count int
}

const (
	codeRadix = 94 // printable bytes, from '!'
	maxShort  = 3
)

// index is the place of a short code, or -1.
func index(code []byte) int {
	if len(code) > maxShort {
		return -1
	}
	at := 0
	for _, c := range code {
		if c < '!' || c > '~' {
			return -1
		}
		at = at*(codeRadix+1) + int(c-'!') + 1
	}
	return at
}

func (t *codeTable) add(code string) int {
	if at, ok := t.find([]byte(code)); ok {
		return at
	}
	if i := index([]byte(code)); i >= 0 {
		for len(t.short) <= i {
			t.short = append(t.short, 0)
		}
		t.short[i] = int32(t.count + 1)
	} else {
		if t.long == nil {
			t.long = map[string]int{}
		}
		t.long[code] = t.count
	}
	t.count++
	return t.count - 1
}

func (t *codeTable) find(code []byte) (int, bool) {
	if i := index(code); i >= 0 {
		if i < len(t.short) && t.short[i] > 0 {
			return int(t.short[i]) - 1, true
		}
		return 0, false
	}
	at, ok := t.long[string(code)]
	return at, ok
}
