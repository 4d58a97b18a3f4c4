package truth_test

import (
	"crypto/md5"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/extract"
)

// lasting are messages of 0.6 and DDNet that a client keeps until the next of the kind: Sv_TuneParams, Sv_RecordLegacy,
// Sv_TeamsStateLegacy, and with a UUID Sv_Record and Sv_TeamsState.
var lasting = map[string]bool{
	"\x0c": true, "\x38": true, "\x3c": true,
	uuidOf("record@netmsg.ddnet.tw"): true, uuidOf("teamsstate@netmsg.ddnet.tw"): true,
}

// uuidOf returns how a message with a UUID begins: CalculateUuid, src/engine/shared/uuid_manager.cpp of DDNet.
func uuidOf(name string) string {
	space := "\xe0\x5d\xda\xaa\xc4\xe6\x4c\xfb\xb6\x42\x5d\x48\xe8\x0c\x00\x29"
	sum := md5.Sum([]byte(space + name))
	sum[6], sum[8] = sum[6]&0x0f|0x30, sum[8]&0x3f|0x80
	return "\x00" + string(sum[:])
}

// kept returns what a client has of lasting messages at a tick.
func (p *player) kept(tick int) map[string]string {
	kept := map[string]string{}
	for i, data := range p.messages {
		ints, _ := unpack([]byte(data))
		var b []byte
		for _, v := range ints {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		kind := string(b[:1])
		if b[0] == 0 {
			kind = string(b[:17])
		}
		if p.ticks[i] <= tick && lasting[kind] {
			kept[kind] = string(b)
		}
	}
	return kept
}

// TestDemoParts cuts parts out of demos: each has the snapshots of its ticks, and begins with what a client would have.
func TestDemoParts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(47, 3))
	teams, parts := 0, 0
	for _, d := range wholeDemos(t) {
		if d.b[7] != 6 && parts > 2 {
			continue
		}
		d := theDemo(t, d)
		ticks := slices.Sorted(maps.Keys(d.seen.states))
		for range times(2) {
			from := random.IntN(len(ticks) - 1)
			to := from + 1 + random.IntN(len(ticks)-from-1)
			wants := extract.DemoRange{
				HasFrom: true, From: int32(ticks[from]) * 20, HasTo: true, To: int32(ticks[to]) * 20,
			}
			out, _, _ := copyOf(t, d.b, wants)
			got := &player{states: map[int]uint64{}}
			if err := play(t, out, got); err != nil {
				t.Fatalf("%s, %d to %d: %v", d.name, ticks[from], ticks[to], err)
			}
			parts++
			for _, tick := range ticks {
				state, there := got.states[tick]
				inside := tick >= ticks[from] && tick <= ticks[to]
				if there != inside || there && state != d.seen.states[tick] {
					t.Fatalf("%s, %d to %d: tick %d: %v, want %v", d.name, ticks[from], ticks[to], tick, there, inside)
				}
			}
			for _, tick := range []int{ticks[from], ticks[to]} {
				want := d.seen.kept(tick)
				if diff := cmp.Diff(want, got.kept(tick)); diff != "" {
					t.Fatalf("%s, %d to %d: at %d a client has (-want +got):\n%s", d.name, ticks[from], ticks[to], tick, diff)
				}
				teams += len(want)
			}
		}
	}
	t.Logf("%d parts, %d lasting messages", parts, teams)
	if parts < 8 || teams < 8 {
		t.Errorf("%d parts, %d lasting messages", parts, teams)
	}
}
