//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain is what main is for the processes that the server starts: those of the tests are this program too.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv(tryVariable) != "":
		os.Exit(try())
	case os.Getenv(part) != "":
		os.Exit(run())
	}
	os.Exit(m.Run())
}

const samples = "../../samples"

// q3dissect returns the path of the command, built once.
var q3dissect = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "q3dissect-mcp")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "q3dissect")
	build := exec.Command("go", "build", "-o", program, "./cmd/q3dissect")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	if err != nil {
		err = &exec.Error{Name: string(out), Err: err}
	}
	return program, err
})

// connect returns a client of a server of some folders.
func connect(t *testing.T, l limits, names ...string) *mcp.ClientSession {
	t.Helper()
	dirs, err := openFolders(names)
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err = newServer(dirs, l).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

type arguments = map[string]any

// call asks a question. The second value is the error of the tool.
func call(t *testing.T, s *mcp.ClientSession, tool string, args arguments) (text, fault string) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	for _, c := range result.Content {
		text += c.(*mcp.TextContent).Text
	}
	if result.IsError {
		return "", text
	}
	return text, ""
}

// rowsOf asks for all pages of an answer.
func rowsOf(t *testing.T, s *mcp.ClientSession, tool string, args arguments) (rows []string, incomplete string) {
	t.Helper()
	asked := arguments{"limit": 7}
	for k, v := range args {
		asked[k] = v
	}
	for {
		text, fault := call(t, s, tool, asked)
		if fault != "" {
			t.Fatalf("%s %v: %s", tool, asked, fault)
		}
		var a answer
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if a.Note != data {
			t.Errorf("%s: nothing says that the rows are data", tool)
		}
		for _, row := range a.Rows {
			rows = append(rows, canonical(t, row))
		}
		if a.Next == 0 {
			if a.Total != len(rows) {
				t.Errorf("%s: total %d, but %d rows", tool, a.Total, len(rows))
			}
			return rows, canonical(t, a.Incomplete)
		}
		if a.Count != len(a.Rows) || a.Count == 0 || a.Next != a.Skip+a.Count {
			t.Fatalf("%s: skip %d, count %d, next %d, %d rows", tool, a.Skip, a.Count, a.Next, len(a.Rows))
		}
		asked["skip"] = a.Next
	}
}

