package records_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// covered are the protocols whose messages and datagrams have no bit without a name.
var covered = map[string]bool{"quake3": true, "teeworlds": true, "enet": true, "directplay8": true, "gamestudio": true}

// TestEveryBitHasAName counts the bits of the messages and datagrams of all samples, and with Q3DISSECT_LONG of the
// reference recordings: with framing, each lies in exactly one leaf.
func TestEveryBitHasAName(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.FromSlash("../../../samples/*/*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	t.Run("samples", func(t *testing.T) {
		messages := coverFiles(t, files)
		for protocol := range covered {
			if messages[protocol] == 0 {
				t.Errorf("no message of %s", protocol)
			}
		}
	})
	if os.Getenv("Q3DISSECT_LONG") == "" {
		return
	}
	t.Run("recordings", func(t *testing.T) {
		var files []string
		for _, folder := range []string{"captures", "demos"} {
			list, err := filepath.Glob(filepath.Join(reference.Folder(t, folder), "*", "*"))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, list...)
		}
		coverFiles(t, files)
	})
}

// coverFiles counts the bits of files, and returns how many datagrams and messages of each protocol they have.
func coverFiles(t *testing.T, files []string) (messages map[string]int) {
	t.Helper()
	messages = map[string]int{}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.IsDir() || strings.HasSuffix(name, ".pk3") {
			continue
		}
		for rec, err := range open.Records(name, all.Protocols(), dissect.Options{Framing: true}) {
			if err != nil {
				break // those that are cut and of other kinds are there for others
			}
			if rec.Protocol == nil || !covered[rec.Protocol.Name] {
				continue
			}
			rec.Tree.Separate()
			for _, scope := range []dissect.Scope{dissect.Datagram, dissect.Message} {
				c, ok := rec.Coverage(scope)
				if !ok {
					continue
				}
				messages[rec.Protocol.Name]++
				divided := 0
				if rec.Truncated() { // the end of what was captured may divide the code of a byte
					divided = 7
				}
				if c.Unnamed > divided || c.Shared > 0 {
					t.Errorf("%s, packet %d: of %d bits of the %v %d have no name and %d have two", filepath.Base(name), rec.Frame,
						c.Bits, scope, c.Unnamed, c.Shared)
				}
			}
		}
	}
	t.Log(fmt.Sprint(messages))
	return messages
}
