package command

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
)

// Most lines of scripts run in one process for each script, which the first of them starts: a process has one working
// directory and one environment, so scripts that run at the same time cannot share one. Lines with exec run the program
// as a shell does; those need it that test signals, terminals, standard input, or what a process does once.

// A request is a command line for the server, and what the script has set.
type request struct {
	Dir  string
	Env  map[string]string
	Args []string
}

// An answer is what the command line gave.
type answer struct {
	Status         int
	Stdout, Stderr []byte
}

// scriptVariables are what scripts set of the environment.
var scriptVariables = []string{
	"PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "TZ", "NO_COLOR", "TERM", "GORACE", "GOCOVERDIR", "ANONYMIZE_KEY",
}

// runRequests runs command lines from standard input until it ends.
func runRequests() {
	requests, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var r request
		if err := requests.Decode(&r); err != nil {
			return
		}
		a, err := r.run()
		if err == nil {
			err = answers.Encode(a)
		}
		if err != nil {
			panic(err)
		}
	}
}

// run runs a command line as a process would: its standard streams are pipes, and nothing comes from the first.
func (r *request) run() (a answer, err error) {
	os.Clearenv()
	for name, value := range r.Env {
		err = errors.Join(err, os.Setenv(name, value))
	}
	in, none, err2 := os.Pipe()
	if err := errors.Join(err, err2, os.Chdir(r.Dir), none.Close()); err != nil {
		return a, err
	}
	defer in.Close()
	stdout, readOut, err := collect(&a.Stdout)
	if err != nil {
		return a, err
	}
	stderr, readErr, err := collect(&a.Stderr)
	if err != nil {
		return a, err
	}
	c := &console.Console{Stdin: in, Stdout: stdout, Stderr: stderr, DeriveKey: deriveOnce}
	p := &program{Console: c, protocols: all.Protocols()}
	a.Status = p.main(r.Args)
	return a, errors.Join(readOut(), readErr())
}

// derived are the keys of passphrases. To make one takes a quarter of a second.
var derived sync.Map

// deriveOnce is anonymize.DeriveKey with a memory.
func deriveOnce(passphrase []byte) [32]byte {
	derive, _ := derived.LoadOrStore(string(passphrase), sync.OnceValue(func() [32]byte {
		return anonymize.DeriveKey(passphrase)
	}))
	return derive.(func() [32]byte)()
}

// collect returns a pipe to write to. end closes it and waits until all that was written is in b.
func collect(b *[]byte) (w *os.File, end func() error, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	read := make(chan error, 1)
	go func() {
		all, err := io.ReadAll(r)
		*b = all
		read <- err
	}()
	return w, func() error { return errors.Join(w.Close(), <-read, r.Close()) }, nil
}

// A server is the process of a script.
type server struct {
	cmd      *exec.Cmd
	in       io.Closer
	requests *json.Encoder
	answers  *json.Decoder
}

// serverKey is the key of a script's server among its values.
type serverKey struct{}

// start starts the process, and has the script end it.
func (s *server) start(ts *testscript.TestScript) {
	s.cmd = command(ts, []string{"q3dissect-server"})
	in, err := s.cmd.StdinPipe()
	ts.Check(err)
	out, err := s.cmd.StdoutPipe()
	ts.Check(err)
	s.cmd.Stderr = os.Stderr
	s.in, s.requests, s.answers = in, json.NewEncoder(in), json.NewDecoder(out)
	ts.Check(s.cmd.Start())
}

// close ends the process, if there is one.
func (s *server) close() error {
	if s.cmd == nil {
		return nil
	}
	return errors.Join(s.in.Close(), s.cmd.Wait())
}

// runInServer runs a command line of a script, and gives its exit status.
func runInServer(ts *testscript.TestScript, args []string) int {
	s := ts.Value(serverKey{}).(*server)
	if s.cmd == nil {
		s.start(ts)
	}
	r := request{Dir: ts.MkAbs("."), Env: map[string]string{}, Args: args}
	for _, name := range scriptVariables {
		if value := ts.Getenv(name); value != "" {
			r.Env[name] = value
		}
	}
	var a answer
	ts.Check(s.requests.Encode(r))
	ts.Check(s.answers.Decode(&a))
	_, err := ts.Stdout().Write(a.Stdout)
	ts.Check(err)
	_, err = ts.Stderr().Write(a.Stderr)
	ts.Check(err)
	return a.Status
}

// runProgram is the script command run q3dissect ARGUMENTS...
func runProgram(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || !inServer(args) {
		ts.Fatalf("usage: run q3dissect ARGUMENTS..., without standard input")
	}
	if status := runInServer(ts, args[1:]); neg == (status == 0) {
		ts.Fatalf("status %d", status)
	}
}

// inServer reports whether a command line may run in the server: it does not read standard input, and locks no folder
// of tables, which it would do until the process ends.
func inServer(args []string) bool {
	return args[0] == "q3dissect" && !slices.Contains(args, "-") && !slices.Contains(args, "parquet")
}
