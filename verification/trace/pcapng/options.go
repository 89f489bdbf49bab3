package pcapng

import (
	"metaroce/verification/trace"
)

// appendOptions appends the options in b, which is what a block has behind its fixed part. Values point into b.
// An end-of-options entry is allowed to be missing, as the standard allows.
func (p *Reader) appendOptions(dst []trace.Option, at int64, b []byte) ([]trace.Option, error) {
	for len(b) >= 4 {
		code, length := p.order.Uint16(b), int(p.order.Uint16(b[2:]))
		if code == optEnd {
			return dst, nil
		}
		if 4+padded(length) > len(b) {
			return dst, trace.Malformedf(at, "option %d of %d bytes does not fit its block: %d bytes are left", code, length, len(b)-4)
		}
		dst = append(dst, trace.Option{Code: code, Value: b[4 : 4+length]})
		b = b[4+padded(length):]
	}
	if len(b) != 0 {
		return dst, trace.Malformedf(at, "%d stray bytes behind the options", len(b))
	}
	return dst, nil
}

// kept copies options out of the reader's buffer.
func kept(options []trace.Option) []trace.Option {
	out := make([]trace.Option, len(options))
	for i, o := range options {
		out[i] = trace.Option{Code: o.Code, Value: append([]byte(nil), o.Value...)}
	}
	return out
}

func comments(dst []string, options []trace.Option) []string {
	for _, o := range options {
		if o.Code == optComment {
			dst = append(dst, string(o.Value))
		}
	}
	return dst
}

// find returns the value of the first option with the code.
func find(options []trace.Option, code uint16) ([]byte, bool) {
	for _, o := range options {
		if o.Code == code {
			return o.Value, true
		}
	}
	return nil, false
}
