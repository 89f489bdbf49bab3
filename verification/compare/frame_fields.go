package compare

import (
	"fmt"
	"strings"
	"unicode"

	"reflect"

	"metaroce/golden/wire"
)

// frameField is one decoded field of a frame, as "header.field".
type frameField struct{ name, value string }

// decodeFrame is a frame's headers field by field, for reports. What cannot be decoded is left out.
func decodeFrame(frame []byte) []frameField {
	u, ok := udpPayload(frame)
	if !ok {
		return nil
	}
	var fields []frameField
	ethernet, n, _ := wire.ParseEthernet(frame)
	fields = appendFields(fields, "ethernet", ethernet)
	ethertype := uint64(ethernet.Ethertype)
	if ethertype == ethertypeVLAN {
		vlan, size, _ := wire.ParseVlan(frame[n:])
		fields = appendFields(fields, "vlan", vlan)
		n += size
		ethertype = uint64(vlan.Ethertype)
	}
	if ethertype == ethertypeIPv6 {
		ip, _, _ := wire.ParseIpv6(frame[n:])
		fields = appendFields(fields, "ipv6", ip)
	} else {
		ip, _, _ := wire.ParseIpv4(frame[n:])
		fields = appendFields(fields, "ipv4", ip)
	}
	udp, _, _ := wire.ParseUdp(frame[u-wire.UdpBytes:])
	fields = appendFields(fields, "udp", udp)
	base, _, _ := wire.ParseBase(frame[u:])
	fields = appendFields(fields, "base", base)
	ack, _, _ := wire.ParseAck(frame[u+wire.BaseBytes:])
	fields = appendFields(fields, "ack", ack)
	trailer, _, _ := wire.ParseTrailer(frame[len(frame)-wire.TrailerBytes:])
	return appendFields(fields, "trailer", trailer)
}

// appendFields adds a header's fields under the names of the spec.
func appendFields(fields []frameField, header string, h any) []frameField {
	v := reflect.ValueOf(h)
	for i := range v.NumField() {
		fields = append(fields, frameField{header + "." + snake(v.Type().Field(i).Name), formatAny(v.Field(i).Interface())})
	}
	return fields
}

func formatAny(v any) string {
	switch x := v.(type) {
	case [4]uint64:
		return trimZeros(fmt.Sprintf("0x%016x%016x%016x%016x", x[3], x[2], x[1], x[0]))
	case [16]byte:
		return fmt.Sprintf("%x", x)
	case fmt.Stringer:
		return x.String()
	}
	return fmt.Sprintf("%#x", v)
}

// snake turns a Go name back into the spec's.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// describeFrame is a frame on one line: what an ACK says, without its addresses.
func describeFrame(frame []byte) string {
	var parts []string
	for _, f := range decodeFrame(frame) {
		if strings.HasPrefix(f.name, "base.") || strings.HasPrefix(f.name, "ack.") {
			parts = append(parts, f.name+"="+f.value)
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%d bytes %x", len(frame), frame)
	}
	return fmt.Sprintf("%d bytes ", len(frame)) + strings.Join(parts, " ")
}
