package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The program that the shells complete for: it prints its arguments in a form that no line editor prints, and answers
// questions of the completion scripts as q3dissect does.
const completedProgram = `#!/bin/sh
case $1 in
__complete*) exec %q "$@" ;;
esac
printf '<<%%s>>' "$@"
echo
`

// bashCompletion is where Debian, Fedora, Arch and FreeBSD's Linux layer have the package bash-completion.
const bashCompletion = "/usr/share/bash-completion/bash_completion"

// A shell is started on a terminal, with an empty home, with the completion in the place where packages put it.
type shell struct {
	name    string
	script  string   // where the completion script goes, below the home
	rc      string   // start-up file, below the home
	startup string   // its text
	args    []string // HOME is replaced by the home
	needs   string   // a file without which it cannot complete
	open    bool     // it leaves the quote of a completed word open
}

var interactiveShells = []shell{
	{
		name: "bash", script: "completions/q3dissect", rc: "rc", needs: bashCompletion,
		startup: "PS1='READY> '\n. " + bashCompletion + "\n",
		args:    []string{"--noprofile", "--rcfile", "HOME/rc", "-i"},
	},
	{
		name: "zsh", open: true, script: "functions/_q3dissect", rc: ".zshrc",
		startup: "PS1='READY> '\nfpath=(~/functions $fpath)\nautoload -U compinit\ncompinit -u\n",
		args:    []string{"-i"},
	},
	{
		name: "fish", open: true, script: ".config/fish/completions/q3dissect.fish", rc: ".config/fish/config.fish",
		startup: "set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n" +
			"function fish_prompt; echo -n 'READY> '; end\n",
		args: []string{"-i"},
	},
}

// A completedLine is what is typed before the key TAB, and the arguments that the program then gets.
type completedLine struct{ typed, want string }

// quote returns the quote that is open at the end of the line, if the word is a filter: shells close that of a file.
func (l completedLine) quote() string {
	for _, q := range []string{"'", `"`} {
		if strings.Count(l.typed, q)%2 == 1 && !strings.HasPrefix(l.typed, q) {
			return q
		}
	}
	return ""
}

var completedLines = []completedLine{
	{"catal", "<<catalogue>>"},
	{"export me", "<<export>><<messages>>"},
	{"--list-pr", "<<--list-protocols>>"},
	{"events --mer", "<<events>><<--merge>>"},
	{"-z lo", "<<-z>><<loss>>"},
	{"-q -z foll", "<<-q>><<-z>><<follow,>>"},
	{"events -T js", "<<events>><<-T>><<json>>"},
	{"-e quake3.oob.comm", "<<-e>><<quake3.oob.command>>"},
	{"events -Y killer.name_cl", "<<events>><<-Y>><<killer.name_clean>>"},
	{"catalogue -Y winn", "<<catalogue>><<-Y>><<winner"},
	{"--color nev", "<<--color>><<never>>"},
	{"-d enet", "<<-d>><<enet>>"},
	{"-d udp.port==27960,qua", "<<-d>><<udp.port==27960,quake3>>"},
	{"completion fi", "<<completion>><<fish>>"},
	{"help filt", "<<help>><<filters>>"},
	{"players --sort accu", "<<players>><<--sort>><<accuracy>>"},
	{"catalogue --sort durat", "<<catalogue>><<--sort>><<duration>>"},
	{"players -Y kil", "<<players>><<-Y>><<kills>>"},
	{"--anonymize-chat ke", "<<--anonymize-chat>><<keep>>"},
	{"-F pcapn", "<<-F>><<pcapng>>"},
	{"play-of-a-match.pcap quake3.oob.comm", "<<play-of-a-match.pcap>><<quake3.oob.command>>"},
	{"-w play-of-a-mat", "<<-w>><<play-of-a-match.pcap>>"},
	{"--jq . -R fold", "<<--jq>><<.>><<-R>><<folder"},
	{"export demo -o fold", "<<export>><<demo>><<-o>><<folder"},

	// The closing quote of a filter is typed later.
	{`events -Y 'text contains "gg" and killer.cl`, `<<events>><<-Y>><<text contains "gg" and killer.client_num>>`},
	{`events play-of-a-match.pcap "killer.cl`, "<<events>><<play-of-a-match.pcap>><<killer.client_num>>"},
	{
		`--jq '.a | .b' -Y 'length > 20  and quake3.oob.prot`,
		"<<--jq>><<.a | .b>><<-Y>><<length > 20  and quake3.oob.protocol>>",
	},
	{`'play-of-a-ma`, "<<play-of-a-match.pcap>>"},
	{"play-of-a-mat", "<<play-of-a-match.pcap>>"},
	{"events -r play-of-a-mat", "<<events>><<-r>><<play-of-a-match.pcap>>"},
}

