package enet

import (
	"encoding/hex"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// TestCSharp reads packets that ENet-CSharp 2.4.8 sent: the bit of the time is the second one, not the first, and
// nothing is compressed. One has a checksum of 64 bits put after its header.
func TestCSharp(t *testing.T) {
	t.Parallel()
	const connect = "82ff00010000ffff000005000001000000000002000000000000000000001388000000020000000270a5d7dc00000007"
	for _, tt := range []struct {
		hex  string
		want generation
		ok   bool
	}{
		{"4fff0001" + connect, v20, true},
		{"4fff0001" + "0123456789abcdef" + connect, v20, true},
		{"8fff0001" + connect, v13, true},
		{"4ffe0001" + connect, 0, false},
		{"4fff0001" + "01234567" + connect, 0, false},
	} {
		b, err := hex.DecodeString(tt.hex)
		if err != nil {
			t.Fatal(err)
		}
		var s scanner
		if g, ok := s.connects(b); g != tt.want || ok != tt.ok {
			t.Errorf("%s: %d, %t, want %d, %t", tt.hex, g, ok, tt.want, tt.ok)
		}
		if !tt.ok {
			continue
		}
		rec := dissect.NewRecord()
		rec.Payload, rec.Length, rec.Hint = b, len(b), uint64(tt.want)
		New().NewConversation(dissect.Options{}).Dissect(rec)
		timed := false
		for _, n := range rec.Tree.Nodes {
			timed = timed || n.Field == &timedField && n.Bool()
		}
		if len(rec.Experts) > 0 || !timed {
			t.Errorf("%s: %v, timed %t", tt.hex, rec.Experts, timed)
		}
	}
}
