package text

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect/internal/texttest"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, want string
		exact    bool
	}{
		{"", `""`, true},
		{"plain text, longer than a word", `"plain text, longer than a word"`, true},
		{"a\"b\\c/d", `"a\"b\\c/d"`, true},
		{"\n\r\t\b\f\x00\x1f\x7f", `"\n\r\t\b\f\u0000\u001f\u007f"`, true},
		{"Δ é 日本 🎮 \u2028", "\"Δ é 日本 🎮 \u2028\"", true},
		{"\u0080\u009f\u00a0", "\"\\u0080\\u009f\u00a0\"", true},
		{"\x80\x9b\xa0\xff", "\"\\u0080\\u009b\u00a0\u00ff\"", false},
		{"\xc3", "\"\u00c3\"", false},
		{"\xc3(", "\"\u00c3(\"", false},
		{"\xed\xa0\x80", "\"\u00ed\u00a0\\u0080\"", false}, // a surrogate is not UTF-8
		{"\xc0\xaf", "\"\u00c0\u00af\"", false},            // nor is an overlong form
		{"\ufffd", "\"\ufffd\"", true},
	}
	for _, tt := range tests {
		got, exact := AppendJSON([]byte("x"), []byte(tt.in))
		if string(got) != "x"+tt.want || exact != tt.exact {
			t.Errorf("%q: got %s, %v; want %s, %v", tt.in, got[1:], exact, tt.want, tt.exact)
		}
		if got := AppendJSONString([]byte("x"), tt.in); string(got) != "x"+tt.want {
			t.Errorf("%q as string: got %s, want %s", tt.in, got[1:], tt.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "\x1b[31m", "caf\xe9 café", "\xf0\x9f\x8e\xae\xf0\x9f",
		strings.Repeat("x", 31) + "\"",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, exact := AppendJSON(nil, b)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		if want := texttest.Text(string(b)); back != want {
			t.Errorf("got %q, want %q", back, want)
		}
		if exact != utf8.Valid(b) {
			t.Errorf("exact is %v", exact)
		}
		if exact {
			if want, _ := json.Marshal(string(b)); len(want) == len(got) && !strings.Contains(string(want), `\u`) && string(want) != string(got) {
				t.Errorf("got %s, encoding/json %s", got, want)
			}
		}
		if string(AppendJSONString(nil, string(b))) != string(got) {
			t.Errorf("as string: %s", AppendJSONString(nil, string(b)))
		}
		for _, r := range string(got) {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%q reaches the terminal in %q", r, got)
			}
		}
	})
}

func TestInfo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, want string
		exact    bool
	}{
		{``, `{}`, true},
		{`\a\1\b\2`, `{"a":"1","b":"2"}`, true},
		{`\a\\b\2`, `{"a":"","b":"2"}`, true},
		{`\a\`, `{"a":""}`, true},
		{`\a`, `{"a":""}`, false},
		{`a\1`, `{"a":"1"}`, true}, // as players' infostrings are
		{`\`, `{}`, false},
		{`\a\1\`, `{"a":"1"}`, false},
		{`\\1`, `{"":"1"}`, false},
		{`\a\1\a\2`, `{"a":"1"}`, false},
		{`\a\1\A\2`, `{"a":"1","A":"2"}`, true},
		{"\\\xe9\\1\\é\\2", `{"é":"1"}`, false}, // two keys of the wire become one
		{"\\a\\\xff", `{"a":"ÿ"}`, false},
		{"\\a\"\\\n", `{"a\"":"\n"}`, true},
	}
	for _, tt := range tests {
		got, exact := AppendInfo(nil, []byte(tt.in))
		if string(got) != tt.want || exact != tt.exact {
			t.Errorf("%q: got %s, %v; want %s, %v", tt.in, got, exact, tt.want, tt.exact)
		}
	}
}

func TestInfoWithManyKeys(t *testing.T) {
	t.Parallel()
	var s strings.Builder
	for i := range 5000 {
		s.WriteString(`\k` + string(AppendInt(nil, int64(i%3000))) + `\v` + string(AppendInt(nil, int64(i))))
	}
	got, exact := AppendInfo(nil, []byte(s.String()))
	var m map[string]string
	if err := json.Unmarshal(got, &m); err != nil {
		t.Fatal(err)
	}
	if len(m) != 3000 || m["k2999"] != "v2999" || m["k0"] != "v0" || exact {
		t.Errorf("%d keys, %s, %s, %v", len(m), m["k2999"], m["k0"], exact)
	}
	if n := strings.Count(string(got), `"k17":`); n != 1 {
		t.Errorf("k17 stands there %d times", n)
	}
}

func FuzzInfo(f *testing.F) {
	f.Add([]byte(`\a\1\b\2`))
	f.Add([]byte(`\a\1\a\2\`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, exact := AppendInfo(nil, b)
		var back map[string]any
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		want, raw := texttest.Info(string(b))
		for key, v := range want.(map[string]any) {
			if back[key] != v {
				t.Errorf("%q: got %q, want %q", key, back[key], v)
			}
		}
		if len(back) != len(want.(map[string]any)) || exact != (raw == nil) {
			t.Errorf("%d keys, exact %v; want %d, %v", len(back), exact, len(want.(map[string]any)), raw == nil)
		}
		tokens := 0
		for dec := json.NewDecoder(bytes.NewReader(got)); ; tokens++ {
			if _, err := dec.Token(); err != nil {
				break
			}
		}
		if tokens != 2+2*len(back) {
			t.Errorf("a key stands there twice: %s", got)
		}
	})
}
