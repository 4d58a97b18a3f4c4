package command

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// house is the example of docs/adding-a-protocol.md, with a capture of RakNet.
const house = "../../../dissect/dissecttest/testdata/house"

// TestModule builds a program of another module that adds a protocol to the command, and runs it. The expected texts
// are Wireshark's, truth/ping.tsv of the example.
func TestModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("links the whole command")
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]string{".": "testdata/module", "raknet": house + "/dissect/raknet"} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" { // the same versions of modules, so that nothing is looked up
			own, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			_, requirements, _ := strings.Cut(string(b), "\nrequire ")
			b = []byte(strings.Replace(string(own), "../../../../..", root, 1) + "\nrequire " + requirements)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "q3dissect-raknet")
	build := exec.Command("go", "build", "-mod=mod", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}

	out, err := exec.Command(program, house+"/samples/raknet/ping.pcap", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	truth, err := os.ReadFile(house + "/samples/raknet/truth/ping.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(truth), "\n"), "\n")
	records := bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
	if len(records) != len(rows) || len(rows) == 0 {
		t.Fatalf("%d records, Wireshark has %d", len(records), len(rows))
	}
	for i, row := range rows {
		var record struct {
			Protocol string
			RakNet   struct{ Text string }
		}
		if err := json.Unmarshal(records[i], &record); err != nil {
			t.Fatal(err)
		}
		columns := strings.Split(row, "\t")
		if want := columns[len(columns)-1]; record.Protocol != "raknet" || record.RakNet.Text != want {
			t.Errorf("record %d: %s, text %q, want %q", i+1, record.Protocol, record.RakNet.Text, want)
		}
	}

	list, err := exec.Command(program, "--list-protocols").Output()
	if err != nil || !strings.Contains(string(list), "RakNet") || !strings.Contains(string(list), "Teeworlds") {
		t.Errorf("--list-protocols, %v:\n%s", err, list)
	}
}
