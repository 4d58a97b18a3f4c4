package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
)

// programHead is how much of the program's file is read: linkers put the identity of a build there.
const programHead = 64 << 10

// program identifies the build of the running program: its version, and size, time and beginning of its file. Another
// build may find something else in the same file. "": its file cannot be read.
func program() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%+v %d %d\n", version.Read(), info.Size(), info.ModTime().UnixNano())
	if _, err := io.CopyN(h, f, programHead); err != nil && err != io.EOF {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
