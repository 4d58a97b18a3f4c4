//go:build unix

package recover

import (
	"syscall"
	"time"
)

// cpu returns the processor time that the test took so far.
func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano()).Round(time.Millisecond)
}
