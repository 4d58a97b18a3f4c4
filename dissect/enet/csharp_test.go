package enet

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
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
		{"4fff0001" + "f123456789abcdef" + connect, v20, true},
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
		wrong := strings.Contains(tt.hex, "f123456789abcdef")
		if wrong != (len(rec.Experts) > 0) || !timed {
			t.Errorf("%s: %v, timed %t", tt.hex, rec.Experts, timed)
		}
	}
}

// TestCSharpChecksum has entries of crcTable in enet.h of ENet-CSharp, and packets with a checksum that is made bit by
// bit: with zeros in its place before there is a connection, and then with the connection's number, which the computer
// has in the first four of the eight bytes.
func TestCSharpChecksum(t *testing.T) {
	t.Parallel()
	for i, want := range map[int]uint64{1: 0x7ad870c830358979, 128: 0x95ac9329ac4bc9b5, 255: 0x29b7d047efec8728} {
		if crc64Table[i] != want {
			t.Errorf("entry %d is %x, want %x", i, crc64Table[i], want)
		}
	}
	sum := func(b []byte) uint64 {
		crc := ^uint64(0)
		for _, c := range b {
			crc ^= uint64(c)
			for range 8 {
				crc = crc>>1 ^ crc&1*0x95ac9329ac4bc9b5
			}
		}
		return ^crc
	}
	connect := unhexed(t, "82ff00010000ffff00000500000100000000000200000000"+
		"0000000000001388000000020000000270a5d7dc00000007")
	c := New().NewConversation(dissect.Options{})
	for _, tt := range []struct {
		head, slot string
		commands   []byte
		flip       byte
		ok         bool
	}{
		{"4fff0001", "0000000000000000", connect, 0, true},
		{"40000002", "70a5d7dc00000000", unhexed(t, "8600000100026869"), 0, true},
		{"40000003", "70a5d7dc00000000", unhexed(t, "8600000200026869"), 1, false},
		{"40000004", "0000000070a5d7dc", unhexed(t, "8600000200026869"), 0, false},
	} {
		head := unhexed(t, tt.head)
		b := slices.Concat(head, unhexed(t, tt.slot), tt.commands)
		binary.BigEndian.PutUint64(b[len(head):], sum(b))
		b[len(b)-1] ^= tt.flip
		rec := dissect.NewRecord()
		rec.Payload, rec.Length, rec.Hint = b, len(b), uint64(v20)
		c.Dissect(rec)
		told, ok := false, false
		for _, n := range rec.Tree.Nodes {
			if n.Field == &checksumOKField {
				told, ok = true, n.Bool()
			}
		}
		if !told || ok != tt.ok {
			t.Errorf("%s: told %t, right %t, want %t", tt.head, told, ok, tt.ok)
		}
	}
}

func unhexed(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
