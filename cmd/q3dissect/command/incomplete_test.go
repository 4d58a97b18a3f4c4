package command

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A lackingCall is a command line in one form, and where its result is.
type lackingCall struct {
	args    []string
	file    string // the output; "": standard output
	comment bool   // the result has no place for it: standard error has a comment
}

// ofInputs are the calls of verbs that have no forms of -T. Every verb must be here, or in withoutInputs.
func ofInputs(dir string) map[string][]lackingCall {
	at := func(name string) string { return filepath.Join(dir, name) }
	many := func(verb string) []lackingCall {
		return []lackingCall{
			{args: []string{verb}}, {args: []string{verb, "--json"}}, {args: []string{verb, "--csv"}, comment: true},
		}
	}
	export := func(what string) []lackingCall {
		return []lackingCall{
			{args: []string{"export", what, "-o", at(what)}, file: at(what + "/manifest.json")},
			{args: []string{"export", what, "-o", at(what + "2"), "--json"}},
		}
	}
	return map[string][]lackingCall{
		"catalogue": many("catalogue"),
		"players":   many("players"),
		"keys":      {{args: []string{"keys"}}, {args: []string{"keys", "--json"}}},
		"report":    {{args: []string{"report", "-q", "-o", at("r.html")}, file: at("r.html")}},
		"moments": {
			{args: []string{"moments"}},
			{args: []string{"moments", "--json"}},
			{args: []string{"moments", "-T", "csv"}, comment: true},
			{args: []string{"moments", "-T", "markdown"}},
		},
		"export demo":     export("demo"),
		"export messages": export("messages"),
		"export files":    export("files")[1:], // without a file there is no manifest in the folder
		"compare": {
			{args: []string{"compare", "+"}},
			{args: []string{"compare", "--json", "+"}},
			{args: []string{"compare", "--merge", "+"}},
		},
	}
}

// withoutInputs are verbs that print no result of inputs, or show it while they run.
var withoutInputs = []string{
	"", "completion", "completion bash", "completion zsh", "completion fish", "completion powershell", "decode", "demo",
	"help", "man", "view", "wireshark", "wireshark install", "wireshark plugin", "wireshark profile", "export", "events",
}

// lackingCalls returns the command lines of all verbs and forms, from the program itself.
func lackingCalls(t *testing.T, dir string) (list []lackingCall) {
	verbs := ofInputs(dir)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	root := newRoot(&program{
		Console: &console.Console{Stdin: null, Stdout: null, Stderr: null}, protocols: all.Protocols(),
	})
	for _, cmd := range commands(root) {
		verb := strings.Join(strings.Fields(cmd.CommandPath())[1:], " ")
		if verbs[verb] == nil && !slices.Contains(withoutInputs, verb) {
			t.Errorf("q3dissect %s: state where its result says what an input did not give", verb)
		}
		list = append(list, verbs[verb]...)
	}
	for _, events := range []bool{false, true} {
		var verb []string
		if events {
			verb = []string{"events"}
		}
		add := func(comment bool, args ...string) {
			list = append(list, lackingCall{args: slices.Concat(verb, args), comment: comment})
		}
		add(false)
		add(false, "--json")
		add(true, "--jq", ".info")
		if events {
			add(true, "--csv")
		}
		for _, f := range run.Forms(events) {
			switch {
			case f.Name == "parquet":
				set := filepath.Join(dir, strings.Join(verb, "")+"set")
				list = append(list, lackingCall{
					args: slices.Concat(verb, []string{"-q", "-T", f.Name, "-o", set}), file: filepath.Join(set, "manifest.ndjson"),
				})
			case f.Name == "csv" && events:
				add(true, "-T", f.Name)
			case f.Name == "fields" || f.Name == "csv":
				add(true, "-T", f.Name, "-e", "info")
			default:
				add(f.Name == "tabs", "-T", f.Name)
			}
		}
	}
	for _, args := range [][]string{
		{"-V"},
		{"-x"},
		{"events", "--merge"},
		{"events", "--merge", "--json"},
		{"-q", "-z", "follow,0"},
		{"-q", "-z", "follow,0", "--json"},
	} {
		list = append(list, lackingCall{args: args})
	}
	for _, name := range []string{"e.json", "m.ndjson"} {
		flag := map[string]string{"e.json": "--evidence", "m.ndjson": "--manifest"}[name]
		list = append(list, lackingCall{args: []string{flag, filepath.Join(dir, name)}, file: filepath.Join(dir, name)})
	}
	for _, kind := range view.Kinds() {
		value := strings.Fields(kind.Usage)[0]
		if name, _, more := strings.Cut(value, ","); more {
			value = name + ",1"
		}
		for _, form := range [][]string{nil, {"--json"}, {"-T", "csv"}, {"-T", "markdown"}} {
			list = append(list, lackingCall{
				args: append([]string{"-q", "-z", value}, form...), comment: slices.Contains(form, "csv"),
			})
		}
	}
	return list
}

