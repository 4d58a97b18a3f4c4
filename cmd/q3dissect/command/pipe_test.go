package command

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for the program, on a busy machine too, before it gives up.
const patience = 5 * time.Minute

// command prepares a program as a script would start it.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range scriptVariables {
		if value := ts.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	return cmd
}

// expectStatus is the script command status N COMMAND...: exec with a certain exit status.
func expectStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if inServer(args[1:]) {
		got = runInServer(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}

// truncate is the script command truncate FILE BYTES OUT.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: truncate FILE BYTES OUT")
	}
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n < 0 {
		n += len(b)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b[:n], 0o600))
}

// closePipe is the script command closepipe LINES COMMAND...: as COMMAND | head -n LINES, but with the
// command's status and standard error to look at.
func closePipe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: closepipe LINES COMMAND...")
	}
	lines, err := strconv.Atoi(args[0])
	ts.Check(err)
	r, w, err := os.Pipe()
	ts.Check(err)
	cmd := command(ts, args[1:])
	cmd.Stdout, cmd.Stderr = w, ts.Stderr()
	if lines == 0 {
		r.Close()
	}
	ts.Check(cmd.Start())
	w.Close()
	out := bufio.NewReader(r)
	for range lines {
		line, err := out.ReadString('\n')
		ts.Check(err)
		_, err = io.WriteString(ts.Stdout(), line)
		ts.Check(err)
	}
	r.Close()
	ts.Check(cmd.Wait())
}

// interruptCommand is the script command interrupt [-opening] SIGNAL COMMAND...: it sends a signal (INT or TERM) to a
// command after the first line of its output, and takes the rest. The exit status must be that of the signal. The first
// lines and the last ones go to stdout. The line that opens an array, before anything is read, counts with -opening.
func interruptCommand(ts *testscript.TestScript, neg bool, args []string) {
	opening := len(args) > 0 && args[0] == "-opening"
	if opening {
		args = args[1:]
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt [-opening] SIGNAL COMMAND...")
	}
	sig := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[args[0]]
	cmd := command(ts, args[1:])
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	cmd.Stderr = ts.Stderr()
	ts.Check(cmd.Start())
	guard := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer guard.Stop()
	lines := bufio.NewReader(out)
	var all []string
	sent := false
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		all = append(all, line)
		if !sent && (opening || line != "[\n") {
			ts.Check(cmd.Process.Signal(sig))
			sent = true
		}
	}
	if len(all) > 6 {
		all = append(all[:3], all[len(all)-3:]...)
	}
	_, err = io.WriteString(ts.Stdout(), strings.Join(all, ""))
	ts.Check(err)
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(sig) {
		ts.Fatalf("%v, want exit status %d", err, 128+int(sig))
	}
}

// feedLive is the script command live COMMAND...: it writes a capture of three packets into the command's
// standard input, each only after the line for the packet before has arrived.
func feedLive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: live COMMAND...")
	}
	var packets []timedPacket
	for i, text := range []string{"c:getstatus", "c:getinfo xyz", "c:getstatus again"} {
		data, err := buildPacket(text)
		ts.Check(err)
		packets = append(packets, timedPacket{time.Unix(int64(i), 0), data})
	}
	cmd := command(ts, args)
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	cmd.Stderr = ts.Stderr()
	ts.Check(cmd.Start())
	// A record that is kept back would block this forever.
	guard := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer guard.Stop()

	written := 0
	lines := bufio.NewReader(out)
	for i := range packets {
		file := new(captureBuilder).build(packets[:i+1])
		_, err := in.Write(file[written:])
		ts.Check(err)
		written = len(file)
		line, err := lines.ReadString('\n')
		if err != nil {
			ts.Fatalf("packet %d: no line came before the next packet: %v", i+1, err)
		}
		_, err = io.WriteString(ts.Stdout(), line)
		ts.Check(err)
	}
	ts.Check(in.Close())
	rest, err := io.ReadAll(lines)
	ts.Check(err)
	if len(rest) > 0 {
		ts.Fatalf("more lines than packets: %s", rest)
	}
	ts.Check(cmd.Wait())
}

// onTerminal is the script command terminal COLUMNS COMMAND....
func onTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: terminal COLUMNS COMMAND...")
	}
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	ours, theirs, err := openTerminal(columns)
	if err != nil {
		ts.Fatalf("no terminal here: %v", err)
	}
	defer ours.Close()
	cmd := command(ts, args[1:])
	cmd.Stdout, cmd.Stderr = theirs, ts.Stderr()
	ts.Check(cmd.Start())
	theirs.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(ours); err != nil && text.Len() == 0 { // it ends with EIO when the other side is closed
		ts.Check(err)
	}
	ts.Check(cmd.Wait())
	// The terminal turns line feeds into CR LF.
	_, err = io.WriteString(ts.Stdout(), strings.ReplaceAll(text.String(), "\r\n", "\n"))
	ts.Check(err)
}
