package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A tshark is Wireshark's tshark with the plug-in.
type tshark struct{ program, plugin string }

func newTshark(t *testing.T) *tshark {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark: ", err)
	}
	plugin, _ := runMain(t, "wireshark", "plugin")
	s := &tshark{program, filepath.Join(t.TempDir(), "q3dissect.lua")}
	if err := os.WriteFile(s.plugin, plugin, 0o666); err != nil {
		t.Fatal(err)
	}
	return s
}

// plain returns what tshark prints about a file without the plug-in, which takes as long to load as the rest to start.
func (s *tshark) plain(t *testing.T, file string, args ...string) []byte {
	t.Helper()
	return s.start(t, t.TempDir(), append([]string{"-n", "-r", file}, args...)...)
}

// run returns what tshark prints about a file. Faults of the plug-in are on standard error.
func (s *tshark) run(t *testing.T, file string, args ...string) []byte {
	t.Helper()
	return s.runAt(t, t.TempDir(), file, args...)
}

// runAt is run with a home folder.
func (s *tshark) runAt(t *testing.T, home, file string, args ...string) []byte {
	t.Helper()
	return s.start(t, home, append([]string{"-n", "-X", "lua_script:" + s.plugin, "-r", file}, args...)...)
}

// start runs tshark with a home folder.
func (s *tshark) start(t *testing.T, home string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(s.program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("tshark %v: %v: %s", args, err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if !strings.HasPrefix(line, "Running as user") {
			t.Errorf("tshark %v: %s", args, line)
		}
	}
	return stdout.Bytes()
}

// exportPDUs writes the exported PDUs of a file, and returns the name of the result.
func exportPDUs(t *testing.T, file string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.pcapng")
	runMain(t, append([]string{file, "-q", "-w", out, "--pdu"}, args...)...)
	return out
}

// A leaf is a value of a record: its path, with arrays skipped, and the value as text.
type leaf struct{ path, value string }

// leaves appends all values of the next JSON value, in their order. name changes the path of a key.
func leaves(t *testing.T, d *json.Decoder, list []leaf, path string, name func(path, key string) string) []leaf {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch v := token.(type) {
	case json.Delim:
		for d.More() {
			inner := path
			if v == '{' {
				key, _ := d.Token()
				inner = name(path, key.(string))
			}
			list = leaves(t, d, list, inner, name)
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
	case nil:
		list = append(list, leaf{path, "null"})
	default:
		list = append(list, leaf{path, fmt.Sprint(v)})
	}
	return list
}

// ownLeaves returns the values of the records that --json prints.
func ownLeaves(t *testing.T, records []byte, infos map[string]bool) (list [][]leaf) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(records))
	d.UseNumber()
	for d.More() {
		found := leaves(t, d, nil, "", func(path, key string) string {
			switch {
			case path == "":
				return key
			case infos[path]:
				return path + ".pair\x00" + key
			}
			return path + "." + key
		})
		for i := range found {
			if path, key, ok := strings.Cut(found[i].path, "\x00"); ok {
				found[i] = leaf{path, key + `\` + found[i].value}
			}
		}
		list = append(list, found)
	}
	return list
}

// sharkLeaves returns the values of the fields that tshark -T json prints, without empty containers and what Wireshark
// adds to expert entries.
func sharkLeaves(t *testing.T, records []byte, containers map[string]bool) (list [][]leaf) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(records))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		var own []leaf
		for _, l := range leaves(t, d, nil, "", func(_, key string) string { return key }) {
			path, ok := strings.CutPrefix(l.path, "q3dissect.")
			if ok && !(l.value == "" && containers[path]) && !strings.HasSuffix(path, "_entry") {
				own = append(own, leaf{path, l.value})
			}
		}
		list = append(list, own)
	}
	return list
}

// paths returns the fields that are infostrings, and those that have others in them.
func paths(t *testing.T) (infos, containers map[string]bool) {
	t.Helper()
	infos, containers = map[string]bool{}, map[string]bool{}
	list, _ := runMain(t, "--list-fields", "--json")
	for d := json.NewDecoder(bytes.NewReader(list)); d.More(); {
		var field struct{ Field, Type, Items, Doc string }
		if err := d.Decode(&field); err != nil {
			t.Fatal(err)
		}
		if path, ok := strings.CutSuffix(field.Field, ".*"); ok && strings.HasPrefix(field.Doc, "value of a key") {
			infos[path] = true
		}
		if field.Type == "object" || field.Items == "object" {
			containers[field.Field] = true
		}
	}
	return infos, containers
}

// sameValue reports whether tshark's spelling of a value is that of a record's.
func sameValue(own, other leaf) bool {
	if own.path != other.path {
		return false
	}
	switch {
	case own.value == other.value, own.value == "true" && other.value == "1", own.value == "false" && other.value == "0":
		return true
	case own.path == "time":
		at, err := time.Parse("Jan _2, 2006 15:04:05.999999999 MST", other.value)
		return err == nil && at.Format("2006-01-02T15:04:05.000000000Z") == own.value
	case strings.TrimPrefix(other.value, "-") == "nan":
		return own.value == "nan"
	case strings.ReplaceAll(own.value, "\x00", "␀") == other.value:
		return true
	}
	a, err1 := strconv.ParseFloat(own.value, 64) // Wireshark prints six digits
	b, err2 := strconv.ParseFloat(other.value, 64)
	return err1 == nil && err2 == nil && strings.ContainsAny(own.value+other.value, ".e") &&
		math.Abs(a-b) <= max(math.Abs(a)*1e-5, math.SmallestNonzeroFloat32) // of denormals ours is the shortest decimal
}

// compare compares the records of files with tshark's trees, and returns how many values were the same. tshark reads
// the exported PDUs of all files as one, of several sections: it takes longer to start than to read most of them.
func (s *tshark) compare(t *testing.T, files []string, args ...string) (values int) {
	t.Helper()
	infos, containers := paths(t)
	var want [][]leaf
	var names []string // of the records
	var all []byte
	for _, file := range files {
		records, _ := runMain(t, append([]string{file, "--json", "-Y", "!quoted_by"}, args...)...) // these are not exported
		for i, record := range ownLeaves(t, records, infos) {
			want = append(want, record)
			names = append(names, fmt.Sprintf("%s, record %d", filepath.Base(file), i+1))
		}
		section, err := os.ReadFile(exportPDUs(t, file, args...))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, section...)
	}
	name := filepath.Join(t.TempDir(), "all.pcapng")
	if err := os.WriteFile(name, all, 0o666); err != nil {
		t.Fatal(err)
	}
	printed := s.run(t, name, "-T", "json")
	if bytes.Contains(printed, []byte("q3dissect.malformed")) {
		t.Error("a container is malformed")
	}
	got := sharkLeaves(t, printed, containers)
	if len(got) != len(want) {
		t.Errorf("%d records, tshark has %d", len(want), len(got))
	}
	for i := range min(len(want), len(got)) {
		values += compareLeaves(t, names[i], want[i], got[i])
	}
	t.Logf("%d values of %d files", values, len(files))
	return values
}

// compareLeaves returns how many values are the same, and reports the first that is not.
func compareLeaves(t *testing.T, what string, want, got []leaf) (values int) {
	t.Helper()
	for k := range max(len(want), len(got)) {
		var own, other leaf
		if k < len(want) {
			own = want[k]
		}
		if k < len(got) {
			other = got[k]
		}
		if !sameValue(own, other) {
			t.Errorf("%s: %q, there is %q", what, own, other)
			break
		}
		values++
	}
	return values
}

func sampleFiles(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"*.pcap", "*.dm_*", "*.demo", "*.teehistorian", "*.gho"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", "samples", "*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

// comparedFiles returns the samples of up to 12 kB, which every protocol has, and all with Q3DISSECT_LONG: tests
// compare every value in them.
func comparedFiles(t *testing.T) []string {
	t.Helper()
	return upTo(t, 12_000, sampleFiles(t))
}

// upTo returns the files that are not larger, or all with Q3DISSECT_LONG.
func upTo(t *testing.T, most int64, names []string) []string {
	t.Helper()
	return slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size() > most && !long()
	})
}

// long reports whether the test is one of make long, which leaves nothing out.
func long() bool { return os.Getenv("Q3DISSECT_LONG") != "" }

// The tree that tshark prints of a message has the fields of its record, with their values and in their order.
func TestWiresharkTree(t *testing.T) {
	t.Parallel()
	if n := newTshark(t).compare(t, comparedFiles(t)); n < 20_000 && !t.Failed() {
		t.Errorf("only %d values were compared", n)
	}
}

// So do those of captures of real games: the first 2,000 packets of ten of them.
func TestWiresharkTreeReference(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("tshark takes a minute")
	}
	captures := referenceCaptures(t)
	step := max(1, len(captures)/10)
	var files []string
	for i := range min(10, len(captures)) {
		files = append(files, captures[i*step])
	}
	if n := newTshark(t).compare(t, files, "-c", "2000"); n < 100_000 {
		t.Errorf("only %d values were compared", n)
	}
}
