package reassembly

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	key4 = IPKey{Src: netip.MustParseAddr("192.0.2.1"), Dst: netip.MustParseAddr("192.0.2.2"), ID: 7, Proto: 17}
	key6 = IPKey{Src: netip.MustParseAddr("2001:db8::1"), Dst: netip.MustParseAddr("2001:db8::2"), ID: 7, Proto: 17}
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// ipStep adds the bytes from offset to offset+length of message(1, ...).
type ipStep struct {
	key            IPKey
	offset, length int
	more           bool
	data           byte // added to every byte of the fragment
	cut            int  // bytes that the capture left off
	after          time.Duration
	want           string
}

func (s ipStep) run(p *IPFragments, frame uint64) string {
	data := message(1, 70000)
	for i := range data {
		data[i] += s.data
	}
	from := max(s.offset, 0)
	f := IPFragment{
		IPKey: s.key, Offset: s.offset, More: s.more, Length: s.length, Frame: frame,
		Data: data[from : from+max(s.length-s.cut, 0)], Time: noon.Add(s.after),
	}
	if f.Src == (netip.Addr{}) {
		f.IPKey = key4
	}
	r, err := p.Add(f)
	if err != nil && !errors.Is(err, ErrFragment) {
		return "strange error: " + err.Error()
	}
	if s.data == 0 && r.Datagram != nil && !bytes.Equal(r.Datagram, message(1, len(r.Datagram))) {
		return "wrong bytes"
	}
	return ipOutcome(r, err)
}

