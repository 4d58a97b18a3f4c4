//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// signals sends SIGTERM to this process, which it does not kill, again and again until the returned function is called.
func signals(t *testing.T) (stop func()) {
	t.Helper()
	taken := make(chan os.Signal, 1)
	signal.Notify(taken, syscall.SIGTERM)
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case <-time.After(30 * time.Millisecond):
				if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	return func() {
		close(over)
		<-ended
		signal.Stop(taken)
	}
}
