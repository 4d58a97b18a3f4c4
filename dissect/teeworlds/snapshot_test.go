package teeworlds

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// The two snapshots of the protocol description, made with the compiled original: a full one, and a difference to it.
var (
	fullVector  = []byte{0x00, 0x02, 0x00, 0x06, 0x00, 0x0a, 0x00, 0x00, 0x17, 0x00, 0x01, 0x8d, 0x01}
	deltaVector = []byte{
		0x01, 0x02, 0x00, 0x80, 0x80, 0xb8, 0x01, 0x06, 0x00, 0x00, 0x04, 0x40,
		0x0b, 0x03, 0x00, 0x05, 0x28,
	}
)

const (
	partSize = 900 // of every part but the last
	fullCRC  = 87
	deltaCRC = 58
)

// snapLeaves returns the leaves of the snapshot in a datagram.
func snapLeaves(c *conversation, payload []byte) []string {
	var list []string
	for _, line := range leaves(c, tables.V07, toClient, payload) {
		if rest, ok := strings.CutPrefix(line, "chunks.snapshot."); ok {
			list = append(list, rest)
		} else if strings.HasPrefix(line, "expert") {
			list = append(list, line)
		}
	}
	return list
}

var deltaLeaves = []string{
	"tick 12", "base_tick 10", "parts 1", "crc 58", "crc_ok true",
	"items.type 6", "items.id 0", "items.update delta", "items.gamedata.game_start_tick 10",
	"items.gamedata.game_state_flags 4", "items.gamedata.game_state_end_tick -1", "items.type 11", "items.id 3",
	"items.update new", "items.playerinfo.player_flags 0", "items.playerinfo.score 5", "items.playerinfo.latency 40",
	"removed.type 23", "removed.id 0",
	"expert note out_of_range", // game_state_end_tick -1
}

