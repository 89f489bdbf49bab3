package bugs

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const rtl = "../../rtl"

func TestEveryBugAppliesAndChangesSomething(t *testing.T) {
	all, err := All()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 16)
	patches, err := files.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, patches, len(all)+1, "each patch has its entry in bugs.yaml")
	clean, err := digestTree(rtl, nil)
	require.NoError(t, err)
	for i := range all {
		copied, err := all[i].Apply(rtl, t.TempDir())
		require.NoError(t, err, all[i].Name)
		changed, err := digestTree(copied, nil)
		require.NoError(t, err)
		require.NotEqual(t, clean, changed, all[i].Name)
		require.FileExists(t, filepath.Join(copied, "mr_"+all[i].Unit+".v"))
	}
}

// TestTwoProcessesMayWantTheSameCopy applies one bug many times at once: every caller gets a whole copy.
func TestTwoProcessesMayWantTheSameCopy(t *testing.T) {
	bug, err := ByName("sack-wrap")
	require.NoError(t, err)
	parent := t.TempDir()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			copied, err := bug.Apply(rtl, parent)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(filepath.Join(copied, "generated", "mr_profile.vh")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, entries, 1, "one copy, and nothing left of the attempts")
}

func TestRTLThatAPatchDoesNotFitIsRefused(t *testing.T) {
	bug, err := ByName("sack-wrap")
	require.NoError(t, err)
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "mr_seq_before.v"), []byte("module mr_seq_before;\nendmodule\n"), 0o644))
	_, err = bug.Apply(other, t.TempDir())
	require.ErrorContains(t, err, "sack-wrap.patch:3: rtl/mr_seq_before.v: the hunk's lines are not in the file")
	_, err = bug.Apply(filepath.Join(other, "missing"), t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}
