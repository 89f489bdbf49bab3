package vectors

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// codecFile is the examples of one header or of one unit's beats.
type codecFile struct {
	Comment string    `json:"$comment"`
	Schema  int       `json:"schema_version"`
	Header  string    `json:"header,omitempty"`
	Unit    string    `json:"unit,omitempty"`
	Vectors []example `json:"vectors"`
}

// example is one header or beat: the value of each field in hex, and the bytes.
type example struct {
	Port   string            `json:"port,omitempty"`
	Fields map[string]string `json:"fields"`
	Bytes  string            `json:"bytes"`
}

// randomExamples is the number of examples with random fields, besides the one of zeros and those with one field of ones.
const randomExamples = 6

// codecFiles is the examples that every language's codec is checked with. The bytes are the Go codec's.
func codecFiles(s *model.Spec) ([]output.File, error) {
	var files []output.File
	for i := range s.Headers {
		h := &s.Headers[i]
		f := codecFile{Comment: comment(s), Schema: 1, Header: h.Name}
		var fields []field
		for _, x := range h.Fields {
			fields = append(fields, field{x.Name, x.Bits})
		}
		if err := f.addExamples("", fields, headers[h.Name], uint64(i)); err != nil {
			return nil, fmt.Errorf("header %s: %w", h.Name, err)
		}
		if err := addFile(&files, "wire/"+h.Name+".json", f); err != nil {
			return nil, err
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		f := codecFile{Comment: comment(s), Schema: 1, Unit: u.Name}
		for j, p := range u.Ports {
			var fields []field
			for _, x := range p.Fields {
				fields = append(fields, field{x.Name, x.Bits})
			}
			if err := f.addExamples(p.Name, fields, beats[u.Name+"."+p.Name], uint64(1000+100*i+j)); err != nil {
				return nil, fmt.Errorf("port %s of unit %s: %w", p.Name, u.Name, err)
			}
		}
		if err := addFile(&files, "beats/"+u.Name+".json", f); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func addFile(files *[]output.File, name string, f codecFile) error {
	data, err := document(f)
	*files = append(*files, output.File{Path: directory + name, Data: data})
	return err
}

// field is a name and a width in bits.
type field struct {
	name string
	bits int
}

// addExamples adds the examples of one header or port: all zeros, each field all ones by itself, and random ones.
func (f *codecFile) addExamples(port string, fields []field, encode encoder, seed uint64) error {
	if encode == nil {
		return fmt.Errorf("gen/vectors does not know its Go type")
	}
	random := rand.New(rand.NewPCG(seed, 5))
	for i := range 1 + len(fields) + randomExamples {
		values := map[string]*big.Int{}
		for j, x := range fields {
			switch {
			case i == 0 || i <= len(fields) && i != j+1:
				values[x.name] = new(big.Int)
			case i == j+1:
				values[x.name] = ones(x.bits)
			default:
				values[x.name] = randomBits(random, x.bits)
			}
		}
		bytes, err := encode(values)
		if err != nil {
			return err
		}
		e := example{Port: port, Fields: map[string]string{}, Bytes: hex.EncodeToString(bytes)}
		for name, v := range values {
			e.Fields[name] = v.Text(16)
		}
		f.Vectors = append(f.Vectors, e)
	}
	return nil
}

// ones is 2^bits - 1.
func ones(bits int) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return v.Sub(v, big.NewInt(1))
}

// randomBits is a number of so many bits.
func randomBits(r *rand.Rand, bits int) *big.Int {
	v := new(big.Int)
	for range (bits + 63) / 64 {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(r.Uint64()))
	}
	return v.And(v, ones(bits))
}
