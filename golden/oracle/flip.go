package oracle

import "reflect"

// Fields is the number of fields of the struct that v points to.
func Fields(v any) int { return reflect.TypeOf(v).Elem().NumField() }

// Flip changes one field of the struct that v points to, in its lowest bit or, for an array of words, in the highest bit of
// the last. With it a test shows that its comparison sees every field. It returns the field's name.
func Flip(v any, field int) string {
	f := reflect.ValueOf(v).Elem().Field(field)
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Array:
		last := f.Index(f.Len() - 1)
		last.SetUint(last.Uint() ^ 1<<(last.Type().Bits()-1))
	default:
		f.SetUint(f.Uint() ^ 1)
	}
	return reflect.TypeOf(v).Elem().Field(field).Name
}
