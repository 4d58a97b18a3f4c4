package render

import (
	"net/netip"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// The tests' protocol has one field of every kind and in every kind of container.
var (
	weaponNames = &dissect.Enum{Tables: [][]string{nil, {"none", "gauntlet", "", "shotgun"}, {"none", "blaster"}}}
	eventNames  = &dissect.Enum{Ignore: 0x300, Tables: [][]string{nil, {"none", "footstep"}}}
	flagNames   = &dissect.Enum{Mask: true, Ignore: 0x80, Tables: [][]string{nil, {"dead", "", "teleport"}}}
	statNames   = &dissect.Enum{Tables: [][]string{nil, {"health", "", "armor"}}}

	fVersion  = dissect.Field{Key: "version", Kind: dissect.Uint, Doc: "protocol number"}
	fSequence = dissect.Field{Key: "sequence", Name: "seq|no", Kind: dissect.Uint, Bits: 32, Doc: "number of the packet", Source: "Netchan_Process"}
	fGUID     = dissect.Field{Key: "guid", Kind: dissect.Uint, Bits: 64, Doc: "who sends"}
	fOffset   = dissect.Field{Key: "offset", Kind: dissect.Int, Bits: 64, Doc: "a wide signed number"}
	fReliable = dissect.Field{Key: "reliable", Kind: dissect.Bool, Bits: 1}
	fHeader   = dissect.Field{
		Key: "header", Kind: dissect.Object, Doc: "the packet's header",
		Children: []*dissect.Field{&fSequence, &fGUID, &fOffset, &fReliable},
	}

	fServerTime = dissect.Field{Key: "server_time", Name: "serverTime", Kind: dissect.Int, Bits: 32, Unit: "ms", Doc: "time of the server"}
	fWeapon     = dissect.Field{Key: "weapon", Kind: dissect.Uint, Bits: 8, Enum: weaponNames, Doc: "weapon held"}
	fEvent      = dissect.Field{Key: "event", Kind: dissect.Int, Bits: 10, Enum: eventNames}
	fFlags      = dissect.Field{Key: "flags", Name: "eFlags", Kind: dissect.Int, Bits: 16, Enum: flagNames, Doc: "state of the player"}
	fX          = dissect.Field{Key: "x", Name: "origin[0]", Kind: dissect.Float, Unit: "units"}
	fY          = dissect.Field{Key: "y", Name: "origin[1]", Kind: dissect.Float, Unit: "units"}
	fZ          = dissect.Field{Key: "z", Name: "origin[2]", Kind: dissect.Float, Unit: "units"}
	fOrigin     = dissect.Field{Key: "origin", Kind: dissect.Object, Doc: "where it is", Children: []*dissect.Field{&fX, &fY, &fZ}}
	fStat       = dissect.Field{Name: "stats[]", Kind: dissect.Int, Bits: 16}
	fStats      = dissect.Field{Key: "stats", Kind: dissect.Sparse, Enum: statNames, Doc: "what is counted", Children: []*dissect.Field{&fStat}}
	fNumber     = dissect.Field{Key: "number", Kind: dissect.Uint, Bits: 10, Doc: "entity number"}
	fUpdate     = dissect.Field{Key: "update", Kind: dissect.Label, Doc: "how it was sent"}
	fEntity     = dissect.Field{Kind: dissect.Object, Doc: "one entity", Children: []*dissect.Field{&fNumber, &fUpdate, &fWeapon, &fOrigin}}
	fEntities   = dissect.Field{Key: "entities", Kind: dissect.List, Children: []*dissect.Field{&fEntity}}
	fSnapshot   = dissect.Field{
		Key: "snapshot", Kind: dissect.Object, Doc: "what the client sees",
		Children: []*dissect.Field{
			&fServerTime, &fWeapon, &fEvent, &fFlags, &fOrigin, &fStats,
			&fEntities, &dissectUndecoded,
		},
	}

	fText      = dissect.Field{Key: "text", Kind: dissect.Text, Doc: "as typed"}
	fArgument  = dissect.Field{Kind: dissect.Text, Doc: "one word"}
	fArguments = dissect.Field{Key: "arguments", Kind: dissect.List, Children: []*dissect.Field{&fArgument}}
	fInfo      = dissect.Field{Key: "info", Kind: dissect.Info, Doc: "user info"}
	fData      = dissect.Field{Key: "data", Kind: dissect.Hex, Doc: "bytes"}
	fCommand   = dissect.Field{
		Key: "command", Kind: dissect.Object, Doc: "a command",
		Children: []*dissect.Field{&fText, &fArguments, &fInfo, &fData},
	}
	fEOF  = dissect.Field{Key: "eof", Kind: dissect.Object, Doc: "end of the message"}
	fName = dissect.Field{Key: "name", Kind: dissect.Text, Doc: "an alternative without children"}
	fOps  = dissect.Field{Key: "ops", Kind: dissect.Choices, Doc: "operations in wire order", Children: []*dissect.Field{&fSnapshot, &fCommand, &fEOF, &fName}}

	fInt      = dissect.Field{Kind: dissect.Int, Enum: weaponNames}
	fInts     = dissect.Field{Key: "ints", Kind: dissect.List, Doc: "plain numbers", Children: []*dissect.Field{&fInt}}
	fRow      = dissect.Field{Kind: dissect.List, Children: []*dissect.Field{&fArgument}}
	fRows     = dissect.Field{Key: "rows", Kind: dissect.List, Doc: "lists of words", Children: []*dissect.Field{&fRow}}
	fProfile  = dissect.Field{Kind: dissect.Info}
	fProfiles = dissect.Field{Key: "profiles", Kind: dissect.List, Doc: "infostrings", Children: []*dissect.Field{&fProfile}}
	fCell     = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&fWeapon}}
	fCells    = dissect.Field{Key: "cells", Kind: dissect.Sparse, Doc: "sparse objects", Children: []*dissect.Field{&fCell}}
	fMessage  = dissect.Field{
		Key: "message", Kind: dissect.Object, Scope: dissect.Message, Doc: "the message",
		Children: []*dissect.Field{&fOps, &fInts, &fRows, &fProfiles, &fCells},
	}

	fFake = dissect.Field{
		Key: "fake", Kind: dissect.Object, Doc: "the fake game",
		Children: []*dissect.Field{&fVersion, &fHeader, &fMessage, &dissectUndecoded},
	}

	// dissectUndecoded is like the field that the decoder adds by itself.
	dissectUndecoded = dissect.Field{Key: "undecoded", Kind: dissect.Hex, Doc: "what was not decoded"}
)