func ipOutcome(r IPResult, err error) string {
	var b bytes.Buffer
	if err != nil {
		b.WriteString("error")
	}
	if r.Datagram != nil {
		fmt.Fprintf(&b, "datagram=%d/%d%v proto=%d", len(r.Datagram), r.Length, r.Frames, r.Proto)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{r.Truncated, " truncated"}, {r.Duplicate, " duplicate"}, {r.Overlap, " overlap"}} {
		if flag.set {
			b.WriteString(flag.name)
		}
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// The rules are those of RFC 791, section 3.2, RFC 8200, section 4.5, RFC 5722 and
// RFC 6946. Frames are numbered from 1 by step.
func TestIPFragments(t *testing.T) {
	t.Parallel()
	proto := func(k IPKey, proto uint8) IPKey { k.Proto = proto; return k }
	id := func(k IPKey, id uint32) IPKey { k.ID = id; return k }
	tests := []struct {
		name    string
		steps   []ipStep
		pending int
		dropped uint64
	}{
		{
			name: "three in order, as in q3-68-ipfrag-mtu576",
			steps: []ipStep{
				{offset: 0, length: 552, more: true},
				{offset: 552, length: 552, more: true},
				{offset: 1104, length: 214, want: "datagram=1318/1318[1 2 3] proto=17"},
			},
		},
		{
			name: "the last first",
			steps: []ipStep{
				{offset: 16, length: 3},
				{offset: 8, length: 8, more: true},
				{offset: 0, length: 8, more: true, want: "datagram=19/19[1 2 3] proto=17"},
			},
		},
		{
			name: "RFC 791: source, destination, protocol and identification tell datagrams apart",
			steps: []ipStep{
				{offset: 0, length: 8, more: true},
				{key: proto(key4, 6), offset: 8, length: 8},
				{key: id(key4, 8), offset: 8, length: 8},
				{key: IPKey{Src: key4.Dst, Dst: key4.Src, ID: 7, Proto: 17}, offset: 8, length: 8},
				{offset: 8, length: 8, want: "datagram=16/16[1 5] proto=17"},
			},
			pending: 3,
		},
		{
			name: "RFC 8200: fragments may differ in the next header, that of the first counts",
			steps: []ipStep{
				{key: proto(key6, 6), offset: 16, length: 8},
				{key: proto(key6, 17), offset: 0, length: 8, more: true},
				{key: proto(key6, 6), offset: 8, length: 8, more: true, want: "datagram=24/24[1 2 3] proto=17"},
			},
		},
		{
			name: "... and of two copies of the first, the first",
			steps: []ipStep{
				{key: proto(key6, 17), offset: 0, length: 8, more: true},
				{key: proto(key6, 6), offset: 0, length: 8, more: true, want: "duplicate"},
				{key: proto(key6, 6), offset: 8, length: 8, want: "datagram=16/16[1 3] proto=17"},
			},
		},
		{
			name: "RFC 6946: a single fragment is a datagram and leaves others alone",
			steps: []ipStep{
				{key: key6, offset: 0, length: 8, more: true},
				{key: key6, offset: 0, length: 12, want: "datagram=12/12[2] proto=17"},
				{key: key6, offset: 0, length: 0, want: "datagram=0/0[3] proto=17"},
				{key: key6, offset: 0, length: 12, cut: 5, want: "datagram=7/12[4] proto=17 truncated"},
				{key: key6, offset: 0, length: 65536, want: "error"},
				{key: key6, offset: 0, length: -1, want: "error"},
				{key: key6, offset: 8, length: 5, want: "datagram=13/13[1 7] proto=17"},
			},
		},
		{
			name: "duplicates",
			steps: []ipStep{
				{offset: 0, length: 8, more: true},
				{offset: 0, length: 8, more: true, want: "duplicate"},
				{offset: 16, length: 3},
				{offset: 16, length: 3, want: "duplicate"},
				{offset: 8, length: 8, more: true, want: "datagram=19/19[1 3 5] proto=17"},
			},
		},
		{
			name: "a part of what is held, the same bytes",
			steps: []ipStep{
				{offset: 0, length: 24, more: true},
				{offset: 8, length: 8, more: true, want: "duplicate"},
			},
			pending: 1,
		},
		{
			name: "the same place, other bytes: the first stay",
			steps: []ipStep{
				{offset: 0, length: 16, more: true},
				{offset: 0, length: 16, more: true, data: 1, want: "overlap"},
				{offset: 16, length: 4, want: "datagram=20/20[1 3] proto=17 overlap"},
			},
		},
		{
			name: "overlap on the left",
			steps: []ipStep{
				{offset: 0, length: 16, more: true},
				{offset: 8, length: 16, more: true, want: "overlap"},
				{offset: 24, length: 1, want: "datagram=25/25[1 2 3] proto=17 overlap"},
			},
		},
		{
			name: "one fragment around others fills what they leave",
			steps: []ipStep{
				{offset: 8, length: 8, more: true},
				{offset: 24, length: 8, more: true},
				{offset: 40, length: 3},
				{offset: 0, length: 40, more: true, want: "datagram=43/43[1 2 3 4] proto=17 overlap"},
			},
		},
		{
			name: "the end is all that is new",
			steps: []ipStep{
				{offset: 8, length: 16, more: true},
				{offset: 16, length: 8, want: "overlap"},
				{offset: 16, length: 8, want: "duplicate overlap"},
				{offset: 0, length: 8, more: true, want: "datagram=24/24[1 2 4] proto=17 overlap"},
			},
		},
		{
			name: "the end is all that is new, and all that was missing",
			steps: []ipStep{
				{offset: 0, length: 16, more: true},
				{offset: 8, length: 8, want: "datagram=16/16[1 2] proto=17 overlap"},
			},
		},
		{
			name: "length and offset must fit",
			steps: []ipStep{
				{offset: 8, length: 0, more: true, want: "error"},
				{offset: 8, length: 0, want: "error"},
				{offset: 8, length: -8, want: "error"},
				{offset: 4, length: 8, want: "error"},
				{offset: -8, length: 8, want: "error"},
				{offset: 0, length: 12, more: true, want: "error"},
			},
		},
		{
			name: "beyond 65535, the ping of death",
			steps: []ipStep{
				{offset: 65528, length: 8, want: "error"},
				{offset: 65528, length: 8, more: true, want: "error"},
				{offset: 65528, length: 7},
			},
			pending: 1,
		},
		{
			name: "the end is known",
			steps: []ipStep{
				{offset: 16, length: 3},
				{offset: 16, length: 8, more: true, want: "error"},
				{offset: 24, length: 8, more: true, want: "error"},
				{offset: 8, length: 3, want: "error"},
				{offset: 16, length: 4, want: "error"},
				{offset: 0, length: 16, more: true, want: "datagram=19/19[1 6] proto=17"},
			},
		},
		{
			name: "an end before what is held",
			steps: []ipStep{
				{offset: 16, length: 8, more: true},
				{offset: 8, length: 3, want: "error"},
				{offset: 24, length: 3},
				{offset: 0, length: 16, more: true, want: "datagram=27/27[1 3 4] proto=17"},
			},
		},
		{
			name: "cut by the capture",
			steps: []ipStep{
				{offset: 0, length: 64, more: true, cut: 4},
				{offset: 64, length: 10, want: "datagram=60/74[1 2] proto=17 truncated"},
			},
		},
		{
			name: "cut by the capture, overlapping: only captured bytes are compared",
			steps: []ipStep{
				{offset: 8, length: 32, more: true, cut: 20},
				{offset: 0, length: 40, more: true, cut: 10, want: "overlap"},
				{offset: 0, length: 40, more: true, want: "duplicate overlap"},
				{offset: 40, length: 1, want: "datagram=20/41[1 2 4] proto=17 truncated overlap"},
			},
		},
		{
			name: "IPv4: 30 s of capture time",
			steps: []ipStep{
				{offset: 0, length: 8, more: true},
				{offset: 8, length: 8, more: true, after: 30 * time.Second},
				{offset: 16, length: 8, after: 31 * time.Second},
			},
			pending: 1,
			dropped: 1,
		},
		{
			name: "IPv6: 60 s, of which IPv4 behind it takes no advantage",
			steps: []ipStep{
				{key: key6, offset: 0, length: 8, more: true},
				{key: key4, offset: 0, length: 8, more: true},
				{key: key4, offset: 8, length: 8, after: 31 * time.Second},
				{key: key6, offset: 8, length: 8, after: 60 * time.Second, want: "datagram=16/16[1 4] proto=17"},
			},
			pending: 1,
			dropped: 1,
		},
		{
			name: "time passes for all, whichever comes",
			steps: []ipStep{
				{offset: 0, length: 8, more: true},
				{key: id(key4, 8), offset: 0, length: 8, more: true, after: 20 * time.Second},
				{key: id(key4, 9), offset: 0, length: 8, more: true, after: 31 * time.Second},
			},
			pending: 2,
			dropped: 1,
		},
		{
			name: "time far back is another capture",
			steps: []ipStep{
				{offset: 0, length: 8, more: true},
				{offset: 8, length: 8, after: -time.Hour},
			},
			pending: 1,
			dropped: 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var p IPFragments
			for i, s := range tt.steps {
				if diff := cmp.Diff(s.want, s.run(&p, uint64(i+1))); diff != "" {
					t.Errorf("step %d (-want +got):\n%s", i+1, diff)
				}
			}
			if p.Pending() != tt.pending || p.Dropped() != tt.dropped {
				t.Errorf("%d pending, %d dropped; want %d and %d", p.Pending(), p.Dropped(), tt.pending, tt.dropped)
			}
		})
	}
}
