package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const said = `{"frame":2,"frames":[2],"dir":"c2s"}
{"frame":5,"frames":[3,5],"dir":"s2c"}
{"frame":6,"dir":"c2s","note":"{\"frame\":6"}
{"frame":8,"frames":[7,8],"dir":"s2c"}
`

// What is said of packets that are kept stays, with their new numbers; a message that lost a packet goes.
func TestTruth(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		flags []string
		want  string
	}{
		{"everything", nil, said},
		{"frames", []string{"-frames", "3-6"}, `{"frame":3,"frames":[1,3],"dir":"s2c"}
{"frame":4,"dir":"c2s","note":"{\"frame\":6"}
`},
		{"lost", []string{"-drop", "3,4"}, `{"frame":2,"frames":[2],"dir":"c2s"}
{"frame":4,"dir":"c2s","note":"{\"frame\":6"}
{"frame":6,"frames":[5,6],"dir":"s2c"}
`},
		{"lines", []string{"-lines", "1,4"}, `{"frame":2,"frames":[2],"dir":"c2s"}
{"frame":8,"frames":[7,8],"dir":"s2c"}
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			in, out := filepath.Join(t.TempDir(), "in.jsonl"), filepath.Join(t.TempDir(), "out.jsonl.gz")
			if err := os.WriteFile(in, []byte(said), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := run(append(append([]string{"truth", "-o", out}, row.flags...), in)); err != nil {
				t.Fatal(err)
			}
			packed, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			z, err := gzip.NewReader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if err := run([]string{"truth", "-o", "x", "-lines", "1", "-frames", "1", "y"}); err == nil ||
		!strings.Contains(err.Error(), "lines") {
		t.Errorf("packets and lines: %v", err)
	}
}
