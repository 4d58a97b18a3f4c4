//go:build unix

package run

import (
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
)

// A run has its summary even if the signal came before the first input was opened.
func TestInterruptedBeforeTheFirstInput(t *testing.T) { // not parallel: the signal is the process's
	var interrupt input.Interrupt
	stop := interrupt.Watch(false)
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for !interrupt.Happened() {
		runtime.Gosched()
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	r := &pass{plan: &plan{Console: &console.Console{Stderr: to}, Settings: new(Settings)}, interrupt: &interrupt}
	if r.wantsMore() {
		t.Error("an input is opened after the signal")
	}
	if err := r.report(); err == nil {
		t.Error("the run has no exit status")
	}
	to.Close()
	text, err := io.ReadAll(from)
	if want := "q3dissect: 0 packets: 0 game datagrams, 0 messages"; err != nil || !strings.HasPrefix(string(text), want) {
		t.Errorf("standard error has %q, %v; want %s", text, err, want)
	}
}
