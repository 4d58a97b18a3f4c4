package anonymize

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
)

// The authors' own sample: key and trace of the Crypto-PAn distribution (sample_trace_raw.dat and
// sample_trace_sanitized.dat).
func TestCryptoPAn(t *testing.T) {
	t.Parallel()
	m := newAddressMap([32]byte{
		21, 34, 23, 141, 51, 164, 207, 128, 19, 10, 91, 22, 73, 144, 125, 16,
		216, 152, 143, 131, 121, 121, 101, 39, 98, 87, 76, 45, 42, 132, 34, 2,
	})
	for in, want := range map[string]string{
		"128.11.68.132":   "135.242.180.132",
		"129.118.74.4":    "134.136.186.123",
		"130.132.252.244": "133.68.164.234",
		"141.223.7.43":    "141.167.8.160",
		"141.233.145.108": "141.129.237.235",
		"152.163.225.39":  "151.140.114.167",
	} {
		if got := m.of(netip.MustParseAddr(in)); got != netip.MustParseAddr(want) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestPrefixesArePreserved(t *testing.T) {
	t.Parallel()
	m := newAddressMap([32]byte{1, 2, 3})
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{4, 16}).Draw(t, "size")
		a := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "a")
		b := bytes.Clone(a)
		flip := rapid.IntRange(0, size*8-1).Draw(t, "first different bit")
		b[flip/8] ^= 0x80 >> (flip % 8)
		pa, pb := m.permute(a), m.permute(b)
		if got := commonBits(pa, pb); got != flip {
			t.Fatalf("%x and %x share %d bits, their replacements %x and %x share %d", a, b, flip, pa, pb, got)
		}
	})
}

func commonBits(a, b []byte) (n int) {
	for n < len(a)*8 && (a[n/8]^b[n/8])<<(n%8)&0x80 == 0 {
		n++
	}
	return n
}

// A pseudonym keeps length, colours and positions of blanks, needs no more bits when coded, and is the same
// with and without colours.
func TestPseudonyms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SliceOfN(rapid.ByteRange(' ', '~'), 3, 24).Draw(t, "name")
		ids := New(Key{1})
		ids.Learn(dissect.PersonName, name)
		trimmed := trimName(name)
		clean := stripColors(trimmed)
		r := ids.Seal(Keep{})
		got, gotClean := r.AppendPersonal(nil, dissect.PersonName, trimmed), r.AppendPersonal(nil, dissect.PersonName, clean)
		if len(got) != len(trimmed) {
			t.Fatalf("%q has another length than %q", got, trimmed)
		}
		if len(clean) >= minEverywhere && codedBits(got) > codedBits(trimmed)+8 {
			t.Fatalf("%q takes %d bits, %q %d", got, codedBits(got), trimmed, codedBits(trimmed))
		}
		if s := stripColors(got); codedBits(gotClean) == codedBits(clean) && len(s) != len(gotClean) {
			t.Fatalf("%q and %q: colours change the letters", got, gotClean)
		}
	})
}

func TestReplace(t *testing.T) {
	t.Parallel()
	ids := New(Key{1})
	for _, name := range []string{"Lab", "LabAlpha", "^1Red^7Dog ", "x", "Ümläut"} {
		ids.Learn(dissect.PersonName, []byte(name))
	}
	ids.Learn(dissect.PersonGUID, []byte("0123456789ABCDEF0123456789ABCDEF"))
	ids.Learn(dissect.PersonSecret, []byte("hunter2"))
	r := ids.Seal(Keep{})
	for _, text := range []string{
		"LabAlpha^7 entered the game\n", "^1Red^7Dog was railed by LabAlpha", "RedDog", "say I am Ümläut",
		`\ip\192.0.2.7:27960\cl_guid\0123456789ABCDEF0123456789ABCDEF\password\hunter2`,
		"from [2001:db8::5]:27960, connected127.0.0.1.", "rcon hunter2 status", "^7127.0.0.1 99999",
	} {
		got := string(r.AppendHarmless(nil, []byte(text)))
		for _, secret := range []string{
			"Lab", "RedDog", "Red^7Dog", "Ümläut", "192.0.2.7", "2001:db8::5", "127.0.0.1",
			"hunter2", "0123456789ABCDEF",
		} {
			if bytes.Contains([]byte(got), []byte(secret)) {
				t.Errorf("%q became %q, which has %q", text, got, secret)
			}
		}
	}
	for _, same := range []string{
		"x marks the spot", "cs 5 \"1\"", "face deaf 12:34", "version 1.32c",
		"a.b.c.d", "::", "",
	} {
		if got := string(r.AppendHarmless(nil, []byte(same))); got != same && same != "::" {
			t.Errorf("%q became %q", same, got)
		}
	}
	if got := string(r.AppendPersonal(nil, dissect.PersonName, []byte("x"))); got == "x" || len(got) != 1 {
		t.Errorf("the name x became %q", got)
	}
	if got := string(r.AppendText(nil, []byte("hunter2"))); got != cut {
		t.Errorf("a password became %q", got)
	}
}

