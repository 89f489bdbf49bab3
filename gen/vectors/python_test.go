package vectors

import (
	"os/exec"
	"strings"
	"testing"
)

// pythonCheck packs and unpacks every example with the generated Python, and tries what must be refused.
const pythonCheck = `
import json, pathlib, sys
sys.path.insert(0, "cocotb-bridge/python/metaroce_bridge")
import generated as g

checked = 0

def same(what, got, want):
    global checked
    checked += 1
    if got != want:
        raise SystemExit(f"{what}: got {got}, want {want}")

def refused(what, kind, call, *arguments):
    try:
        call(*arguments)
    except kind:
        return
    raise SystemExit(f"{what}: no {kind.__name__}")

def check(what, layout, vector, pack, unpack):
    values = {name: int(text, 16) for name, text in vector["fields"].items()}
    data = bytes.fromhex(vector["bytes"])
    same(what, pack(layout, values).hex(), vector["bytes"])
    same(what, unpack(layout, data), values)
    for cut in range(len(data)):
        refused(f"{what} cut to {cut} bytes", ValueError, unpack, layout, data[:cut])
    field = layout.fields[0]
    refused(f"{what} with a value too wide", ValueError, pack, layout, {field.name: 1 << field.bits})
    refused(f"{what} with a negative value", ValueError, pack, layout, {field.name: -1})
    refused(f"{what} with an unknown field", KeyError, pack, layout, {"no_such_field": 0})

root = pathlib.Path("verification/vectors")
for path in sorted((root / "wire").glob("*.json")):
    document = json.loads(path.read_text())
    for i, vector in enumerate(document["vectors"]):
        check(f"{path.name} {i}", g.HEADERS[document["header"]], vector, g.pack_header, g.unpack_header)
for path in sorted((root / "beats").glob("*.json")):
    document = json.loads(path.read_text())
    for i, vector in enumerate(document["vectors"]):
        port = g.UNITS[document["unit"]].port(vector["port"])
        check(f"{path.name} {i}", port, vector, g.pack_beat, g.unpack_beat)
        for field in port.fields:
            if field.bits % 8:
                data = bytearray.fromhex(vector["bytes"])
                data[field.offset + field.size - 1] |= 0x80
                refused(f"{path.name} {i} with a spare bit of {field.name}", ValueError, g.unpack_beat, port, bytes(data))

same("enum", g.ENUMS["sack_class"](2).name, "DUPLICATE")
same("flags", g.BaseFlag.FIRST | g.BaseFlag.TAIL, g.BaseFlag(17))
same("hash", int(g.SPEC_HASH[:16], 16), g.SPEC_HASH64)
refused("port", KeyError, g.UNITS["sack"].port, "no_such_port")
print(checked)
`

func TestPythonAgrees(t *testing.T) {
	skipWithout(t, "python3", exec.LookPath)
	s := loadSpec(t)
	examples := 0
	for _, h := range s.Headers {
		examples += len(readCodecFile(t, "wire/"+h.Name+".json").Vectors)
	}
	for _, u := range s.Units {
		examples += len(readCodecFile(t, "beats/"+u.Name+".json").Vectors)
	}
	command := exec.Command("python3", "-B", "-c", pythonCheck)
	command.Dir = root
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := strings.TrimSpace(string(out)), decimal(2*examples+3); got != want {
		t.Errorf("%s comparisons, want %s", got, want)
	}
}
