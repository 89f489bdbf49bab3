package load

import "testing"

func TestLoadRepositorySpec(t *testing.T) {
	spec, err := Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%x", spec.Hash)
}
