package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// notRun are the commands of README that a test cannot run, with the reason.
var notRun = map[string]string{
	"go test ./...": "this test is part of it",
	"q3dissect view samples/quake3/68-connect-play.pcap": "it serves until it is ended: the tests of .ci/browser run it",
}

// A readmeCommand is a command of README. Those in console blocks have their output after them.
type readmeCommand struct {
	text   string
	output []string // nil: only that it succeeds is promised
	more   bool     // there is more output than that
}

var readmeBlock = regexp.MustCompile("(?ms)^```(console|sh)\n(.*?)^```$")

// readmeCommands takes the commands out of README or another document.
func readmeCommands(t *testing.T, document string) []readmeCommand {
	t.Helper()
	text, err := os.ReadFile("../../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	var list []readmeCommand
	for _, block := range readmeBlock.FindAllStringSubmatch(string(text), -1) {
		lines := strings.Split(strings.TrimSuffix(block[2], "\n"), "\n")
		if block[1] == "sh" {
			for _, line := range lines {
				text, _, _ := strings.Cut(line, "  # ")
				list = append(list, readmeCommand{text: strings.TrimSpace(text)})
			}
			continue
		}
		list = append(list, consoleCommands(lines)...)
	}
	return list
}

// consoleCommands takes the commands out of a block: each begins after a dollar, with its output below it.
func consoleCommands(lines []string) (list []readmeCommand) {
	for len(lines) > 0 {
		n := commandLines(lines)
		c := readmeCommand{text: strings.TrimPrefix(strings.Join(lines[:n], "\n"), "$ ")}
		lines = lines[n:]
		end := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "$ ") })
		if end < 0 {
			end = len(lines)
		}
		c.output, lines = lines[:end:end], lines[end:]
		if last := len(c.output) - 1; last >= 0 && c.output[last] == "..." {
			c.output, c.more = c.output[:last], true
		}
		list = append(list, c)
	}
	return list
}

// consolesOf returns the commands of the console blocks of all other pages of docs: their output is compared too.
func consolesOf(t *testing.T, others ...string) (list []readmeCommand) {
	t.Helper()
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("../../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, below...) {
		name := filepath.ToSlash(strings.TrimPrefix(page, filepath.FromSlash("../../../")))
		if slices.Contains(others, name) {
			continue
		}
		for _, c := range readmeCommands(t, name) {
			if c.output != nil {
				list = append(list, c)
			}
		}
	}
	return list
}

