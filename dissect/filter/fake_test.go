package filter

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// fake is a protocol with a field of each kind.
var fake = &dissect.Protocol{
	Name: "fake",
	Root: func() *dissect.Field { return &fakeRoot },
	AppendInfo: func(dst []byte, _ *dissect.Record) []byte {
		return append(dst, "snapshot 7850: \x19 2 things"...)
	},
	EventRoot:  &fakeEvent,
	EventKinds: fakeKinds,
	AppendEvent: func(dst []byte, _ *dissect.Tree, _ int) []byte {
		return append(dst, "Ann: hi"...)
	},
}

var fakeKinds = []string{"chat", "kill", "map_start"}

var (
	weapons  = dissect.Enum{Tables: [][]string{{1: "gauntlet", 5: "rocket_launcher"}, {1: "shield"}}}
	postures = dissect.Enum{Mask: true, Tables: [][]string{{"ducked", "", "dead"}}}

	fakeRoot = dissect.Field{Key: "fake", Kind: dissect.Object, Children: []*dissect.Field{
		&fVersion, &fFlag, &fText, &fBytes, &fWords, &fNumbers, &fOps, &fStats, &fInfo, &fMask, &fWide, &fFloat, &fWait,
		&fEmpty, &fOdd, &fMissing, &fInfos,
	}}
	fVersion = dissect.Field{Key: "version", Kind: dissect.Uint}
	fFlag    = dissect.Field{Key: "flag", Kind: dissect.Bool}
	fText    = dissect.Field{Key: "text", Kind: dissect.Text}
	fBytes   = dissect.Field{Key: "bytes", Kind: dissect.Hex}
	fWord    = dissect.Field{Kind: dissect.Text}
	fWords   = dissect.Field{Key: "words", Kind: dissect.List, Children: []*dissect.Field{&fWord}}
	fNumber  = dissect.Field{Kind: dissect.Int}
	fNumbers = dissect.Field{Key: "numbers", Kind: dissect.List, Children: []*dissect.Field{&fNumber}}
	fOps     = dissect.Field{Key: "ops", Kind: dissect.Choices, Children: []*dissect.Field{&fMove, &fShoot}}
	fMove    = dissect.Field{Key: "move", Kind: dissect.Object, Children: []*dissect.Field{&fX, &fY}}
	fX       = dissect.Field{Key: "x", Kind: dissect.Int}
	fY       = dissect.Field{Key: "y", Kind: dissect.Int}
	fShoot   = dissect.Field{Key: "shoot", Kind: dissect.Object, Children: []*dissect.Field{&fWeapon}}
	fWeapon  = dissect.Field{Key: "weapon", Kind: dissect.Uint, Enum: &weapons}
	fStat    = dissect.Field{Kind: dissect.Int}
	fStats   = dissect.Field{Key: "stats", Kind: dissect.Sparse, Children: []*dissect.Field{&fStat}}
	fInfo    = dissect.Field{Key: "info", Kind: dissect.Info}
	fMask    = dissect.Field{Key: "mask", Kind: dissect.Uint, Enum: &postures}
	fWide    = dissect.Field{Key: "wide", Kind: dissect.Uint, Bits: 64}
	fFloat   = dissect.Field{Key: "float", Kind: dissect.Float}
	fWait    = dissect.Field{Key: "wait", Kind: dissect.Uint, Unit: "ms"}
	fEmpty   = dissect.Field{Key: "empty", Kind: dissect.List, Children: []*dissect.Field{&fNumber}}
	fOdd     = dissect.Field{Key: "odd", Kind: dissect.Text}
	fMissing = dissect.Field{Key: "missing", Kind: dissect.Int}
	fOneInfo = dissect.Field{Kind: dissect.Info}
	fInfos   = dissect.Field{Key: "infos", Kind: dissect.List, Children: []*dissect.Field{&fOneInfo}}

	fakeEvent = dissect.Field{Kind: dissect.Object, Children: []*dissect.Field{&dissect.EventKind, &dissect.EventServerTime, &fText, &fWeapon}}
)