// lackingInputs writes inputs of each kind that are not whole, and returns the reasons for it.
func lackingInputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	read := func(name string) []byte {
		b, err := fs.ReadFile(os.DirFS(filepath.Join("..", "..", "..", "samples", "quake3")), name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	capture, demo := read("71-ipv6-chat.pcap"), read("68-kicked.dm_68")
	damaged := bytes.Clone(demo)
	first := int(damaged[4]) | int(damaged[5])<<8
	copy(damaged[8+first+4:], "\xff\xff\xff\x7f") // the length of the second message
	inputs := map[string]string{}
	for _, in := range []struct {
		name   string
		b      []byte
		reason string
	}{
		{"cut.pcap", capture[:len(capture)/2], "ends inside a packet"},
		{"damaged.dm_68", damaged, "impossible message length"},
	} {
		name := filepath.Join(dir, in.name)
		if err := os.WriteFile(name, in.b, 0o600); err != nil {
			t.Fatal(err)
		}
		inputs[name] = in.reason
	}
	return inputs
}

// TestResultsSayWhatIsMissing: the result of every verb, in every form, says itself that its input was not read to the
// end, and why.
func TestResultsSayWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	said := 0
	for name, reason := range lackingInputs(t, dir) {
		for _, call := range lackingCalls(t, filepath.Join(dir, "of "+filepath.Base(name))) {
			if err := os.MkdirAll(filepath.Join(dir, "of "+filepath.Base(name)), 0o700); err != nil {
				t.Fatal(err)
			}
			args := slices.Clone(call.args)
			recorded := strings.HasSuffix(name, ".dm_68")
			if i := slices.Index(args, "+"); i >= 0 { // captures alone are compared
				if args[i] = name; recorded {
					continue
				}
			}
			if args = append(args, name); recorded && (args[0] == "keys" || slices.Contains(args, "files")) {
				continue // it has no sessions with keys, and no files
			}
			status, stdout, stderr := resultOf(t, args)
			if status != 4 {
				t.Errorf("%q: status %d: %s", args, status, stderr)
			}
			result, mark := stdout, "incomplete"
			switch {
			case call.comment:
				result, mark = stderr, "# incomplete: "
			case call.file != "":
				b, err := os.ReadFile(call.file)
				if err != nil {
					if recorded && strings.Contains(call.file, "demo") {
						continue // nothing of one message can be a demo
					}
					t.Errorf("%q: %v", args, err)
				}
				result = string(b)
			}
			if set := filepath.Dir(call.file); slices.Contains(args, "parquet") {
				tables, err := filepath.Glob(filepath.Join(set, "*", "*.parquet"))
				if err != nil || len(tables) == 0 {
					t.Errorf("%q: no tables, %v", args, err)
				}
				for _, name := range tables {
					if b, err := os.ReadFile(name); err != nil || !strings.Contains(string(b), reason) {
						t.Errorf("%s does not say %q, %v", name, reason, err)
					}
				}
			}
			if i := strings.LastIndex(result, mark); i < 0 || !strings.Contains(result[i:], reason) {
				t.Errorf("%q does not say %q: ...%s", args, reason, result[max(0, len(result)-300):])
			} else if i := strings.Index(stderr, "panic"); i >= 0 {
				t.Errorf("%q: %s", args, stderr)
			}
			said++
			t.Logf("%-60s %s", strings.Join(call.args, " "), reason)
		}
	}
	if said < 150 {
		t.Errorf("%d results", said)
	}
}

// resultOf runs a command line in this process.
func resultOf(t *testing.T, args []string) (status int, stdout, stderr string) {
	t.Helper()
	files := [3]*os.File{}
	for i := range files {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	p := &program{
		Console: &console.Console{Stdin: files[0], Stdout: files[1], Stderr: files[2]}, protocols: all.Protocols(),
	}
	status = p.main(args)
	text := func(f *os.File) string {
		b, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30))
		if err != nil {
			t.Fatal(fmt.Errorf("%q: %w", args, err))
		}
		return string(b)
	}
	return status, text(files[1]), text(files[2])
}
