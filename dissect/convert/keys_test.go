package convert_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// TestRecovers counts the messages that are read with recovered keys: nearly all of a file, fewer from a pipe, and none
// where it is turned off.
func TestRecovers(t *testing.T) {
	t.Parallel()
	const messages = 2812 // the truth decodes all of them
	data, err := os.ReadFile(filepath.Join(reference.Folder(t, "captures", "quake3"), "q3-68-connect-play-mid.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	count := func(r io.Reader, off bool) int {
		var out bytes.Buffer
		if _, err := convert.Run(r, convert.Outputs{Records: &out},
			convert.Options{Protocols: all.Protocols(), NoRecover: off}); err != nil {
			t.Fatal(err)
		}
		return bytes.Count(out.Bytes(), []byte(`"key":"recovered"`))
	}
	file := count(bytes.NewReader(data), false)
	if file*100 < messages*95 || file > messages {
		t.Errorf("%d of %d messages of a file were deciphered", file, messages)
	}
	if n := count(io.MultiReader(bytes.NewReader(data)), false); n == 0 || n > file {
		t.Errorf("%d messages from a pipe were deciphered, of a file %d", n, file)
	}
	if n := count(bytes.NewReader(data), true); n != 0 {
		t.Errorf("%d messages were deciphered with NoRecover", n)
	}
}