// fakeRecord is what the table's filters are evaluated on.
func fakeRecord() *dissect.Record {
	r := dissect.NewRecord()
	r.Packet = dissect.Packet{
		Frame: 26, Time: 1795245106_447123000, HasTime: true, UDP: true, Length: 118, Payload: make([]byte, 100),
		Src: netip.MustParseAddrPort("10.1.2.3:27960"), Dst: netip.MustParseAddrPort("[2001:db8::7]:27965"),
		Link: &dissect.Link{Interface: "eth0", VLAN: []uint16{100, 7}, TTL: 64},
	}
	r.FirstTime = r.Time - 215361000
	r.Protocol, r.Stream, r.Direction = fake, 3, dissect.ServerToClient
	r.Experts = []dissect.Expert{
		{Severity: dissect.Note, Code: "odd", Message: "an oddity"},
		{Severity: dissect.Warning, Code: "fragment_lost", Field: "fake.text", BitOffset: 9, Message: "lost"},
	}
	t := r.Tree
	t.Open(&fakeRoot, 0)
	t.Add(&fVersion, 68, 0, 0)
	t.AddBool(&fFlag, true, 0, 0)
	t.AddBytes(&fText, []byte("Hello World"), 0, 0)
	t.AddBytes(&fBytes, []byte{0xfe, 0xff, 0x47, 0x45, 0x54}, 0, 0)
	t.Open(&fWords, 0)
	for _, w := range []string{"one", "two", "three"} {
		t.AddBytes(&fWord, []byte(w), 0, 0)
	}
	t.Close(0)
	t.Open(&fNumbers, 0)
	for _, n := range []int64{-5, 10, 20} {
		t.AddInt(&fNumber, n, 0, 0)
	}
	t.Close(0)
	t.Open(&fOps, 0)
	for _, xy := range [][2]int64{{1, 2}, {7, 7}} {
		t.Open(&fMove, 0)
		t.AddInt(&fX, xy[0], 0, 0)
		t.AddInt(&fY, xy[1], 0, 0)
		t.Close(0)
	}
	t.Open(&fShoot, 0)
	t.Add(&fWeapon, 5, 0, 0)
	t.Close(0)
	t.Close(0)
	t.Open(&fStats, 0)
	t.AddAt(&fStat, 0, 125, 0, 0)
	t.AddAt(&fStat, 7, 3, 0, 0)
	t.Close(0)
	t.AddBytes(&fInfo, []byte(`\hostname\lab\n\x\n\y`), 0, 0)
	t.Add(&fMask, 0b1101, 0, 0)
	t.Add(&fWide, 1<<63+5, 0, 0)
	t.AddFloat(&fFloat, 193.43411, 0, 0)
	t.Add(&fWait, 1500, 0, 0)
	t.Open(&fEmpty, 0)
	t.Close(0)
	t.AddBytes(&fOdd, []byte("na\xefve"), 0, 0)
	t.Open(&fInfos, 0)
	t.AddBytes(&fOneInfo, []byte(`\a\1`), 0, 0)
	t.AddBytes(&fOneInfo, []byte(`\a\2\b\3`), 0, 0)
	t.Close(0)
	t.CloseAll(0)

	e := &r.Events
	e.Open(&fakeEvent, 0)
	e.AddLabel(&dissect.EventKind, "kill", 0, 0)
	e.Add(&fWeapon, 1, 0, 0)
	e.Close(0)
	e.Open(&fakeEvent, 0)
	e.AddLabel(&dissect.EventKind, "chat", 0, 0)
	e.AddInt(&dissect.EventServerTime, 7800, 0, 0)
	e.AddBytes(&fText, []byte("gg wp"), 0, 0)
	e.Close(0)
	return r
}