func TestSnapshotVectors(t *testing.T) {
	t.Parallel()
	c := newConversation(dissect.Options{})
	want := []string{
		"tick 10", "base_tick -1", "parts 1", "crc 87", "crc_ok true",
		"items.type 6", "items.id 0", "items.update new", "items.gamedata.game_start_tick 10",
		"items.gamedata.game_state_flags 0", "items.gamedata.game_state_end_tick 0", "items.type 23", "items.id 0",
		"items.update new", "items.playerinforace.race_start_tick 77",
	}
	if diff := cmp.Diff(want, snapLeaves(c, compressed(snapPacket(0, fullVector, 10, 11, fullCRC)))); diff != "" {
		t.Errorf("full (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(deltaLeaves, snapLeaves(c, snapPacket(0, deltaVector, 12, 2, deltaCRC))); diff != "" {
		t.Errorf("delta (-want +got):\n%s", diff)
	}
}

// TestSnapshotFaults has differences that cannot be applied, and sums that are wrong.
func TestSnapshotFaults(t *testing.T) {
	t.Parallel()
	pack := func(ints ...int32) (b []byte) {
		for _, n := range ints {
			b = wiretest.AppendInt(b, n)
		}
		return b
	}
	for _, tt := range []struct {
		name string
		data []byte
		crc  int32
		want string // the expert entry
		kept bool   // later ones can be differences to it
	}{
		{"good", deltaVector, deltaCRC, "", true},
		{"wrong sum", deltaVector, deltaCRC + 1, "expert warning snapshot_crc", false},
		{"cut", deltaVector[:len(deltaVector)-1], deltaCRC, "expert error truncated", false},
		{"more", append(slices.Clone(deltaVector), 9), deltaCRC, "expert note trailing_bytes", true},
		{"too many", pack(0, 1025, 0), 0, "expert error malformed", false},
		{"negative", pack(-1, 0, 0), 0, "expert error malformed", false},
		{"no such type", pack(0, 1, 0, 0x8000, 0), 0, "expert error malformed", false},
		{"another size than in the base", pack(0, 1, 0, 23, 0, 2, 1, 1), 0, "expert warning snapshot_item_size", false},
		{"a size that cannot be", pack(0, 1, 0, 30, 0, 1<<30), 0, "expert error truncated", false},
		{"removed and updated: it stays", pack(1, 1, 0, 6<<16, 6, 0, 1, 0, 0), 88, "", true},
		{"twice: the later one counts", pack(0, 2, 0, 6, 0, 1, 0, 0, 6, 0, 2, 0, 0), 89, "", true},
		{"new and twice", pack(0, 2, 0, 6, 9, 1, 0, 0, 6, 9, 2, 0, 0), 89, "", true},
		{"removed what is not there", pack(1, 0, 0, 99), fullCRC, "", true},
	} {
		c := newConversation(dissect.Options{})
		snapLeaves(c, snapPacket(0, fullVector, 10, 11, fullCRC))
		got := snapLeaves(c, snapPacket(0, tt.data, 12, 2, tt.crc))
		got = slices.DeleteFunc(got, func(line string) bool {
			return !strings.HasPrefix(line, "expert") || line == deltaLeaves[len(deltaLeaves)-1]
		})
		want := []string{}
		if tt.want != "" {
			want = []string{tt.want}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if _, ok := c.snapshots.At(12); ok != tt.kept {
			t.Errorf("%s: kept %v", tt.name, ok)
		}
	}
}

// TestSnapshotParts puts parts together in any order.
func TestSnapshotParts(t *testing.T) {
	t.Parallel()
	data := wiretest.AppendInt(wiretest.AppendInt(wiretest.AppendInt(nil, 0), 300), 0) // 300 pick-ups
	crc := int32(0)
	for i := range int32(300) {
		for _, n := range []int32{4, i, 1000 + i, 70000, i & 7} {
			data = wiretest.AppendInt(data, n)
		}
		crc += 1000 + i + 70000 + i&7
	}
	num := (len(data) + partSize - 1) / partSize
	part := func(i int, tick int32) []byte {
		piece := data[i*partSize : min(len(data), (i+1)*partSize)]
		body := wiretest.AppendInt(nil, 6<<1|1)
		for _, n := range []int32{tick, tick + 1, int32(num), int32(i), crc, int32(len(piece))} {
			body = wiretest.AppendInt(body, n)
		}
		body = append(body, piece...)
		return append([]byte{0, 0, 1, 1, 2, 3, 4, byte(len(body) >> 6), byte(len(body) & 0x3f)}, body...)
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 1, 2, 0}} {
		c := newConversation(dissect.Options{})
		var got []string
		for k, i := range order {
			got = snapLeaves(c, part(i, 10))
			if k < len(order)-1 && got != nil {
				t.Errorf("%v: part %d completes it: %v", order, i, got)
			}
		}
		if num != 3 || len(got) < 300 || got[2] != "parts 3" || got[4] != "crc_ok true" {
			t.Errorf("%v of %d: %.200q", order, num, got)
		}
	}
	c := newConversation(dissect.Options{})
	snapLeaves(c, part(0, 10))
	if got := snapLeaves(c, part(0, 12)); !slices.Equal(got, []string{"expert note snapshot_lost"}) {
		t.Errorf("a newer part: %v", got)
	}
	if got := snapLeaves(c, part(1, 10)); !slices.Equal(got, []string{"expert note snapshot_stale"}) {
		t.Errorf("an older part: %v", got)
	}
}

// TestSteadyState allocates nothing once a session is going.
func TestSteadyState(t *testing.T) {
	for _, noTree := range []bool{false, true} {
		c := newConversation(dissect.Options{})
		var packets [][]byte
		tick := int32(10)
		calm := slices.Clone(deltaVector)
		calm[11] = 1 // in place of -1
		for range 1000 {
			packets = append(packets, compressed(snapPacket(0, fullVector, tick, tick+1, fullCRC)),
				snapPacket(0, calm, tick+2, 2, 60))
			tick += 4
		}
		rec := datagramOf(tables.V07, toClient, nil)
		rec.NoTree = noTree
		next := 0
		step := func() {
			rec.Payload = packets[next]
			rec.Length = len(rec.Payload)
			next++
			rec.Tree.Reset()
			rec.Experts = rec.Experts[:0]
			if !c.Dissect(rec) || rec.Damaged || len(rec.Experts) > 0 {
				t.Fatalf("packet %d: %v", next, rec.Experts)
			}
		}
		for range 600 {
			step()
		}
		if n := testing.AllocsPerRun(1000, step); n != 0 {
			t.Errorf("NoTree %v: %v allocations for a datagram", noTree, n)
		}
	}
}
