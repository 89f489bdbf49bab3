package bugs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const file = "one\ntwo\nthree\nfour\nfive\n"

func apply(t *testing.T, patchText, text string) (string, error) {
	t.Helper()
	p, err := parsePatch("x.patch", patchText)
	require.NoError(t, err)
	require.Len(t, p.files, 1)
	return p.files[0].apply(p.name, text)
}

const patchTwo = "--- a/rtl/x.v\n+++ b/rtl/x.v\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"

func TestHunkAppliesWhereItSays(t *testing.T) {
	got, err := apply(t, patchTwo, file)
	require.NoError(t, err)
	require.Equal(t, "one\nTWO\nthree\nfour\nfive\n", got)
}

func TestHunkFindsItsLinesFurtherDown(t *testing.T) {
	got, err := apply(t, patchTwo, "zero\n"+file)
	require.NoError(t, err)
	require.Equal(t, "zero\none\nTWO\nthree\nfour\nfive\n", got)
}

func TestHunkOfAnotherVersionIsRefused(t *testing.T) {
	_, err := apply(t, patchTwo, "one\n2\nthree\n")
	require.ErrorContains(t, err, "x.patch:3: rtl/x.v: the hunk's lines are not in the file")
}

func TestAmbiguousHunkIsRefused(t *testing.T) {
	_, err := apply(t, patchTwo, "zero\n"+file+file)
	require.ErrorContains(t, err, "at line 2 and at line 7")
}

func TestSecondHunkFollowsTheFirst(t *testing.T) {
	got, err := apply(t, "--- a/rtl/x.v\n+++ b/rtl/x.v\n@@ -1,2 +1,3 @@\n one\n+more\n two\n@@ -4,2 +5,1 @@\n four\n-five\n", file)
	require.NoError(t, err)
	require.Equal(t, "one\nmore\ntwo\nthree\nfour\n", got)
}

func TestMalformedPatches(t *testing.T) {
	head := "--- a/rtl/x.v\n+++ b/rtl/x.v\n"
	for name, text := range map[string]string{
		"no file":        "",
		"no hunk":        head,
		"hunk first":     "@@ -1,1 +1,1 @@\n-a\n+b\n",
		"rename":         "--- a/rtl/x.v\n+++ b/rtl/y.v\n",
		"half a header":  "--- a/rtl/x.v\n",
		"count too big":  head + "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n",
		"no change":      head + "@@ -1,1 +1,1 @@\n one\n",
		"stray line":     head + "hello\n",
		"bad mark":       head + "@@ -1,2 +1,2 @@\n one\n*two\n",
		"counts missing": head + "@@ -1 +1 @@\n-a\n+b\n",
	} {
		_, err := parsePatch("x.patch", text)
		require.Error(t, err, name)
	}
}