// TestShellsComplete types into bash, zsh and fish where they are installed: verbs, flags, their values and files.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("q3dissect")
	if err != nil {
		t.Fatal(err)
	}
	for _, sh := range interactiveShells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := sh.start(t, program)
			s.wait(t, "READY> ")
			for _, line := range completedLines {
				keys := "q3dissect " + line.typed + "\t"
				if sh.open {
					keys += line.quote()
				}
				s.typed(t, keys+"\r")
				s.wait(t, "<<")
				s.wait(t, "\n")
				if got := s.last(); !strings.Contains(got, line.want) {
					t.Errorf("%s<TAB>: want %s, the terminal shows\n%s", line.typed, line.want, got)
				}
				s.wait(t, "READY> ")
			}
		})
	}
}

// A session is a shell on a terminal.
type session struct {
	terminal *os.File
	mu       sync.Mutex
	more     sync.Cond
	text     bytes.Buffer // what was printed since the last line was typed
	at       int          // where wait continues
	ended    bool
}

// start runs the shell until the test ends; a minute without an end is a failure.
func (sh shell) start(t *testing.T, program string) *session {
	t.Helper()
	path, err := exec.LookPath(sh.name)
	if err != nil {
		t.Skip(sh.name, "is not installed")
	}
	if _, err := os.Stat(sh.needs); sh.needs != "" && err != nil {
		t.Skip(err)
	}
	home := t.TempDir()
	for name, text := range map[string]string{
		sh.script:              printed(t, "completion", sh.name),
		sh.rc:                  sh.startup,
		"bin/q3dissect":        fmt.Sprintf(completedProgram, program),
		"play-of-a-match.pcap": "",
		"folder/file":          "",
	} {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ours, theirs, err := openTerminal(200)
	if err != nil {
		t.Skip("no terminal: ", err)
	}
	cmd := exec.Command(path)
	for _, arg := range sh.args {
		cmd.Args = append(cmd.Args, strings.Replace(arg, "HOME", home, 1))
	}
	cmd.Dir = home
	cmd.Env = []string{
		"HOME=" + home, "TERM=xterm", "LC_ALL=C.UTF-8", "BASH_COMPLETION_USER_DIR=" + home,
		"PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH"),
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	s := &session{terminal: ours}
	s.more.L = &s.mu
	limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.read()
	}()
	t.Cleanup(func() {
		limit.Stop()
		cmd.Process.Kill()
		cmd.Wait()
		<-read
		ours.Close()
	})
	return s
}

// read collects what the shell prints, until its side of the terminal is closed.
func (s *session) read() {
	b := make([]byte, 4096)
	for {
		n, err := s.terminal.Read(b)
		s.mu.Lock()
		s.text.Write(b[:n])
		s.ended = err != nil
		s.more.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// typed sends keys to the shell, and forgets what was printed before.
func (s *session) typed(t *testing.T, keys string) {
	t.Helper()
	s.mu.Lock()
	s.text.Reset()
	s.at = 0
	s.mu.Unlock()
	if _, err := s.terminal.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// wait returns once the shell has printed a text, after the one that was waited for before.
func (s *session) wait(t *testing.T, text string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if at := bytes.Index(s.text.Bytes()[s.at:], []byte(text)); at >= 0 {
			s.at += at + len(text)
			return
		}
		if s.ended {
			t.Fatalf("the shell ended before it printed %q:\n%q", text, s.text.String())
		}
		s.more.Wait()
	}
}

// last returns what was printed since the last line was typed.
func (s *session) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
