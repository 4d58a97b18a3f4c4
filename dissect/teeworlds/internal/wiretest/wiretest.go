// Package wiretest is shared by the tests of the teeworlds packages: packed ints, trees as lines,
// and the reference data.
package wiretest

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// AppendInt packs an int as the games do, step by step: sign, 6 bits, then 7 at a time.
//
// CVariableInt::Pack in src/engine/shared/compression.cpp.
func AppendInt(dst []byte, i int32) []byte {
	var first byte
	if i < 0 {
		first |= 0x40
		i = ^i
	}
	first |= byte(i & 0x3f)
	i >>= 6
	if i == 0 {
		return append(dst, first)
	}
	dst = append(dst, first|0x80)
	for {
		b := byte(i & 0x7f)
		if i >>= 7; i == 0 {
			return append(dst, b)
		}
		dst = append(dst, b|0x80)
	}
}

// Leaves returns a tree as lines "path value". An empty container has a line too.
func Leaves(t *dissect.Tree) []string {
	var lines []string
	var walk func(i int, path string)
	walk = func(i int, path string) {
		n := &t.Nodes[i]
		if !n.Field.Kind.Container() {
			lines = append(lines, path+" "+leaf(t, n))
			return
		}
		if int(n.End) == i+1 {
			lines = append(lines, path)
		}
		at := 0
		for c := i + 1; c < int(n.End); c = int(t.Nodes[c].End) {
			sub := path
			if n.Field.Kind == dissect.List {
				sub += "[" + strconv.Itoa(at) + "]"
			} else {
				sub = strings.TrimPrefix(sub+"."+t.Nodes[c].Field.Key, ".")
			}
			walk(c, sub)
			at++
		}
	}
	if len(t.Nodes) > 0 {
		walk(0, "")
	}
	return lines
}

func leaf(t *dissect.Tree, n *dissect.Node) string {
	switch n.Field.Kind {
	case dissect.Bool:
		return strconv.FormatBool(n.Bool())
	case dissect.Uint, dissect.Int:
		return strconv.FormatInt(n.Int(), 10)
	case dissect.Hex:
		return fmt.Sprintf("%x", t.Bytes(n))
	}
	return string(t.Bytes(n))
}

// Dumps returns the names of the dumps that the games wrote of their own traffic during a reference capture; of all
// with "*".
func Dumps(t *testing.T, capture string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures", "teeworlds"), capture+
		".d", "*network_*.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