// canonical returns JSON with its keys in order and its numbers as they were.
func canonical(t *testing.T, value []byte) string {
	t.Helper()
	if len(value) == 0 {
		return ""
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, value)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// lines runs q3dissect, and returns its lines.
func lines(t *testing.T, dir string, args ...string) (rows []string, incomplete string) {
	t.Helper()
	program, err := q3dissect()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	out, _ := c.Output() // the status is 4 for a damaged input
	for line := range bytes.Lines(out) {
		if lacks, ok := bytes.CutPrefix(line, []byte(`{"incomplete":`)); ok {
			incomplete = canonical(t, bytes.TrimSuffix(bytes.TrimSpace(lacks), []byte("}")))
			continue
		}
		rows = append(rows, canonical(t, line))
	}
	return rows, incomplete
}

// The questions of docs/guide.md, and the command lines that answer them there. An answer has the rows of the command.
func TestGuide(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(samples)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "quake3/68-fragment-loss.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	for name, contents := range map[string][]byte{
		"cut.pcap": whole[:2000], "dump.txt": []byte("ff ff ff ff 67 65 74 73 74 61 74 75 73\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, defaultLimits, dir)
	const chat = `event == "chat" and text_clean contains "anarchy"`
	const blocks = "[.frame, .time_relative, .quake3.server_message.ops[].download.block]"
	const ofClient = `select(.stream == 0 and .direction == "client_to_server") | [.src_port, .time]`
	const said = `select(.event == "chat") | [.time, .client.name_clean, .text_clean]`
	const hidden = `select(tostring | test("secret"; "i")) | "\(.frame) \(.info)"`
	const path = `.quake3.server_message.ops[]?.snapshot.player_state.state? | select(.) | .origin`
	for _, q := range []struct {
		question, tool string
		args           arguments
		command        []string
	}{
		{
			"who said that", "events",
			arguments{"files": []string{"quake3/71-ipv6-chat.pcap"}, "filter": chat},
			[]string{"events", "quake3/71-ipv6-chat.pcap", "-Y", chat, "--json"},
		},
		{
			"all that was said", "events",
			arguments{"files": []string{"quake3/71-ipv6-chat.pcap"}, "jq": said},
			[]string{"events", "quake3/71-ipv6-chat.pcap", "--jq", said},
		},
		{
			"who was that player", "statistics",
			arguments{"file": "quake3/68-natrebind.pcap", "name": "players"},
			[]string{"quake3/68-natrebind.pcap", "-q", "-z", "players", "--json"},
		},
		{
			"was rcon guessed", "statistics",
			arguments{"file": "quake3/oob.pcap", "name": "rcon"},
			[]string{"quake3/oob.pcap", "-q", "-z", "rcon", "--json", "--hide-secrets"},
		},
		{
			"the commands that were sent", "events",
			arguments{"files": []string{"quake3/oob.pcap"}, "filter": `event == "rcon"`},
			[]string{"events", "quake3/oob.pcap", "-Y", `event == "rcon"`, "--json"},
		},
		{
			"who lagged", "statistics",
			arguments{"file": "quake3/68-loss.pcap", "name": "loss"},
			[]string{"quake3/68-loss.pcap", "-q", "-z", "loss", "--json"},
		},
		{
			"whose fault was it", "compare",
			arguments{"files": []string{"quake3/68-loss.pcap", "quake3/68-loss-server.pcap"}, "seconds": true},
			[]string{"compare", "quake3/68-loss.pcap", "quake3/68-loss-server.pcap", "--json", "--seconds"},
		},
		{
			"is my server reflecting", "statistics",
			arguments{"file": "quake3/71-reflection.pcap", "name": "drdos"},
			[]string{"quake3/71-reflection.pcap", "-q", "-z", "drdos", "--json"},
		},
		{
			"the rate over time", "statistics",
			arguments{"file": "quake3/71-reflection.pcap", "name": `io,10,quake3.oob.command == "getstatus"`},
			[]string{"quake3/71-reflection.pcap", "-q", "-z", `io,10,quake3.oob.command == "getstatus"`, "--json"},
		},
		{
			"what errors quote", "packet",
			arguments{"file": "quake3/68-icmp.pcap", "filter": "quoted_by"},
			[]string{"quake3/68-icmp.pcap", "quoted_by", "--json"},
		},
		{
			"find a hidden text", "list",
			arguments{"file": "quake3/oob.pcap", "jq": hidden},
			[]string{"quake3/oob.pcap", "--hide-secrets", "--jq", hidden + " | tojson"},
		},
		{
			"find a word of the list", "packet",
			arguments{"file": "quake3/oob.pcap", "filter": `info matches "secret|flag"`},
			[]string{"quake3/oob.pcap", `info matches "secret|flag"`, "--json", "--hide-secrets"},
		},
		{
			"bytes that no game reads", "list",
			arguments{"file": "quake3/68-fragment-loss.pcap", "filter": "expert", "jq": "[.frame, .expert]"},
			[]string{"quake3/68-fragment-loss.pcap", "-Y", "expert", "--jq", "[.frame, .expert]"},
		},
		{
			"draw a player's path", "list",
			arguments{"file": "quake3/68-kicked.dm_68", "state": true, "jq": path},
			[]string{"quake3/68-kicked.dm_68", "--state", "--jq", path},
		},
		{
			"did this player cheat", "moments",
			arguments{"file": "quake3/68-kicked.dm_68"},
			[]string{"moments", "quake3/68-kicked.dm_68", "--json"},
		},
		{
			"the packet in question", "packet",
			arguments{"file": "quake3/68-connect-play.pcap", "frames": "350", "bits": true},
			[]string{"quake3/68-connect-play.pcap", "frame == 350", "--json", "--bits"},
		},
		{
			"the packets of rcon", "packet",
			arguments{"file": "quake3/oob.pcap", "filter": `quake3.oob.command == "rcon"`},
			[]string{"quake3/oob.pcap", `quake3.oob.command == "rcon"`, "--json", "--hide-secrets"},
		},
		{
			"a damaged file", "packet",
			arguments{"file": "cut.pcap"},
			[]string{"cut.pcap", "--json"},
		},
		{
			"a hex dump", "packet",
			arguments{"file": "dump.txt", "frames": "1"},
			[]string{"dump.txt", "--json"},
		},
		{
			"columns", "list",
			arguments{"file": "quake3/68-download.pcap", "frames": "12-15", "jq": blocks},
			[]string{"quake3/68-download.pcap", "--frames", "12-15", "--jq", blocks},
		},
		{
			"a client whose port changes", "list",
			arguments{"file": "quake3/68-natrebind.pcap", "jq": ofClient},
			[]string{"quake3/68-natrebind.pcap", "--jq", ofClient},
		},
		{
			"the conversation of one", "statistics",
			arguments{"file": "quake3/68-natrebind.pcap", "name": "follow,0"},
			[]string{"quake3/68-natrebind.pcap", "-q", "-z", "follow,0", "--json"},
		},
		{
			"the recordings of a folder", "matches",
			arguments{"files": []string{"teeworlds"}, "sort": "date"},
			[]string{"catalogue", "teeworlds", "--json", "--sort", "date"},
		},
		{
			"the people of a folder", "players",
			arguments{"files": []string{"teeworlds", "quake3/68-loss.pcap"}, "filter": "not bot"},
			[]string{"players", "teeworlds", "quake3/68-loss.pcap", "not bot", "--json"},
		},
		{
			"field names", "fields",
			arguments{"word": "quake3.oob"},
			[]string{"--list-fields", "quake3.oob", "--json"},
		},
	} {
		t.Run(q.question, func(t *testing.T) {
			t.Parallel()
			want, lacks := lines(t, dir, q.command...)
			got, gotLacks := rowsOf(t, s, q.tool, q.args)
			if len(want) == 0 {
				t.Fatal("the command gives nothing")
			}
			if gotLacks != lacks {
				t.Errorf("incomplete: %s, the command has %s", gotLacks, lacks)
			}
			compareRows(t, got, want)
		})
	}
}

func compareRows(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got), i >= len(want):
			t.Fatalf("%d rows, the command has %d", len(got), len(want))
		case got[i] != want[i]:
			t.Fatalf("row %d: %s\nthe command has %s", i, got[i], want[i])
		}
	}
}

