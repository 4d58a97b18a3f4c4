package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A lackingCall is a command line in one form, and where its result is.
type lackingCall struct {
	command  *cobra.Command
	args     []string // "+" is replaced by the input, once more
	file     string   // the output; "": standard output
	comment  bool     // the result has no place for it: standard error has a comment
	records  bool     // the result has all records, which show some reasons themselves
	captures bool     // demos are no inputs of it
	keys     bool     // it is about them
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
		"catalogue":  many("catalogue"),
		"players":    many("players"),
		"highlights": many("highlights"),
		"keys": {
			{args: []string{"keys"}, captures: true, keys: true},
			{args: []string{"keys", "--json"}, captures: true, keys: true},
		},
		"report": {
			{args: []string{"report", "-q", "-o", at("r.html")}, file: at("r.html")},
			{args: []string{"report", "-q", "-o", "-"}},
			{args: []string{"report", "-q", "--compare", "-o", at("c.html"), "+"}, file: at("c.html"), captures: true},
		},
		"moments": {
			{args: []string{"moments"}},
			{args: []string{"moments", "--json"}},
			{args: []string{"moments", "-T", "csv"}, comment: true},
			{args: []string{"moments", "-T", "markdown"}},
		},
		"export demo":     export("demo"),
		"export messages": export("messages"),
		// Without a file there is no manifest in the folder.
		"export files": {{args: []string{"export", "files", "-o", at("files"), "--json"}, captures: true}},
		"compare": {
			{args: []string{"compare", "+"}, captures: true},
			{args: []string{"compare", "--json", "+"}, captures: true},
			{args: []string{"compare", "--json", "--seconds", "+"}, captures: true},
			{args: []string{"compare", "--merge", "+"}, captures: true},
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
		Console: &console.Console{Stdin: null, Stdout: null, Stderr: null, DeriveKey: deriveOnce}, protocols: all.Protocols(),
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
			list = append(list, lackingCall{args: slices.Concat(verb, args), comment: comment, records: !events})
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
	for _, args := range [][]string{{"-V"}, {"-x"}} {
		list = append(list, lackingCall{args: args, records: true})
	}
	for _, args := range [][]string{
		{"events", "--merge"},
		{"events", "--merge", "--json"},
		{"-q", "-z", "follow,0"},
		{"-q", "-z", "follow,0", "--json"},
	} {
		list = append(list, lackingCall{args: args})
	}
	for _, output := range [][]string{
		{"--evidence", "e.json"},
		{"--manifest", "m.ndjson"},
		{"-w", "w.pcapng"},
		{"-w", "p.pcapng", "--pdu"},
		{"-w", "b.pcapng", "--pdu=both"},
		{"-w", "c.pcapng", "--with-context"},
		{"-w", "a.pcapng", "--anonymize", "correct-horse-battery"},
	} {
		name := filepath.Join(dir, output[1])
		args := append([]string{output[0], name}, output[2:]...)
		captures := output[0] == "-w" && !slices.Contains(args, "--pdu")
		records := !slices.Contains(args, "--anonymize") && output[0] == "-w"
		list = append(list, lackingCall{args: args, file: name, captures: captures, records: records})
	}
	for _, kind := range view.Kinds() {
		value, _, _ := strings.Cut(strings.Fields(kind.Usage)[0], "[") // what may be left out
		if name, _, more := strings.Cut(value, ","); more {
			value = name + ",1"
		}
		for _, form := range [][]string{nil, {"--json"}, {"-T", "csv"}, {"-T", "markdown"}} {
			list = append(list, lackingCall{
				args: append([]string{"-q", "-z", value}, form...), comment: slices.Contains(form, "csv"),
			})
		}
	}
	for i := range list {
		if list[i].command, _, err = root.Find(list[i].args); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// A lack is a way in which inputs are not whole, and how results have to say so.
type lack struct {
	name   string
	input  []byte
	args   []string // beside those of the call
	only   func(call *lackingCall) bool
	beside bool // with an input that is whole
	signal bool // it is interrupted
	status int
	reason string // in words
	code   string // of records that show it themselves; else empty
}

// lacks returns all reasons, with an input of each. The first two are of every run of the tests.
func lacks(t *testing.T) []lack {
	t.Helper()
	read := func(name string) []byte {
		b, err := fs.ReadFile(os.DirFS(filepath.Join("..", "..", "..", "samples", "quake3")), name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	has := func(flag string) func(*lackingCall) bool {
		return func(call *lackingCall) bool { return call.command.Flags().Lookup(flag) != nil }
	}
	capture, demo := read("71-ipv6-chat.pcap"), read("68-kicked.dm_68")
	message := func(n int) (start int) { // the place of a message's length in the demo
		for ; n > 0; n-- {
			start += 8 + int(binary.LittleEndian.Uint32(demo[start+4:]))
		}
		return start + 4
	}
	stopped, damaged := bytes.Clone(demo), bytes.Clone(demo)
	copy(stopped[message(1):], "\xff\xff\xff\x7f")
	for i := range damaged[message(20)+4+10 : message(21)-4] {
		damaged[message(20)+14+i] ^= 0xff
	}
	long := bytes.Clone(capture)
	query, err := buildPacket("c:getstatus")
	if err != nil {
		t.Fatal(err)
	}
	head := binary.LittleEndian.AppendUint32(bytes.Clone(capture[24:32]), uint32(len(query)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(query)))
	for range 400_000 {
		long = append(append(long, head...), query...)
	}
	return []lack{
		{name: "cut.pcap", input: capture[:len(capture)/2], status: 4, reason: "ends inside a packet"},
		{name: "stopped.dm_68", input: stopped, status: 4, reason: "impossible message length"},
		{name: "cut.dm_68", input: demo[:len(demo)/2], status: 4, reason: "ends inside"},
		{name: "dropped.pcapng", input: dropping(capture), reason: "7 packets were dropped"},
		{
			name: "midsession.pcap", input: read("68-midsession.pcap"), args: []string{"--no-recover"}, only: has("no-recover"),
			reason: "577 messages cannot be deciphered", code: "key_unknown",
		},
		{name: "damaged.dm_68", input: damaged, reason: "1 message is damaged", code: "truncated"},
		{
			name: "unknown.dm_99", input: demo,
			reason: "292 datagrams are of a protocol that is not read", code: "unsupported_protocol",
		},
		{
			name: "notes.txt", input: []byte("These are my notes."), beside: true,
			status: 3, reason: "no known kind of capture",
		},
		{name: "interrupted.pcap", input: long, signal: true, status: 143, reason: "interrupted"},
	}
}

// nothing reports whether a verb has no output for the input: where no file can be made of it, there is no manifest.
func (l *lack) nothing(call *lackingCall) bool {
	if l.signal && slices.Contains(call.args, "--anonymize") {
		return true // it is interrupted while it learns the names
	}
	exports := call.command.Parent() != nil && call.command.Parent().Name() == "export"
	return exports && call.file != "" &&
		(l.name == "stopped.dm_68" && call.command.Name() == "demo" ||
			l.code == "key_unknown" || l.code == "unsupported_protocol")
}

// TestResultsSayWhatIsMissing: the result of every verb, in every form, says itself that its input was not read to the
// end, and why.
func TestResultsSayWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	said := 0
	reasons := lacks(t)
	whole := filepath.Join("..", "..", "..", "samples", "quake3", "71-ipv6-chat.pcap")
	if !long() {
		reasons = reasons[:2]
	}
	for _, lack := range reasons {
		name := filepath.Join(dir, lack.name)
		if err := os.WriteFile(name, lack.input, 0o600); err != nil {
			t.Fatal(err)
		}
		outputs := filepath.Join(dir, "of "+lack.name)
		if err := os.Mkdir(outputs, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, call := range lackingCalls(t, outputs) {
			recorded := !strings.Contains(lack.name, ".pcap")
			if recorded && call.captures || lack.only != nil && !lack.only(&call) || lack.nothing(&call) {
				continue
			}
			args := append(slices.Concat(call.args, lack.args), name)
			if lack.beside {
				args = append(args, whole)
			}
			if i := slices.Index(args, "+"); i >= 0 {
				args[i] = name
			}
			checkLack(t, &lack, &call, args)
			said++
		}
	}
	if said < 150 {
		t.Errorf("%d results", said)
	}
}

// checkLack runs a call, and looks for the reason in its result.
func checkLack(t *testing.T, lack *lack, call *lackingCall, args []string) {
	t.Helper()
	if lack.signal {
		defer signals(t)()
	}
	status, stdout, stderr := resultOf(t, args)
	if status != lack.status {
		t.Errorf("%q: status %d: %s", args, status, stderr)
	}
	if strings.Contains(stderr, "panic") {
		t.Errorf("%q: %s", args, stderr)
	}
	result, mark, reason := stdout, "incomplete", lack.reason
	switch {
	case call.records && lack.code != "":
		mark, reason = "", lack.code
	case call.keys && lack.code != "":
		mark, reason = "", "unknown"
	case slices.Contains(args, "--anonymize") && lack.code != "":
		mark, reason = "", lack.code // its messages stay, without what is enciphered
	case call.comment:
		result, mark = stderr, "# incomplete: "
	}
	if call.file != "" {
		b, err := os.ReadFile(call.file)
		if err != nil {
			t.Errorf("%q: %v: %s", args, err, stderr)
		}
		result = string(b)
	}
	if set := filepath.Dir(call.file); slices.Contains(args, "parquet") && !lack.beside {
		tables, err := filepath.Glob(filepath.Join(set, "*", "*.parquet"))
		if err != nil || len(tables) == 0 {
			t.Errorf("%q: no tables, %v", args, err)
		}
		for _, name := range tables {
			if b, err := os.ReadFile(name); err != nil || !strings.Contains(string(b), lack.reason) {
				t.Errorf("%s does not say %q, %v", name, lack.reason, err)
			}
		}
	}
	if i := max(0, strings.LastIndex(result, mark)); mark != "" {
		result = result[i:]
	}
	if !strings.Contains(result, mark) || !strings.Contains(result, reason) {
		t.Errorf("%q does not say %q: ...%s", args, reason, result[max(0, len(result)-300):])
	}
	t.Logf("%-60s %s", strings.Join(call.args, " "), lack.reason)
}

// dropping returns a capture as pcapng, with the statistics of an interface that lost seven packets.
func dropping(capture []byte) (file []byte) {
	le := binary.LittleEndian
	block := func(kind uint32, body []byte) {
		body = append(body, make([]byte, -len(body)&3)...)
		size := uint32(len(body) + 12)
		file = le.AppendUint32(le.AppendUint32(file, kind), size)
		file = le.AppendUint32(append(file, body...), size)
	}
	block(0x0a0d0d0a, slices.Concat(le.AppendUint32(nil, 0x1a2b3c4d), []byte{1, 0, 0, 0}, bytes.Repeat([]byte{0xff}, 8)))
	block(1, slices.Concat(capture[20:22], make([]byte, 6)))
	for rest := capture[24:]; len(rest) > 0; {
		size := le.Uint32(rest[8:])
		micros := uint64(le.Uint32(rest))*1e6 + uint64(le.Uint32(rest[4:]))
		head := le.AppendUint32(le.AppendUint32(make([]byte, 4), uint32(micros>>32)), uint32(micros))
		block(6, slices.Concat(head, rest[8:16], rest[16:16+size]))
		rest = rest[16+size:]
	}
	const lost = "\x05\x00\x08\x00\x07\x00\x00\x00\x00\x00\x00\x00" // isb_ifdrop
	block(5, slices.Concat(make([]byte, 12), []byte(lost), make([]byte, 4)))
	return file
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
		Console:   &console.Console{Stdin: files[0], Stdout: files[1], Stderr: files[2], DeriveKey: deriveOnce},
		protocols: all.Protocols(),
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
