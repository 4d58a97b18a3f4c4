package command

import (
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/q3dissect/q3dissect/dissect/all"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// TestMain lets the test binary run as q3dissect itself, as a script would start it.
func TestMain(m *testing.M) {
	if os.Getenv("XDG_CACHE_HOME") == "" { // tests leave the user's cache alone; scripts have their own
		if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" { // of the tests that run go
			os.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
		}
		os.Setenv("XDG_CACHE_HOME", os.DevNull)
	}
	if filepath.Ext(os.Args[0]) == ".test" { // not a program that a script starts: some are watched for their memory
		debug.SetGCPercent(200)
	}
	testscript.Main(m, map[string]func(){
		"q3dissect":        func() { os.Exit(Main(all.Protocols()...)) },
		"q3dissect-server": runRequests,
	})
}

// TestScript runs testdata/script: one behaviour each. Beside the commands of testscript there are
//
//	run        q3dissect ARGUMENTS... is exec in the script's own process, see server
//	mkpcap     writes a small capture, see makeCapture
//	closepipe  LINES COMMAND...  runs a command whose output is closed after some lines, and expects status 0
//	interrupt  SIGNAL COMMAND... sends a signal to a command after its first line
//	live       COMMAND...        feeds a capture to a command packet by packet, each after the record before
//	terminal   COLUMNS COMMAND... runs a command with a terminal for standard output; the text goes to stdout
//	status     N COMMAND...      runs a command and expects an exit status
//	truncate   FILE BYTES OUT    copies the first bytes of a file; a negative number counts from its end
func TestScript(t *testing.T) {
	samples, err := filepath.Abs(filepath.Join("..", "..", "..", "samples", "quake3"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("TZ", "UTC")
			env.Setenv("ESC", "\x1b")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // with -race every program would take a second to end
			s := &server{}
			env.Values[serverKey{}] = s
			env.Defer(func() {
				if err := s.close(); err != nil {
					t.Error(err)
				}
			})
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"run":       runProgram,
			"mkpcap":    makeCapture,
			"closepipe": closePipe,
			"interrupt": interruptCommand,
			"live":      feedLive,
			"terminal":  onTerminal,
			"status":    expectStatus,
			"truncate":  truncate,
		},
	})
}