// An address is replaced in whatever form people and systems write it. Where it has four decimal numbers, they become
// those of the replaced address.
func TestFormsOfAddresses(t *testing.T) {
	t.Parallel()
	r := New(Key{1}).Seal(Keep{})
	replaced := r.Addr(netip.MustParseAddr("192.0.2.77")).String()
	dashed := strings.ReplaceAll(replaced, ".", "-")
	for text, want := range map[string]string{
		"192.0.2.77":              replaced,
		"192.0.2.77.dsl.isp.net":  replaced + ".dsl.isp.net",
		"host-192-0-2-77.isp.net": "host-" + dashed + ".isp.net",
		"3:192.0.2.77":            "3:" + replaced,
		"3:192.0.2.77:27960":      "3:" + replaced + ":27960",
		"12:30:192.0.2.77":        "12:30:" + replaced,
		"192.0.2.77.27960":        replaced + ".27960",
		"ip192.0.2.77x":           "ip" + replaced + "x",
		"192.^70.2.77":            replaced,
		"^1192.0.2.77":            "^1" + replaced,
		"192_0_2_77":              strings.ReplaceAll(replaced, ".", "_"),
		"192 . 0 . 2 . 77":        replaced,
		"192.000.002.077":         "",
		"0300.0.2.77":             "",
		"0xC0.0x0.0x2.0x4D":       "",
		"1.192.0.2.77":            "",
		"77.2.0.192.in-addr.arpa": "",
		"2001:db8::4d.27960":      "",
		"2001:db8::4d:27960x":     "",
	} {
		got := string(r.AppendHarmless(nil, []byte(text)))
		if want != "" && got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if got == text || strings.Contains(got, "0.2.77") || strings.Contains(got, "db8") ||
			strings.Contains(got, "000.002") {
			t.Errorf("%q became %q", text, got)
		}
	}
	for _, same := range []string{
		"ioq3 1.36_GIT_f2c61c14-2020-04-11", "1.32.1", "2020-04-11", "0:12:30", "256.256.256.256.1", "1.2.3", "1-2.3-4",
		"-1 -2 -3 -4", "20,50,90,140",
	} {
		if got := string(r.AppendHarmless(nil, []byte(same))); got != same {
			t.Errorf("%q became %q", same, got)
		}
	}
}

// A datagram of 64 KB that makes every look at it long takes no longer than another.
func BenchmarkReplaceHostile(b *testing.B) {
	r := New(Key{1}).Seal(Keep{})
	for _, unit := range []string{"word ", "^1", "f", "a:", "1.", "1 ", "0x", "::", "1^1"} {
		text := []byte(strings.Repeat(unit, 64<<10/len(unit)))
		b.Run(unit, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r.AppendText(nil, text)
			}
		})
	}
}

// Two collections with one key agree, with two keys they do not.
func TestStable(t *testing.T) {
	t.Parallel()
	replace := func(key Key, names ...string) string {
		ids := New(key)
		for _, n := range names {
			ids.Learn(dissect.PersonName, []byte(n))
		}
		return string(ids.Seal(Keep{}).AppendText(nil, []byte("LabAlpha at 192.0.2.1")))
	}
	a := replace(Key{1}, "LabAlpha")
	if b := replace(Key{1}, "Sarge", "LabAlpha"); a != b {
		t.Errorf("%q in one capture, %q in another", a, b)
	}
	if b := replace(Key{2}, "LabAlpha"); a == b {
		t.Errorf("two keys give %q", a)
	}
}
