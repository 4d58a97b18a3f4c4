package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run builds and runs an example.
func run(t *testing.T, example, stdin string, args ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), example)
	if out, err := exec.Command("go", "build", "-o", program, "./"+example).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(program, args...)
	if stdin != "" {
		f, err := os.Open(stdin)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c.Stdin = f
	}
	var errors bytes.Buffer
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil || errors.Len() > 0 {
		t.Fatalf("%s: %v\n%s", example, err, &errors)
	}
	return string(out)
}

// The kills are those that the server's log of the session has.
func TestKillfeed(t *testing.T) {
	out := run(t, "killfeed", "", "../../samples/quake3/68-loss.pcap")
	for _, line := range []string{"  Sergei  [shotgun]  Grism\n", "1 Sergei\n"} {
		if !strings.Contains(out, line) {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
}

// What was said is in the client's own configuration of that session: samples/README.md.
func TestLive(t *testing.T) {
	said := "say  <LabAlpha> hello everybody from LabAlpha\n"
	if out := run(t, "live", "../../samples/quake3/71-ipv6-chat.pcap"); !strings.Contains(out, said) {
		t.Errorf("%q is not in\n%s", said, out)
	}
}
