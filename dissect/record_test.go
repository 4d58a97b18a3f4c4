package dissect

import (
	"bytes"
	"fmt"
	"net/netip"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// A fault counts whether anybody looks or not; the entry is for who looks.
func TestExperts(t *testing.T) {
	t.Parallel()
	for _, noTree := range []bool{false, true} {
		r := NewRecord()
		r.NoTree = noTree
		r.Decoding().Open(treeRoot, 0)
		r.Expert(Warning, "lost", treeUint, 32, "%d messages", 3)
		if r.Damaged {
			t.Error("a warning is no damage")
		}
		r.ExpertError(Fault, "malformed", &Error{Field: "root.int", Bit: 40, Err: ErrMalformed})
		if !r.Damaged {
			t.Error("a fault is damage")
		}
		want := []Expert{
			{Severity: Warning, Code: "lost", Field: "root.uint", BitOffset: 32, Message: "3 messages"},
			{Severity: Fault, Code: "malformed", Field: "root.int", BitOffset: 40, Message: "malformed"},
		}
		if noTree {
			want = nil
		}
		if diff := cmp.Diff(want, r.Experts); diff != "" {
			t.Errorf("no tree %t: (-want +got):\n%s", noTree, diff)
		}
		r.Reset()
		if len(r.Experts) != 0 || r.Damaged || r.NoTree || r.Stream != -1 || len(r.Tree.Nodes) != 0 {
			t.Errorf("after reset: %+v", r)
		}
	}
}

// A clone does not change when the reader reads more.
func TestCloneKeepsAPacket(t *testing.T) {
	t.Parallel()
	p := Packet{
		Frame: 7, UDP: true, Length: 5, Payload: []byte("abc"), IPFragments: []uint64{5, 7},
		Link: &Link{Interface: "eth0", VLAN: []uint16{100}},
	}
	want := Packet{
		Frame: 7, UDP: true, Length: 5, Payload: []byte("abc"), IPFragments: []uint64{5, 7},
		Link: &Link{Interface: "eth0", VLAN: []uint16{100}},
	}
	if !p.Truncated() || (&Packet{Length: 60}).Truncated() || (&Packet{UDP: true}).Truncated() {
		t.Error("Truncated is for datagrams with fewer bytes than the wire had")
	}
	first, buf := p.Clone([]byte("before"))
	p.Payload[0], p.IPFragments[0], p.Link.VLAN[0], p.Link.Interface = 'x', 0, 0, ""
	if string(buf) != "beforeabc" {
		t.Errorf("buffer %q", buf)
	}
	if diff := cmp.Diff(want, first, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type pair struct{ Key, Value string }

func pairsOf(s string) (pairs []pair) {
	for rest := []byte(s); ; {
		k, v, r, ok := NextPair(rest)
		if !ok {
			return pairs
		}
		pairs = append(pairs, pair{string(k), string(v)})
		rest = r
	}
}

func TestNextPair(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		want     []pair
	}{
		{"empty", ``, nil},
		{"a backslash", `\`, nil},
		{"usual", `\protocol\68\name\LabAlpha`, []pair{{"protocol", "68"}, {"name", "LabAlpha"}}},
		// A player's configstring as an OpenArena server logs and sends it: no leading backslash, empty values.
		{"player", `n\^3Lab^5Beta\t\0\g_redteam\\g_blueteam\\c1\2\id\2283C94C`, []pair{
			{"n", "^3Lab^5Beta"}, {"t", "0"}, {"g_redteam", ""}, {"g_blueteam", ""}, {"c1", "2"}, {"id", "2283C94C"},
		}},
		{"value missing", `\a\b\c`, []pair{{"a", "b"}, {"c", ""}}},
		{"value empty", `\a\b\c\`, []pair{{"a", "b"}, {"c", ""}}},
		{"key empty", `\\b\c\d`, []pair{{"", "b"}, {"c", "d"}}},
		{"nothing but backslashes", `\\\\`, []pair{{"", ""}, {"", ""}}},
		{"any bytes", "\\a\x00\xff\\\"\n", []pair{{"a\x00\xff", "\"\n"}}},
	} {
		if diff := cmp.Diff(tt.want, pairsOf(tt.in)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestInfoValue(t *testing.T) {
	t.Parallel()
	const info = `\sv_hostname\Lab\Protocol\68\protocol\71\empty\\name\x y`
	for key, want := range map[string]string{
		"sv_hostname": "Lab", "SV_HOSTNAME": "Lab", "protocol": "68", "empty": "", "name": "x y",
		"nam": "", "Lab": "", "": "",
	} {
		if got := string(InfoValue([]byte(info), key)); got != want {
			t.Errorf("InfoValue(%q) = %q, want %q", key, got, want)
		}
	}
}

// What is joined comes apart again, and each key has the value of its first place.
func TestInfoRoundTrip(t *testing.T) {
	t.Parallel()
	text := rapid.StringMatching(`[^\\]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var want []pair
		var info string
		for range rapid.IntRange(0, 8).Draw(t, "pairs") {
			p := pair{rapid.StringMatching(`[a-c_]{1,2}`).Draw(t, "key"), text.Draw(t, "value")}
			want = append(want, p)
			info += `\` + p.Key + `\` + p.Value
		}
		if diff := cmp.Diff(want, pairsOf(info)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		first := make(map[string]string)
		for _, p := range want {
			if _, ok := first[p.Key]; !ok {
				first[p.Key] = p.Value
			}
		}
		for key, value := range first {
			if got := string(InfoValue([]byte(info), key)); got != value {
				t.Fatalf("InfoValue(%q) = %q, want %q", key, got, value)
			}
		}
	})
}

// Every step takes something off, and what it takes is what is there.
func FuzzNextPair(f *testing.F) {
	f.Add([]byte(`\challenge\937033221\qport\53015\protocol\68\name\LabAlpha\model\sarge`))
	f.Add([]byte(`n\Sarge\t\0\id\`))
	f.Add([]byte(`\\`))
	f.Fuzz(func(t *testing.T, s []byte) {
		for {
			key, value, rest, ok := NextPair(s)
			if !ok {
				if len(s) > 1 {
					t.Fatalf("ends at %q", s)
				}
				return
			}
			if bytes.Contains(key, []byte(`\`)) || bytes.Contains(value, []byte(`\`)) {
				t.Fatalf("%q: key %q, value %q", s, key, value)
			}
			if len(rest) >= len(s) || len(rest) > 0 && rest[0] != '\\' {
				t.Fatalf("%q: rest %q", s, rest)
			}
			bare := bytes.TrimPrefix(s, []byte(`\`))
			joined := append(append(append(append([]byte(nil), key...), '\\'), value...), rest...)
			if !bytes.Equal(bare, joined) && !bytes.Equal(bare, key) {
				t.Fatalf("%q: taken apart as %q", s, joined)
			}
			s = rest
		}
	})
}

// Whatever a record had, after reset it is a new one; only memory is kept.
func TestResetForgets(t *testing.T) {
	t.Parallel()
	kept := map[string]bool{"Experts": true, "Events": true, "Inputs": true, "Files": true, "Tree": true, "Scene": true}
	r, fresh := NewRecord(), reflect.ValueOf(NewRecord()).Elem()
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		fill(reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Elem())
	}
	r.Reset()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; !kept[name] {
			got, want := fmt.Sprintf("%#v", v.Field(i)), fmt.Sprintf("%#v", fresh.Field(i))
			if got != want {
				t.Errorf("%s is %s after reset, %s in a new record", name, got, want)
			}
		}
	}
	n := len(r.Experts) + len(r.Events.Nodes) + len(r.Inputs) + len(r.Files) + len(r.Tree.Nodes) + len(r.Scene.Things)
	if n != 0 {
		t.Errorf("%d elements are left of what a record keeps the memory of", n)
	}
}

// fill gives a value, or the parts that it has, something that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("old")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Interface:
		v.Set(reflect.ValueOf(struct{ Protocol }{}))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[netip.AddrPort]() {
			v.Set(reflect.ValueOf(netip.MustParseAddrPort("10.0.0.1:27960")))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Name == "_" {
				continue // it keeps other values at a distance
			}
			fill(reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Elem())
		}
	default:
		v.Set(reflect.ValueOf(1).Convert(v.Type()))
	}
}