// fake returns the protocol; AppendInfo appends info as it is.
func fake(info string) *dissect.Protocol {
	return &dissect.Protocol{
		Name: "fake", Title: "Fake game (for tests)", Root: func() *dissect.Field { return &fFake },
		Dissects:   []string{"fake"},
		AppendInfo: func(dst []byte, _ *dissect.Record) []byte { return append(dst, info...) },
	}
}

var protocols = []*dissect.Protocol{fake("")}

// newRecord returns a record of the fake game without tree nodes.
func newRecord(info string) *dissect.Record {
	return &dissect.Record{
		Packet: dissect.Packet{
			Frame: 26, Time: 1795245106447123000, HasTime: true, UDP: true, Length: 5, Payload: []byte("hello"),
			Src: netip.MustParseAddrPort("127.0.0.1:27960"), Dst: netip.MustParseAddrPort("127.0.0.1:27965"),
		},
		FirstTime: 1795245106231762000,
		Protocol:  fake(info), Stream: 0, Direction: dissect.ServerToClient, Tree: new(dissect.Tree),
	}
}

// fullRecord holds one of everything, with positions as they might be.
func fullRecord() *dissect.Record {
	rec := newRecord("snapshot 7800 full: 2 entities")
	t := rec.Tree
	t.Family = 1
	t.Open(&fFake, 0)
	t.Add(&fVersion, 68, 0, 0)
	t.Open(&fHeader, 0)
	t.Add(&fSequence, 1<<31+5, 0, 32)
	t.Add(&fGUID, 1<<63+1, 32, 64)
	t.AddBool(&fReliable, true, 96, 1)
	t.Close(97)
	t.Open(&fMessage, 0)
	t.Open(&fOps, 0)
	t.Open(&fSnapshot, 0)
	t.AddInt(&fServerTime, -7800, 3, 40)
	t.Add(&fWeapon, 3, 43, 9)
	t.AddInt(&fEvent, 0x201, 52, 10)
	t.AddInt(&fFlags, 0x405, 62, 16)
	addOrigin(t, 78, 1.5, -24, 0.1)
	t.Open(&fStats, 120)
	t.AddAt(&fStat, 0, 125, 121, 16)
	t.AddAt(&fStat, 7, ^uint64(0), 137, 16)
	t.Close(153)
	t.Open(&fEntities, 153)
	t.Open(&fEntity, 153)
	t.Add(&fNumber, 12, 153, 10)
	t.AddLabel(&fUpdate, "delta", 163, 2)
	t.Add(&fWeapon, 99, 165, 9)
	t.Close(174)
	t.Open(&fEntity, 174)
	t.Add(&fNumber, 13, 174, 10)
	t.AddLabel(&fUpdate, "removed", 184, 1)
	t.Close(185)
	t.Close(195)
	t.Close(195)
	t.Open(&fCommand, 195)
	t.AddBytes(&fText, []byte("say \"caf\xe9\"\x1b[31m\n"), 195, 120)
	t.Open(&fArguments, 0)
	t.AddLabel(&fArgument, "say", 0, 0)
	t.AddBytes(&fArgument, []byte("caf\xe9"), 0, 0)
	t.Close(0)
	t.AddLabel(&fInfo, `\name\Sarge\rate\25000\name\Major`, 315, 264)
	t.AddBytes(&fData, []byte{0xde, 0xad, 0, 1}, 579, 32)
	t.Close(611)
	t.Open(&fEOF, 611)
	t.Close(619)
	t.Close(619)
	t.Close(619)
	t.AddBytes(&dissectUndecoded, []byte{0xff}, 619, 5)
	t.Close(624)
	rec.Experts = []dissect.Expert{
		{Severity: dissect.Warning, Code: "fragment_lost", Field: "fake.header.sequence", BitOffset: 12, Message: "fragment 3 is lost"},
		{Severity: dissect.Fault, Code: "odd", Message: "a \x07 bell"},
	}
	return rec
}

