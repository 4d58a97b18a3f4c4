package reassembly

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What is forgotten incomplete is handed over with its beginning: by age, for want of memory, and at the end.
func TestIPForgotten(t *testing.T) {
	t.Parallel()
	a, b := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")
	var got []string
	p := IPFragments{Forgotten: func(b IPBeginning) {
		got = append(got, fmt.Sprintf("%d proto %d %q frames %v", b.ID, b.Proto, b.Data, b.Frames))
	}}
	frame := uint64(0)
	add := func(id uint32, seconds, offset, length int, more bool, data string) {
		t.Helper()
		frame++
		_, err := p.Add(IPFragment{
			IPKey: IPKey{Src: a, Dst: b, ID: id, Proto: 17}, Offset: offset, More: more, Length: length, Data: []byte(data),
			Frame: frame, Time: time.Unix(int64(1000+seconds), 0),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add(1, 0, 0, 8, true, "abcdefgh")
	add(2, 1, 8, 8, false, "ijklmnop") // without its first
	add(3, 2, 0, 8, true, "abcdefgh")
	add(3, 2, 16, 4, false, "qrst") // a gap
	add(4, 3, 8, 8, true, "ijklmnop")
	add(4, 3, 0, 8, true, "abcde") // cut by the capture
	add(5, 4, 0, 8, true, "abcdefgh")
	add(5, 4, 8, 2, false, "ij") // whole
	add(6, 5, 8, 8, true, "ijklmnop")
	add(6, 5, 0, 8, true, "abcdefgh") // the last is missing
	if len(got) > 0 {
		t.Errorf("early: %q", got)
	}
	add(7, 33, 0, 8, true, "late")
	want := []string{
		`1 proto 17 "abcdefgh" frames [1]`, `2 proto 0 "" frames [2]`, `3 proto 17 "abcdefgh" frames [3 4]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after 33 seconds (-want +got):\n%s", diff)
	}
	p.Forget()
	want = append(want, `4 proto 17 "abcde" frames [5 6]`, `6 proto 17 "abcdefghijklmnop" frames [9 10]`,
		`7 proto 17 "late" frames [11]`)
	if diff := cmp.Diff(want, got); diff != "" || p.Pending() != 0 || p.Dropped() != 6 {
		t.Errorf("at the end, %d pending, %d dropped (-want +got):\n%s", p.Pending(), p.Dropped(), diff)
	}
}
