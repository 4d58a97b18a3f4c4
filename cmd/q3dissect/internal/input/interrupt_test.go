//go:build unix

package input

import (
	"runtime"
	"syscall"
	"testing"
)

// TestInterrupt: a signal ends the reading and gives its status. SIGINT leaves the end of a pipe to the program that
// feeds it, and its status stays the same.
func TestInterrupt(t *testing.T) { // not parallel: the signals are the process's
	for _, tc := range []struct {
		piped  bool
		signal syscall.Signal
		ends   bool
		status int
	}{
		{false, syscall.SIGINT, true, 130},
		{false, syscall.SIGTERM, true, 143},
		{true, syscall.SIGINT, false, 130},
		{true, syscall.SIGTERM, true, 143},
	} {
		var i Interrupt
		stop := i.Watch(tc.piped)
		if i.Status() != 0 || i.Happened() {
			t.Errorf("%v: status %d before the signal", tc.signal, i.Status())
		}
		if err := syscall.Kill(syscall.Getpid(), tc.signal); err != nil {
			t.Fatal(err)
		}
		for i.Status() == 0 {
			runtime.Gosched()
		}
		stop()
		if i.Status() != tc.status || i.Happened() != tc.ends {
			t.Errorf("%v, piped %v: status %d, ended %v", tc.signal, tc.piped, i.Status(), i.Happened())
		}
	}
}
