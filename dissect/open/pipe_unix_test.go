//go:build unix

package open_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

// pipe makes a pipe with a name.
func pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}