// commandLines counts the lines of the command that a block begins with: it continues while a quote is open
// and after a backslash.
func commandLines(lines []string) int {
	quotes := 0
	for i, line := range lines {
		quotes += strings.Count(line, "'")
		if quotes%2 == 0 && !strings.HasSuffix(line, `\`) {
			return i + 1
		}
	}
	return len(lines)
}

// Every command of README has the effect that README describes. The shell runs them in a folder that looks like the
// root of the project: what they write does not stay in it. Those of go
// run in the root itself, where everything is compiled.
func TestReadme(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell: ", err)
	}
	path := programPath(t)
	commands := readmeCommands(t, "README.md")
	if len(commands) < 8 {
		t.Fatalf("only %d commands", len(commands))
	}
	dir := rootOfLinks(t)
	whole := []string{ // the commands without output too
		"docs/filters.md", "docs/input.md", "docs/shots.md", "docs/statistics.md",
	}
	for _, document := range whole {
		commands = append(commands, readmeCommands(t, document)...)
	}
	consoles := consolesOf(t, append(whole, "docs/guide.md", "docs/databases.md")...) // TestGuide has these
	if len(consoles) < 20 {
		t.Fatalf("only %d commands with output in docs", len(consoles))
	}
	for _, c := range consoles { // several write into folders of the same name
		t.Run(strings.Fields(c.text)[0], func(t *testing.T) {
			t.Parallel()
			c.run(t, shell, path, rootOfLinks(t))
		})
	}
	for _, c := range commands {
		t.Run(strings.Fields(c.text)[0], func(t *testing.T) {
			t.Parallel()
			c.run(t, shell, path, dir)
		})
	}
}

// rootOfLinks returns a folder with links to all that the root of the project has, but for what earlier commands wrote.
func rootOfLinks(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{
		"go.mod", "go.sum", "README.md", "cmd", "dissect", "huffcodec", "reassembly", "samples", "docs",
	} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links: ", err)
		}
	}
	return dir
}

// Every command of the guide and of databases.md has the effect that they describe, one after the other: some take what
// others wrote.
func TestGuide(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell: ", err)
	}
	samples, err := filepath.Abs("../../../samples")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(samples, filepath.Join(dir, "samples")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	path := programPath(t)
	commands := append(readmeCommands(t, "docs/guide.md"), readmeCommands(t, "docs/databases.md")...)
	if len(commands) < 15 {
		t.Fatalf("only %d commands", len(commands))
	}
	for _, c := range commands {
		t.Run(strings.Fields(c.text)[0], func(t *testing.T) { c.run(t, shell, path, dir) })
	}
	for name, want := range map[string]string{
		"path.svg": "<polyline", "bulk.ndjson": `"@timestamp":"2026-11-21T07:19:44.198035000Z"`, "evidence.json": "sha256", "statistics.ndjson": `"statistic":"players"`,
		"report.html": "Content-Security-Policy", "events.ndjson": `"file":"samples/quake3/oob.pcap"`, "rcon.pcapng": "rcon",
	} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Contains(b, []byte(want)) {
			t.Errorf("%s has no %q: %v", name, want, err)
		}
	}
}

// run runs a command in a folder, and compares what it prints.
func (c *readmeCommand) run(t *testing.T, shell, path, dir string) {
	t.Helper()
	if why := notRun[c.text]; why != "" {
		t.Skip(c.text, ": ", why)
	}
	if _, err := exec.LookPath("jq"); err != nil && strings.Contains(c.text, "| jq ") {
		t.Skip(c.text, ": ", err)
	}
	run := exec.Command(shell, "-c", c.text)
	run.Dir = dir
	if strings.HasPrefix(c.text, "go ") { // where the tests were compiled: elsewhere every package is compiled again
		run = exec.Command(shell, "-c", strings.Replace(c.text, "-o q3dissect", "-o "+dir+"/q3dissect", 1))
		run.Dir = "../../.."
	}
	run.Env = append(os.Environ(), "PATH="+path, "TZ=UTC", "Q3DISSECT_KEY=export sets it for one line only",
		"GORACE=atexit_sleep_ms=0", "GOFLAGS=-buildvcs=false "+os.Getenv("GOFLAGS"))
	var stdout, stderr bytes.Buffer
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", c.text, err, &stderr)
	}
	if c.output == nil {
		return
	}
	got := stdout.String()
	if !strings.Contains(c.text, " | ") {
		got += stderr.String() // as a terminal shows it
	}
	got = strings.ReplaceAll(got, "\r\n", "\n") // CSV has these, RFC 4180
	c.compare(t, strings.Split(strings.TrimSuffix(got, "\n"), "\n"))
}

func (c *readmeCommand) compare(t *testing.T, got []string) {
	t.Helper()
	if c.more {
		if len(got) <= len(c.output) {
			t.Errorf("%s: %d lines, README promises more than %d", c.text, len(got), len(c.output))
		}
		got = got[:min(len(got), len(c.output))]
	}
	if diff := cmp.Diff(c.output, got); diff != "" {
		t.Errorf("%s (-README +program)\n%s", c.text, diff)
	}
}

// programPath makes a PATH that has q3dissect: a copy of this test binary, which is the program under
// that name.
func programPath(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := "q3dissect" + filepath.Ext(self)
	if filepath.Ext(self) == ".test" {
		name = "q3dissect"
	}
	if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	return dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

// What is not run is still in README.
func TestReadmeExceptions(t *testing.T) {
	t.Parallel()
	commands := readmeCommands(t, "README.md")
	for text := range notRun {
		if !slices.ContainsFunc(commands, func(c readmeCommand) bool { return c.text == text }) {
			t.Errorf("README has no command %q", text)
		}
	}
}