// The list has fields of the records as they are in --json.
func TestList(t *testing.T) {
	t.Parallel()
	columns := strings.Fields("frame time stream direction src src_port dst dst_port protocol length info expert")
	records, _ := lines(t, samples, "quake3/oob.pcap", "--json", "--hide-secrets")
	var want []string
	for _, r := range records {
		var record map[string]json.RawMessage
		if err := json.Unmarshal([]byte(r), &record); err != nil {
			t.Fatal(err)
		}
		for key := range record {
			if !slices.Contains(columns, key) {
				delete(record, key)
			}
		}
		row, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, canonical(t, row))
	}
	got, _ := rowsOf(t, connect(t, defaultLimits, samples), "list", arguments{"file": "quake3/oob.pcap"})
	compareRows(t, got, want)
}

// Pages of help are those of the command; mistakes are said as there.
func TestWords(t *testing.T) {
	t.Parallel()
	s := connect(t, defaultLimits, samples)
	for _, word := range []string{"kill", "key_unknown", "quake3.netchan.qport", "loss"} {
		program, err := q3dissect()
		if err != nil {
			t.Fatal(err)
		}
		want, err := exec.Command(program, "help", word).Output()
		if err != nil {
			t.Fatal(err)
		}
		text, fault := call(t, s, "explain", arguments{"word": word})
		var e explanation
		if json.Unmarshal([]byte(text), &e) != nil || e.Text != string(want) {
			t.Errorf("%s: %q %s, want %q", word, text, fault, want)
		}
	}
	for _, wrong := range []struct {
		tool string
		args arguments
		says string
	}{
		{"explain", arguments{"word": "kil"}, "did you mean kill"},
		{"filter_help", arguments{"filter": `event == "kill"`}, "event"},
		{"filter_help", arguments{"filter": `frame == `}, "column 10"},
		{"statistics", arguments{"file": "quake3/oob.pcap", "name": "los"}, "did you mean loss"},
		{"list", arguments{"file": "quake3/oob.pcap", "filter": "nosuch == 1"}, "nosuch"},
		{"list", arguments{"file": "quake3/oob.pcap", "jq": "("}, "--jq"},
		{"packet", arguments{"file": "quake3/oob.pcap", "frames": "x"}, "frames"},
		{"packet", arguments{"file": "README.md", "frames": "1"}, "no known kind"},
		{"compare", arguments{"files": []string{"quake3/oob.pcap"}}, "two captures"},
	} {
		if _, fault := call(t, s, wrong.tool, wrong.args); !strings.Contains(fault, wrong.says) {
			t.Errorf("%s %v: %q does not say %q", wrong.tool, wrong.args, fault, wrong.says)
		}
	}
	if _, fault := call(t, s, "filter_help", arguments{"filter": `event == "kill"`, "events": true}); fault != "" {
		t.Error(fault)
	}
}