func addOrigin(t *dissect.Tree, at int, x, y, z float32) {
	t.Open(&fOrigin, at)
	t.AddFloat(&fX, x, at, 14)
	t.AddFloat(&fY, y, at+14, 14)
	t.AddFloat(&fZ, z, at+28, 14)
	t.Close(at + 42)
}

// bigRecord is like a snapshot of a busy game: about 2 KB of JSON.
func bigRecord() *dissect.Record {
	rec := newRecord("snapshot 7850 Δ1: 14 entities")
	t := rec.Tree
	t.Family = 1
	t.Open(&fFake, 0)
	t.Add(&fVersion, 68, 0, 0)
	t.Open(&fMessage, 0)
	t.Open(&fOps, 0)
	t.Open(&fSnapshot, 0)
	t.AddInt(&fServerTime, 7850, 3, 40)
	addOrigin(t, 78, 1523.125, -24, 88.375)
	t.Open(&fEntities, 153)
	for i := range 14 {
		t.Open(&fEntity, 153)
		t.Add(&fNumber, uint64(i*7), 153, 10)
		t.AddLabel(&fUpdate, "delta", 163, 2)
		t.Add(&fWeapon, uint64(i%4), 165, 9)
		addOrigin(t, 170, float32(i)*100, 1234, -float32(i)*8+0.25)
		t.Close(200)
	}
	t.Close(200)
	t.Close(200)
	t.Open(&fCommand, 195)
	t.AddLabel(&fText, "print \"Sarge"+strings.Repeat(" was railed by Anarki", 3)+"\n\"", 195, 120)
	t.Close(0)
	t.CloseAll(0)
	return rec
}
