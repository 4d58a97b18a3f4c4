package capture

import (
	"bytes"
	"encoding/binary"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// wifi makes an 802.11 frame with the given first two bytes; more is the bytes between the sequence
// control and the body.
func wifi(kind, flags byte, more string, body []byte) []byte {
	return join([]byte{kind, flags, 0, 0}, make([]byte, 18), []byte{0x50, 0x12}, []byte(more), body)
}

// radiotap makes a header with the flags field; fields is the bytes between it and the field mask.
func radiotap(mask uint32, fields string, frame []byte) []byte {
	b := join([]byte{0, 0}, []byte{byte(8 + len(fields)), 0}, binary.LittleEndian.AppendUint32(nil, mask), []byte(fields))
	return append(b, frame...)
}

func subframe(pad bool, body []byte) []byte {
	b := join(make([]byte, 12), be16(len(body)), body)
	if pad {
		b = append(b, make([]byte, -len(b)&3)...)
	}
	return b
}

func wifiLayerings() []layering {
	llc4, llc6 := snap("\x00\x00\x00", 0x0800, ip4(17, hello)), snap("\x00\x00\x00", 0x86dd, ip6(17, hello))
	fcs := []byte{1, 2, 3, 4}
	return []layering{
		{"802.11", 105, wifi(0x08, 1, "", llc4), ""},
		{"802.11 with checksum", 105, append(wifi(0x08, 2, "", llc4), fcs...), ""},
		{"802.11 QoS", 105, wifi(0x88, 1, "\x05\x00", llc6), src6},
		{"802.11 QoS with HT control", 105, wifi(0x88, 0x81, "\x05\x00HTHT", llc4), ""},
		{"802.11 without QoS, order bit", 105, wifi(0x08, 0x81, "", llc4), ""},
		{"802.11 four addresses", 105, wifi(0x88, 3, "abcdef\x05\x00", llc4), ""},
		{"802.11 with acknowledgement", 105, wifi(0x18, 1, "", llc4), ""},
		{"802.11 A-MSDU of one", 105, wifi(0x88, 1, "\x85\x00", subframe(false, llc4)), ""},
		{"radiotap without fields", 127, radiotap(0, "", wifi(0x08, 1, "", llc4)), ""},
		{"radiotap with checksum", 127, radiotap(2, "\x10", append(wifi(0x88, 1, "\x05\x00", llc4), fcs...)), ""},
		{"radiotap with clock, padded", 127, radiotap(3, "12345678\x20", wifi(0x88, 1, "\x05\x00pa", llc4)), ""},
		{"radiotap with clock behind two masks, aligned", 127, radiotap(1<<31|3, "\x00\x00\x00\x00al..12345678\x20", wifi(0x88, 1, "\x05\x00pa", llc6)), src6},
		{"radiotap with clock behind three masks", 127, radiotap(1<<31|3, "\x00\x00\x00\x80\x00\x00\x00\x0012345678\x20", wifi(0x88, 1, "\x05\x00pa", llc4)), ""},
		{"cooked, radiotap", 113, sll(803, 0, radiotap(2, "\x00", wifi(0x08, 1, "", llc4))), ""},
	}
}

// An A-MSDU holds several datagrams, all of one frame of the file.
func TestAggregate(t *testing.T) {
	t.Parallel()
	llc := func(payload string) []byte {
		return snap("\x00\x00\x00", 0x0800, ip4(17, udp(1, 2, []byte(payload))))
	}
	tcp := snap("\x00\x00\x00", 0x0800, ip4(6, make([]byte, 20)))
	w := newPcap(105)
	w.packet(0, wifi(0x08, 1, "", llc("alone")))
	w.packet(1e9, wifi(0x88, 1, "\x85\x00", join(subframe(true, llc("one")), subframe(true, tcp),
		subframe(true, llc("three")), subframe(false, llc("4")))))
	w.packet(2e9, wifi(0x08, 1, "", llc("alone again")))
	all, err := readAll(t, w.b)
	if err != nil {
		t.Fatal(err)
	}
	var have []got
	for _, g := range all {
		have = append(have, got{Frame: g.Frame, Time: g.Time, Payload: g.Payload})
	}
	want := []got{
		{Frame: 1, Payload: "alone"},
		{Frame: 2, Time: 1e9, Payload: "one"},
		{Frame: 2, Time: 1e9, Payload: "three"},
		{Frame: 2, Time: 1e9, Payload: "4"},
		{Frame: 3, Time: 2e9, Payload: "alone again"},
	}
	if diff := gocmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r, err := NewReader(bytes.NewReader(w.b), Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range r.Packets() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if s := r.Stats(); n != 5 || s.Packets != 3 || s.UDP != 5 {
		t.Errorf("%d delivered, %+v", n, s)
	}
}

func TestWiFiOfOthers(t *testing.T) {
	t.Parallel()
	body := snap("\x00\x00\x00", 0x0800, ip4(17, hello))
	for _, c := range []struct {
		note   string
		packet []byte
	}{
		{"802.11", wifi(0x80, 0, "", body)}, // beacon
		{"802.11", wifi(0xb4, 0, "", body)}, // control
		{"802.11", wifi(0x48, 1, "", body)}, // no data
		{"802.11", wifi(0xc8, 1, "\x00\x00", body)},
		{"802.11", wifi(0x09, 1, "", body)}, // another version
		{"802.11, encrypted", wifi(0x08, 0x41, "", body)},
		{"802.11 fragment", wifi(0x08, 0x05, "", body)},
	} {
		w := newPcap(105)
		w.packet(0, c.packet)
		if p := readOne(t, w, Options{All: true}); p.UDP || p.Note != c.note {
			t.Errorf("want %q: %+v", c.note, p)
		}
	}
}
