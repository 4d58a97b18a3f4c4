package teeworlds

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/wiretest"
)

// deltaOf packs the data of a snapshot: the keys of removed items, and type, id and values of the others.
func deltaOf(removed []int32, items ...[]int32) []byte {
	b := wiretest.AppendInt(wiretest.AppendInt(wiretest.AppendInt(nil, int32(len(removed))), int32(len(items))), 0)
	for _, key := range removed {
		b = wiretest.AppendInt(b, key)
	}
	for _, it := range items {
		for _, n := range it {
			b = wiretest.AppendInt(b, n)
		}
	}
	return b
}

// A step is a snapshot that the capture has, or lacks.
type step struct {
	tick, back int32
	data       []byte // nil: nothing has changed
	crc        int32
	lost       bool
}

// TestSnapshotLoss takes snapshots out of a session. Flags (type 5: x, y, team) move or do not; explosions (type
// 17: x, y) come and go.
func TestSnapshotLoss(t *testing.T) {
	t.Parallel()
	full := step{10, 11, deltaOf(nil, []int32{5, 0, 100, 50, 0}, []int32{5, 1, 200, 50, 1}), 401, false}
	empty := func(tick int32) step { return step{tick, 2, nil, 0, false} }
	calm := []step{full}
	for tick := int32(12); tick < 42; tick += 2 {
		calm = append(calm, empty(tick))
	}
	missing := func(lines ...string) []string { // of tick 44
		return append([]string{"tick 44", "base_tick 42", "parts 1", "crc 412", "base_missing true"},
			append(lines, "expert note base_missing")...)
	}
	for _, v := range []struct {
		name  string
		steps []step
		want  []string // of the last
	}{
		{"nothing has changed in the one that is lost", append(calm[:len(calm):len(calm)],
			step{42, 2, nil, 0, true}, step{44, 2, deltaOf(nil, []int32{5, 1, 11, 0, 0}), 412, false}), []string{
			"tick 44", "base_tick 42", "parts 1", "crc 412", "base_assumed true", "crc_ok true",
			"items.type 5", "items.id 1", "items.update delta", "items.flag.x 211", "items.flag.y 50", "items.flag.team 1",
		}},
		{
			"and none since that has a sum", append(calm[:14:14], // up to tick 36
				step{38, 2, nil, 0, true}, empty(40), empty(42), step{44, 2, deltaOf(nil, []int32{5, 1, 11, 0, 0}), 412, false}),
			[]string{
				"tick 44", "base_tick 42", "parts 1", "crc 412", "base_assumed true", "crc_ok true",
				"items.type 5", "items.id 1", "items.update delta", "items.flag.x 211", "items.flag.y 50", "items.flag.team 1",
			},
		},
		{
			"something has changed", append(calm[:len(calm):len(calm)],
				step{42, 2, deltaOf(nil, []int32{5, 0, 1, 0, 0}), 402, true},
				step{44, 2, deltaOf(nil, []int32{5, 1, 10, 0, 0}), 412, false}),
			missing("items.type 5", "items.id 1", "items.update unknown", "items.differences 10", "items.differences 0",
				"items.differences 0"),
		},
		{
			"the sum fits, and the removed item was not there", append(calm[:len(calm):len(calm)],
				step{42, 2, nil, 0, true}, step{44, 2, deltaOf([]int32{17<<16 | 3}, []int32{5, 1, 11, 0, 0}), 412, false}),
			missing("items.type 5", "items.id 1", "items.update unknown", "items.differences 11", "items.differences 0",
				"items.differences 0", "removed.type 17", "removed.id 3"),
		},
		{
			"the sum fits, and a flag has no such team", append(calm[:len(calm):len(calm)],
				step{42, 2, nil, 0, true}, step{44, 2, deltaOf(nil, []int32{5, 1, 9, 0, 2}), 412, false}),
			missing("items.type 5", "items.id 1", "items.update unknown", "items.differences 9", "items.differences 0",
				"items.differences 2"),
		},
		{"much has changed of late: a sum proves nothing", []step{
			full, {42, 32, nil, 0, true}, {44, 2, deltaOf(nil, []int32{5, 1, 11, 0, 0}), 412, false},
		}, missing("items.type 5", "items.id 1", "items.update unknown", "items.differences 11", "items.differences 0",
			"items.differences 0")},
		{"an item that was removed is new when it comes again", []step{
			full,
			{40, 30, deltaOf(nil, []int32{5, 0, 7, 0, 0}), 408, true},
			{42, 2, deltaOf([]int32{17 << 16}), 400, false},
			{44, 2, deltaOf(nil, []int32{17, 0, 5, 7}), 412, false},
		}, missing("items.type 17", "items.id 0", "items.update new", "items.explosion.x 5", "items.explosion.y 7")},
		{"and its values are known from then on", []step{
			full,
			{38, 28, deltaOf(nil, []int32{5, 0, 7, 0, 0}), 408, true},
			{40, 2, deltaOf([]int32{17 << 16}), 400, false},
			{42, 2, deltaOf(nil, []int32{17, 0, 5, 7}), 412, false},
			{44, 2, deltaOf(nil, []int32{17, 0, 1, -1}), 412, false},
		}, missing("items.type 17", "items.id 0", "items.update delta", "items.explosion.x 6", "items.explosion.y 6")},
	} {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			c := newConversation(dissect.Options{})
			var got []string
			for _, s := range v.steps {
				if s.lost {
					continue
				}
				packet := snapPacket(0, s.data, s.tick, s.back, s.crc)
				if s.data == nil {
					packet = emptySnapPacket(s.tick, s.back)
				}
				got = snapLeaves(c, packet)
			}
			if diff := cmp.Diff(v.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// emptySnapPacket is a packet with a snapshot that changes nothing.
func emptySnapPacket(tick, back int32) []byte {
	body := wiretest.AppendInt(wiretest.AppendInt(wiretest.AppendInt(nil, 7<<1|1), tick), back)
	return append([]byte{0, 0, 1, 1, 2, 3, 4, byte(len(body) >> 6), byte(len(body) & 0x3f)}, body...)
}