// Pages of the documentation can be read, and are those of the source.
func TestPages(t *testing.T) {
	t.Parallel()
	s := connect(t, defaultLimits, samples)
	read := 0
	for r, err := range s.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("../../docs/" + strings.TrimPrefix(r.URI, scheme))
		if err != nil || got.Contents[0].Text != string(want) {
			t.Errorf("%s is another page: %v", r.URI, err)
		}
		read++
	}
	if read < 30 {
		t.Errorf("%d pages", read)
	}
	for _, uri := range []string{scheme + "../README.md", scheme, "file:///etc/passwd", scheme + "nosuch.md"} {
		if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is read", uri)
		}
	}
}

// A call that the client cancels, or that takes too long, ends with the process that works on it.
func TestEnds(t *testing.T) {
	t.Parallel()
	l := defaultLimits
	l.time = 4 * time.Second
	s := connect(t, l, samples)
	forever := arguments{"file": "quake3/oob.pcap", "jq": `last(range(1e15)) | "forever"`}
	begun := time.Now()
	if _, fault := call(t, s, "list", forever); !strings.Contains(fault, "too long") {
		t.Errorf("%q", fault)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "list", Arguments: forever}); err == nil {
		t.Error("a cancelled call has an answer")
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("%v until both ended", took)
	}
	for wait := time.Now().Add(10 * time.Second); running("forever"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(wait) {
			t.Fatal("a process works on")
		}
	}
	// Both turns are free again.
	if _, fault := call(t, s, "list", arguments{"file": "quake3/oob.pcap"}); fault != "" {
		t.Error(fault)
	}
}

// running reports whether a process with a word in its arguments runs; false where there is no /proc.
func running(word string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		if text, err := os.ReadFile(line); err == nil && bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// No answer is larger than it may be, whatever is asked for, and no row is lost between pages.
func TestBounds(t *testing.T) {
	t.Parallel()
	l := limits{time.Minute, leastBytes}
	s := connect(t, l, samples)
	for tool, args := range map[string]arguments{
		"list":   {"file": "quake3/68-connect-play.pcap", "jq": "{frame}", "limit": 1 << 40},
		"packet": {"file": "quake3/71-duel.dm_71", "frames": "0-30", "state": true},
		"fields": {"word": "", "limit": 1000},
	} {
		asked, rows := args, 0
		for pages := 0; pages < 8; pages++ {
			text, fault := call(t, s, tool, asked)
			if fault != "" {
				t.Fatal(fault)
			}
			var a answer
			if err := json.Unmarshal([]byte(text), &a); err != nil {
				t.Fatal(err)
			}
			if len(text) > leastBytes+2*mostMessages {
				t.Errorf("%s: %d bytes", tool, len(text))
			}
			rows += len(a.Rows)
			if asked["skip"] = a.Next; a.Next == 0 {
				if rows != a.Total {
					t.Errorf("%s: %d rows of %d", tool, rows, a.Total)
				}
				break
			}
		}
		if rows < 8 {
			t.Errorf("%s: %d rows", tool, rows)
		}
	}
	text, _ := call(t, s, "packet", arguments{"file": "quake3/71-duel.dm_71", "frames": "0"})
	if !strings.Contains(text, "this row has ") {
		t.Errorf("a gamestate in %d bytes", len(text))
	}
}

// TestFileOrFiles: whoever writes file for files, or the other way, gets the same answer; who writes neither is told.
func TestFileOrFiles(t *testing.T) {
	t.Parallel()
	s := connect(t, defaultLimits, filepath.FromSlash("../../samples"))
	const name = "quake3/68-natrebind.pcap"
	for tool, more := range map[string]arguments{
		"list": {"frames": "1-5"}, "packet": {"frames": "1"}, "events": {}, "statistics": {"name": "players"},
		"matches": {}, "players": {}, "moments": {},
	} {
		ask := func(key string, value any) (string, string) {
			args := maps.Clone(more)
			if key != "" {
				args[key] = value
			}
			return call(t, s, tool, args)
		}
		one, fault := ask("file", name)
		if fault != "" || !strings.Contains(one, `"total":`) || strings.Contains(one, `"total":0`) {
			t.Errorf("%s: %s %.200s", tool, fault, one)
		}
		if list, fault := ask("files", []string{name}); fault != "" || list != one {
			t.Errorf("%s: files give %s %.200s, file gives %.200s", tool, fault, list, one)
		}
		if _, fault := ask("", nil); !strings.Contains(fault, "name a file") {
			t.Errorf("%s without a file: %s", tool, fault)
		}
	}
}
