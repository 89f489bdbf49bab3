package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"metaroce/gen/load"
)

// validate checks a value with the few words of JSON Schema that the target uses; any other word is a mistake of the
// target. The answer is the path of the first thing that is wrong, or "".
func validate(t *testing.T, schema map[string]any, value any, at string) string {
	t.Helper()
	for word, rule := range schema {
		if wrong := validateWord(t, schema, word, rule, value, at); wrong != "" {
			return wrong
		}
	}
	return ""
}

func validateWord(t *testing.T, schema map[string]any, word string, rule, value any, at string) string {
	t.Helper()
	object, _ := value.(map[string]any)
	text, _ := value.(string)
	bad := func(wrong bool) string {
		if wrong {
			return at + ": " + word
		}
		return ""
	}
	switch word {
	case "$schema", "$comment", "title", "description":
		return ""
	case "type":
		return bad(kindOf(value) != rule)
	case "enum":
		return bad(!slices.Contains(rule.([]any), value))
	case "pattern":
		return bad(!regexp.MustCompile(rule.(string)).MatchString(text))
	case "minLength":
		return bad(len(text) < 1)
	case "minimum":
		return bad(integer(value).Cmp(integer(rule)) < 0)
	case "maximum":
		return bad(integer(value).Cmp(integer(rule)) > 0)
	case "required":
		return bad(slices.ContainsFunc(rule.([]any), func(key any) bool { _, ok := object[key.(string)]; return !ok }))
	case "additionalProperties":
		return unknownKey(schema, object, at)
	case "anyOf":
		return bad(!slices.ContainsFunc(rule.([]any), func(s any) bool { return validate(t, s.(map[string]any), value, at) == "" }))
	case "properties":
		for key, property := range rule.(map[string]any) {
			if v, ok := object[key]; ok {
				if wrong := validate(t, property.(map[string]any), v, at+"."+key); wrong != "" {
					return wrong
				}
			}
		}
		return ""
	case "items":
		list, _ := value.([]any)
		for i, v := range list {
			if wrong := validate(t, rule.(map[string]any), v, fmt.Sprintf("%s[%d]", at, i)); wrong != "" {
				return wrong
			}
		}
		return ""
	}
	t.Fatalf("schema word %q is not JSON Schema, or not known here", word)
	return ""
}

// unknownKey is additionalProperties false.
func unknownKey(schema, object map[string]any, at string) string {
	for key := range object {
		if _, ok := schema["properties"].(map[string]any)[key]; !ok {
			return at + "." + key + ": unknown"
		}
	}
	return ""
}

func kindOf(v any) any {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case uint64, int64, int:
		return "integer"
	}
	return fmt.Sprintf("%T", v)
}

// integer reads a number of either side.
func integer(v any) *big.Int {
	n, ok := new(big.Int).SetString(fmt.Sprint(v), 10)
	if !ok {
		return big.NewInt(-1)
	}
	return n
}

// schemas is the schema of each spec file, as committed.
func schemas(t *testing.T, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "spec", "schema", strings.TrimSuffix(name, ".yaml")+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var schema map[string]any
	if err := decoder.Decode(&schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// check validates the content of a spec file.
func check(t *testing.T, name, content string) string {
	t.Helper()
	var value map[string]any
	if err := yaml.Unmarshal([]byte(content), &value); err != nil {
		t.Fatal(err)
	}
	return validate(t, schemas(t, name), value, "")
}

func TestSpecIsValidAndMistakesAreNot(t *testing.T) {
	content := map[string]string{}
	for _, name := range load.FileNames {
		data, err := os.ReadFile(filepath.Join("..", "spec", name))
		if err != nil {
			t.Fatal(err)
		}
		content[name] = string(data)
		if wrong := check(t, name, content[name]); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
	}
	for _, c := range []struct{ name, file, old, new, want string }{
		{"unknown key", "constants.yaml", "{name: wire_version,", "{name: wire_version, colour: 1,", ".constants[0].colour: unknown"},
		{"missing key", "constants.yaml", "{name: wire_version, value: 1,", "{name: wire_version,", ".constants[0]: required"},
		{"missing provenance", "constants.yaml", `, assumed: "first version of the interim profile"`, "", ".constants[0]: anyOf"},
		{"bits out of range", "constants.yaml", "value: 1, bits: 4", "value: 1, bits: 65", ".constants[0].bits: maximum"},
		{"unknown enum", "wire.yaml", "enum: opcode,", "enum: opcodes,", ".headers[5].fields[6].enum: enum"},
		{"unknown fact", "wire.yaml", "public: P3", "public: P99", ".headers[6].public: enum"},
		{"unknown style", "units.yaml", "style: axis", "style: avalon", ".units[3].ports[0].style: enum"},
		{"unknown size in a sweep", "units.yaml", "sweep: [[connections, streams]]", "sweep: [[planes]]", ".units[1].sweep[0][0]: enum"},
		{"name in camel case", "units.yaml", "- name: sack\n", "- name: theSack\n", ".units[0].name: pattern"},
		{"size beyond its range", "constants.yaml", "reorder_depth: 16", "reorder_depth: 512", ".configurations[0].reorder_depth: maximum"},
		{"number as text", "profile.yaml", "version: 1", `version: "1"`, ".profile.version: type"},
	} {
		if !strings.Contains(content[c.file], c.old) {
			t.Fatalf("%s: %s does not hold %q any more", c.name, c.file, c.old)
		}
		if got := check(t, c.file, strings.Replace(content[c.file], c.old, c.new, 1)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
