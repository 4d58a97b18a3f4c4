package keys

import (
	"bytes"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/q3dissect/q3dissect/dissect/keys"
)

// sessions are keys known in each way.
func sessions() []keys.Key {
	server, client := netip.MustParseAddrPort("10.0.0.1:27960"), netip.MustParseAddrPort("[2001:db8::2]:27961")
	base := keys.Key{Protocol: "quake3", Server: server, Client: client, Encoding: "legacy", First: 3}
	handshake, unknown, recovered, given := base, base, base, base
	handshake.Known, handshake.Challenge, handshake.HasChallenge, handshake.Proven, handshake.Since = keys.Handshake,
		-1918882621, true, true, 3
	unknown.Stream, unknown.Known, unknown.Messages, unknown.GaveUp = 1, keys.Unknown, 900, true
	recovered.Stream, recovered.Session, recovered.Known, recovered.Version = 2, 4, keys.Recovered, 84
	recovered.Challenge, recovered.HasChallenge, recovered.LowByte, recovered.Proven = 184, true, true, true
	recovered.Since, recovered.Messages, recovered.Verified, recovered.Margin = 118, 614, 612, 30
	recovered.Commands = []keys.Command{
		{Number: 32, Text: []byte(`tinfo 1 1 "x"`), Evidence: 908, Verified: 11},
		{FromClient: true, Number: 5, Text: []byte("say caf\xe9\x00"), Whole: true, Read: true},
		{FromClient: true, Number: 6, Text: []byte("say caf\u00e9\n"), Whole: true, Read: true},
	}
	recovered.Feeds = []keys.Feed{{ServerID: -7, Low: 0xbe9d, Verified: 24}}
	given.Stream, given.Known, given.Challenge, given.HasChallenge = 3, keys.Given, 77, true
	return []keys.Key{handshake, unknown, recovered, given}
}

// TestSchema validates what keys --json prints.
func TestSchema(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("keys.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("keys.json")
	if err != nil {
		t.Fatal(err)
	}
	list := sessions()
	for i := range list {
		for _, file := range []string{"", "a.pcap"} {
			line := AppendJSON(nil, file, &list[i])
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// TestRoundTrip reads what keys --json prints: nothing that deciphers messages is lost.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	list := sessions()
	var lines []byte
	for i := range list {
		lines = AppendJSON(lines, "", &list[i])
	}
	name := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(name, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].Known = keys.Given
	}
	// How a key was found, and in which frames, is the other input's matter.
	ignored := cmpopts.IgnoreFields(keys.Key{}, "Stream", "Encoding", "First", "Since",
		"Messages", "Verified", "GaveUp")
	if d := cmp.Diff(list, got.keys, ignored, cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); d != "" {
		t.Error(d)
	}
}

// TestFind: the first entry of a list counts that is for the session's endpoints, or for all clients of its server.
func TestFind(t *testing.T) {
	t.Parallel()
	server, other := netip.MustParseAddrPort("10.0.0.1:27960"), netip.MustParseAddrPort("10.0.0.1:27961")
	anna, bob := netip.MustParseAddrPort("10.0.0.2:27960"), netip.MustParseAddrPort("10.0.0.3:27960")
	entry := func(challenge int32, server, client netip.AddrPort, session int) keys.Key {
		return keys.Key{Challenge: challenge, Server: server, Client: client, Session: session}
	}
	var all netip.AddrPort
	for _, tt := range []struct {
		name string
		list []keys.Key
		want int32 // of the first session of Anna; 0: none
	}{
		{"nothing", nil, 0},
		{"other endpoints", []keys.Key{entry(1, other, anna, 0), entry(2, server, bob, 0), entry(3, other, all, -1)}, 0},
		{"another session", []keys.Key{entry(1, server, anna, 1), entry(2, server, all, 1)}, 0},
		{"her own", []keys.Key{entry(1, server, bob, 0), entry(2, server, anna, 1), entry(3, server, anna, 0), entry(4, server, anna, 0)}, 3},
		{"any session", []keys.Key{entry(1, server, anna, 3), entry(2, server, anna, -1), entry(3, server, anna, 0)}, 2},
		{"all clients first", []keys.Key{entry(1, server, all, -1), entry(2, server, anna, 0)}, 1},
		{"all clients last", []keys.Key{entry(1, server, anna, 0), entry(2, server, all, -1)}, 1},
	} {
		var list List
		for _, k := range tt.list {
			list.add(k)
		}
		got := int32(0)
		if k := list.Find(entry(0, server, anna, 0)); k != nil {
			got = k.Challenge
		}
		if got != tt.want {
			t.Errorf("%s: entry %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A command's text is as in records: valid UTF-8 beside other bytes is kept.
func TestText(t *testing.T) {
	t.Parallel()
	line := AppendJSON(nil, "", &keys.Key{Commands: []keys.Command{{Text: []byte("caf\xc3\xa9 \xff")}}})
	if want := []byte(`"text":"café ÿ","text_raw":"636166c3a920ff"`); !bytes.Contains(line, want) {
		t.Errorf("got %s, want %s in it", line, want)
	}
}
