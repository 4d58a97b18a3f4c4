package teeworlds

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// TestPayloadsEqualTheDumps decompresses every packet that the games sent and received. The games dump it twice: as it
// travels (0) and its plain payload (1), the one that is first made first. What DDNet sends has no token yet in its
// plain form.
func TestPayloadsEqualTheDumps(t *testing.T) {
	t.Parallel()
	total := 0
	names := wiretest.Dumps(t, "*")
	if len(names) == 0 {
		t.Skip("no reference captures; see Q3DISSECT_REFERENCE")
	}
	for _, name := range names {
		b := reference.Read(t, name)
		d := tables.V07
		if strings.Contains(name, "dd06") {
			d = tables.DDNet
		}
		sent := strings.Contains(name, "network_sent")
		var p packet
		for count := 0; len(b) > 0; count++ {
			raw, plain, rest := pairOf(t, b, sent)
			b = rest
			if !p.parse(raw, d) || p.fault != nil || p.oddEnd {
				t.Fatalf("%s: packet %d: %v", filepath.Base(name), count, p.fault)
			}
			got := p.message
			if sent {
				got = p.payload
			}
			if !bytes.Equal(got, plain) {
				t.Fatalf("%s: packet %d is %x, want %x", filepath.Base(name), count, got, plain)
			}
			total++
		}
	}
	if total < 10000 {
		t.Errorf("%d packets compared", total)
	}
}

// pairOf takes the two forms of a packet off a dump: records of type, length and bytes.
func pairOf(t *testing.T, b []byte, sent bool) (raw, plain, rest []byte) {
	t.Helper()
	first, b := recordOf(t, b, sent)
	second, b := recordOf(t, b, !sent)
	if sent {
		return second, first, b
	}
	return first, second, b
}

func recordOf(t *testing.T, b []byte, plain bool) (data, rest []byte) {
	t.Helper()
	if len(b) < 8 || (binary.LittleEndian.Uint32(b) == 1) != plain {
		t.Fatalf("a dump goes on with %.16x", b)
	}
	end := 8 + int(binary.LittleEndian.Uint32(b[4:]))
	return b[8:end], b[end:]
}
