package vectors

import (
	"fmt"
	"math/big"
	"reflect"

	"metaroce/gen/output"
	"metaroce/golden/event"
	"metaroce/golden/wire"
)

// encoder makes the bytes of a header or beat from its fields by name.
type encoder func(map[string]*big.Int) ([]byte, error)

// headers is the generated Go codec of each header.
var headers = map[string]encoder{
	"ethernet": encodes[wire.Ethernet](), "vlan": encodes[wire.Vlan](), "ipv4": encodes[wire.Ipv4](), "ipv6": encodes[wire.Ipv6](),
	"udp": encodes[wire.Udp](), "base": encodes[wire.Base](), "data": encodes[wire.Data](), "ack": encodes[wire.Ack](),
	"trailer": encodes[wire.Trailer](),
}

// beats is the generated Go codec of each port.
var beats = map[string]encoder{
	"sack.s_req": encodes[event.SackReq](), "sack.m_rsp": encodes[event.SackRsp](), "sack.dbg_update": encodes[event.SackDbgUpdate](),
	"rob.s_req": encodes[event.RobReq](), "rob.m_rsp": encodes[event.RobRsp](), "rob.m_cqe": encodes[event.RobCqe](),
	"rob.dbg_update": encodes[event.RobDbgUpdate](), "rob.dbg_floor": encodes[event.RobDbgFloor](),
	"rate.s_req": encodes[event.RateReq](), "rate.m_rsp": encodes[event.RateRsp](), "rate.dbg_update": encodes[event.RateDbgUpdate](),
	"rx.s_axis": encodes[event.RxAxisIn](), "rx.s_cfg": encodes[event.RxCfg](), "rx.m_place": encodes[event.RxPlace](),
	"rx.m_payload": encodes[event.RxPayload](), "rx.m_cqe": encodes[event.RxCqe](), "rx.m_axis": encodes[event.RxAxisOut](),
	"rx.dbg_update": encodes[event.RxDbgUpdate](),
}

// encodes is the encoder of a generated type, whose fields are found by name. Only this generator does that; the codecs
// themselves use no reflection.
func encodes[T appender]() encoder {
	return func(values map[string]*big.Int) ([]byte, error) {
		var record T
		v := reflect.ValueOf(&record).Elem()
		for name, value := range values {
			f := v.FieldByName(output.Camel(name))
			if !f.IsValid() {
				return nil, fmt.Errorf("type %s has no field for %s", v.Type(), name)
			}
			set(f, value)
		}
		return record.Append(nil), nil
	}
}

// set gives a field of a generated struct a value.
func set(f reflect.Value, value *big.Int) {
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(value.Sign() != 0)
	case reflect.Array:
		setArray(f, value)
	default:
		f.SetUint(value.Uint64())
	}
}

// setArray sets a wide field: an array of 64-bit words has the lowest first; of bytes, a 16-byte address the highest first
// and 64 bytes of a bus the lowest first.
func setArray(f reflect.Value, value *big.Int) {
	n := f.Len()
	if f.Type().Elem().Kind() == reflect.Uint64 {
		for i := range n {
			word := new(big.Int).Rsh(value, uint(64*i))
			f.Index(i).SetUint(word.And(word, ones(64)).Uint64())
		}
		return
	}
	bytes := value.FillBytes(make([]byte, n))
	for i := range n {
		at := i
		if n == 64 {
			at = n - 1 - i
		}
		f.Index(i).SetUint(uint64(bytes[at]))
	}
}
