package keys_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/q3dissect/q3dissect/dissect/keys"
)

// TestTable: the last key of a session counts, and lists have the order of the streams.
func TestTable(t *testing.T) {
	t.Parallel()
	key := func(protocol string, stream, session int, challenge int32) keys.Key {
		return keys.Key{Protocol: protocol, Stream: stream, Session: session, Challenge: challenge}
	}
	var table keys.Table
	if table.Find(key("quake3", 0, 0, 0)) != nil || len(table.List()) != 0 {
		t.Error("an empty table has a key")
	}
	for _, k := range []keys.Key{
		key("quake3", 2, 0, 1), key("quake3", 0, 1, 2), key("quake3", 0, 0, 3), key("other", 0, 0, 4), key("quake3", 2, 0, 5),
	} {
		table.Add(k)
	}
	want := []keys.Key{key("quake3", 0, 0, 3), key("other", 0, 0, 4), key("quake3", 0, 1, 2), key("quake3", 2, 0, 5)}
	if diff := cmp.Diff(want, table.List(), cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, k := range want {
		if got := table.Find(key(k.Protocol, k.Stream, k.Session, 0)); got == nil || got.Challenge != k.Challenge {
			t.Errorf("%v: found %v", k, got)
		}
	}
	if got := table.Find(key("quake3", 1, 0, 0)); got != nil {
		t.Errorf("found %v of another stream", got)
	}
}
