package browse_test

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// The bits of a message that a transport joined of several datagrams are found in these: every byte of it, in the
// datagrams that the record names, and in no other. Where a range coder packed them there is no such place:
// enet-godot3.
func TestJoinedMessagesHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		want int // records with such a message
	}{
		{"enet-cube2.pcap", 3},
		{"enet-enigma.pcap", 1},
		{"libenet-plain.pcap", 2},
		{"libenet-checksum.pcap", 2},
		{"synthetic-directplay8-loss.pcap", 4},
		{"synthetic-directplay8-signed.pcap", 1},
		{"synthetic-directplay8.pcap", 4},
		{"synthetic-enet-commands.pcap", 1},
		{"synthetic-enet10.pcap", 7},
		{"synthetic-every-late.pcap", 4},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			s := begin(t, browse.Options{InMemory: true}, filepath.Join("..", "..", "..", "samples", "gamestudio", c.file))
			seen := 0
			for row := range s.Status().Rows {
				a, err := s.Record(row)
				if err != nil {
					t.Fatal(err)
				}
				if frames := reassembledFrom(t, a); len(frames) > 0 {
					seen++
					comparePieces(t, a, frames)
				}
			}
			if seen != c.want {
				t.Errorf("%d records have a joined message, want %d", seen, c.want)
			}
		})
	}
}

// reassembledFrom gives the frames of the lists reassembled_from.
func reassembledFrom(t *testing.T, a *browse.Record) map[uint64]bool {
	t.Helper()
	frames := map[uint64]bool{}
	for _, f := range a.Fields {
		if strings.Contains(f.Path, "reassembled_from[") {
			n, err := strconv.ParseUint(f.Value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			frames[n] = true
		}
	}
	return frames
}

// comparePieces compares the pieces of a record with the bytes on both sides.
func comparePieces(t *testing.T, a *browse.Record, frames map[uint64]bool) {
	t.Helper()
	message := a.Layers[1].Bytes
	at, from := 0, map[uint64]bool{}
	for _, p := range a.Pieces {
		if p.Message != at<<3 || p.Bits != p.MessageBits {
			t.Fatalf("frame %d: the piece %+v follows byte %d of the message", a.Number, p, at)
		}
		layer, n := a.Layers[p.Layer], p.Bits>>3
		if !bytes.Equal(layer.Bytes[p.Wire>>3:][:n], message[at:][:n]) {
			t.Fatalf("frame %d: byte %d of the message is another one in frame %d", a.Number, at, layer.Frame)
		}
		from[layer.Frame] = true
		at += n
	}
	if at != len(message) {
		t.Errorf("frame %d: %d of %d bytes have a place", a.Number, at, len(message))
	}
	if diff := cmp.Diff(frames, from); diff != "" {
		t.Errorf("frame %d: frames of the message (-named +found):\n%s", a.Number, diff)
	}
}
