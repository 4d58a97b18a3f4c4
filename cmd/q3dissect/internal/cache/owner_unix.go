//go:build unix

package cache

import (
	"io/fs"
	"os"
	"syscall"
)

// own reports whether a file or folder belongs to the user whose rights the program has.
func own(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
