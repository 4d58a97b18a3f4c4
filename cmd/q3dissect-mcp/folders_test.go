//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hostile makes a folder with all that must not be read, beside one that may. It returns both.
func hostile(t *testing.T) (inside, outside string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inside, outside = filepath.Join(dir, "inside"), filepath.Join(dir, "outside")
	game, err := os.ReadFile(filepath.Join(samples, "quake3/oob.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"inside/a.pcap", "inside/folder/b.pcap", "outside/secret.pcap", "inside/events", "inside/-", "inside/--help",
		"inside/-x.pcap", "inside/.hidden", "inside/links/c.pcap", "inside/help", "inside/frame == 1",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, game, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"file": "../outside/secret.pcap", "absolute": filepath.Join(outside, "secret.pcap"), "out": "../outside", "up": "..",
		"device": "/dev/zero", "loop": "loop", "self": "/proc/self/environ", "links/out.pcap": "../../outside/secret.pcap",
		"good": "folder/b.pcap", "goodfolder": "folder",
	} {
		if err := os.Symlink(to, filepath.Join(inside, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(inside, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(inside, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return inside, outside
}

// Names that lead out of the folders, and what is no file, are refused by every tool, before anything is opened.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	inside, outside := hostile(t)
	s := connect(t, defaultLimits, inside)
	tools := map[string]func(name string) arguments{}
	for _, tool := range []string{"list", "moments"} {
		tools[tool] = func(name string) arguments { return arguments{"file": name} }
	}
	tools["packet"] = func(name string) arguments { return arguments{"file": name, "frames": "1"} }
	tools["statistics"] = func(name string) arguments { return arguments{"file": name, "name": "proto"} }
	for _, tool := range []string{"events", "matches", "players"} {
		tools[tool] = func(name string) arguments { return arguments{"files": []string{"a.pcap", name}} }
	}
	tools["compare"] = func(name string) arguments { return arguments{"files": []string{"a.pcap", name}} }
	for _, name := range []string{
		"", "..", "../outside/secret.pcap", "folder/../../outside/secret.pcap", "folder/..", "goodfolder/../a.pcap",
		filepath.Join(outside, "secret.pcap"), "/etc/passwd", "/", "/proc/self/environ", "file", "absolute",
		"out/secret.pcap", "up/outside/secret.pcap", "device", "loop", "self", "pipe", "socket", "nosuch", "a.pcap\x00",
		"/dev/stdin", inside + "/../outside/secret.pcap", strings.Repeat("a/", 5000), "file:///etc/passwd", "folder\n/x",
		"~/x", "$HOME", "a.pcap/x",
	} {
		for tool, args := range tools {
			if text, fault := call(t, s, tool, args(name)); fault == "" || len(fault) > 3*mostName {
				t.Errorf("%s reads %.40q: %.80s", tool, name, text)
			}
		}
		if name != "" && name != "nosuch" {
			text, fault := call(t, s, "files", arguments{"folder": name})
			if fault == "" && !strings.Contains(text, `"total":0`) {
				t.Errorf("files lists %.40q: %.400s", name, text)
			}
		}
	}
	for _, name := range []string{"links", "out", "up"} { // folders with a link that leads out, and such links
		if _, fault := call(t, s, "matches", arguments{"files": []string{name}}); fault == "" {
			t.Errorf("matches reads %s", name)
		}
	}
	for _, name := range []string{"folder", "goodfolder", "."} {
		if _, fault := call(t, s, "list", arguments{"file": name}); !strings.Contains(fault, "folder") {
			t.Errorf("list of %s: %q", name, fault)
		}
	}
}

// Names that look like something else are names of files.
func TestNames(t *testing.T) {
	t.Parallel()
	inside, outside := hostile(t)
	s := connect(t, defaultLimits, inside, outside)
	want, _ := rowsOf(t, s, "list", arguments{"file": "a.pcap"})
	for _, name := range []string{
		"./a.pcap", "folder/b.pcap", "folder//b.pcap", "events", "-", "--help", "-x.pcap", "help", "frame == 1", "good",
		"goodfolder/b.pcap", ".hidden", filepath.Join(inside, "a.pcap"), filepath.Join(outside, "secret.pcap"),
	} {
		got, _ := rowsOf(t, s, "list", arguments{"file": name})
		compareRows(t, got, want)
		if _, fault := call(t, s, "matches", arguments{"files": []string{name}}); fault != "" {
			t.Errorf("matches of %q: %s", name, fault)
		}
		if _, fault := call(t, s, "moments", arguments{"file": name}); fault != "" {
			t.Errorf("moments of %q: %s", name, fault)
		}
	}
	text, _ := call(t, s, "files", nil)
	var a answer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range a.Rows {
		var f listed
		if err := json.Unmarshal(row, &f); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.File)
	}
	all := []string{
		"-", "--help", "-x.pcap", "a.pcap", "events", "folder/b.pcap", "frame == 1", "good", "help", "links/c.pcap",
		filepath.Join(outside, "secret.pcap"),
	}
	if !slices.Equal(names, all) {
		t.Errorf("files: %q, want %q", names, all)
	}
}

// No value of an argument becomes a flag of its own, and no tool shows a password.
func TestSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const secret = "hunter2"
	var dump strings.Builder
	for _, text := range []string{"rcon " + secret + " status", `connect "\name\x\password\` + secret + `\challenge\1\qport\2\protocol\68"`} {
		fmt.Fprintf(&dump, "0000 % x\n", "\xff\xff\xff\xff"+text)
	}
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte(dump.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	s := connect(t, defaultLimits, dir)
	file, files := "in.txt", []string{"in.txt"}
	shown := 0
	for _, q := range []struct {
		tool string
		args arguments
	}{
		{"list", arguments{"file": file}},
		{"list", arguments{"file": file, "jq": "."}},
		{"list", arguments{"file": file, "jq": "[.. | strings]"}},
		{"list", arguments{"file": file, "jq": "$ENV, env"}},
		{"list", arguments{"file": file, "filter": "--show-secrets"}},
		{"list", arguments{"file": file, "frames": "1 --show-secrets"}},
		{"list", arguments{"file": file, "from": "0 --show-secrets"}},
		{"packet", arguments{"file": file, "frames": "1-2", "bits": true, "state": true}},
		{"events", arguments{"files": files}},
		{"events", arguments{"files": files, "jq": ".", "merge": true}},
		{"statistics", arguments{"file": file, "name": "rcon"}},
		{"statistics", arguments{"file": file, "name": "follow,0"}},
		{"statistics", arguments{"file": file, "name": "players"}},
		{"statistics", arguments{"file": file, "name": "rcon --show-secrets"}},
		{"moments", arguments{"file": file, "player": "--map=/etc"}},
		{"matches", arguments{"files": files, "sort": "--show-secrets"}},
		{"players", arguments{"files": files}},
		{"fields", arguments{"word": "--version"}},
		{"explain", arguments{"word": "--show-secrets"}},
	} {
		text, fault := call(t, s, q.tool, q.args)
		if strings.Contains(text+fault, secret) || strings.Contains(text+fault, "Q3DISSECT") {
			t.Errorf("%s %v: %s%s", q.tool, q.args, text, fault)
		}
		if strings.Contains(text, "****") {
			shown++
		}
	}
	if shown < 5 {
		t.Errorf("%d answers have something to mask", shown)
	}
}

// tryVariable has the folder of a process that tries what a server must not do.
const tryVariable = "Q3DISSECT_MCP_TRY"

// try confines the process, and then says what it can do nevertheless.
func try() int {
	dir := os.Getenv(tryVariable)
	if os.Getenv(part) != partConfined {
		fmt.Println("not confined:", confine([]string{filepath.Join(dir, "inside")}))
		return 0
	}
	if _, err := os.ReadFile(filepath.Join(dir, "inside/a.pcap")); err != nil {
		fmt.Println("cannot read inside:", err)
	}
	for _, name := range []string{"outside/secret.pcap", "inside/file", "inside/self"} {
		if _, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			fmt.Println("reads", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "inside/new"), nil, 0o666); err == nil {
		fmt.Println("writes inside")
	}
	if err := os.Remove(filepath.Join(dir, "inside/a.pcap")); err == nil {
		fmt.Println("removes inside")
	}
	if err := exec.Command("/bin/true").Run(); err == nil {
		fmt.Println("starts programs")
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		fmt.Println("listens")
	}
	fmt.Println("tried")
	return 0
}

// The system keeps the server from what it promises not to do, also where a name is another file than when it was
// checked: the process that reads can open nothing outside.
func TestConfined(t *testing.T) {
	t.Parallel()
	inside, _ := hostile(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), tryVariable+"="+filepath.Dir(inside))
	out, err := c.CombinedOutput()
	if strings.Contains(string(out), "not confined") {
		t.Skipf("%s", out)
	}
	if err != nil || string(out) != "tried\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// The program as it is started by an agent: it confines itself, and answers.
func TestProgram(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "q3dissect-mcp")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(program, samples)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want, _ := lines(t, samples, "events", "quake3/68-loss.pcap", "--json")
	got, _ := rowsOf(t, s, "events", arguments{"files": []string{"quake3/68-loss.pcap"}})
	compareRows(t, got, want)
	want, _ = lines(t, samples, "catalogue", "teeworlds", "--json")
	got, _ = rowsOf(t, s, "matches", arguments{"files": []string{"teeworlds"}})
	compareRows(t, got, want)
	if out, err := exec.Command(program, "/nosuch").CombinedOutput(); err == nil {
		t.Errorf("a folder that does not exist: %s", out)
	}
}
