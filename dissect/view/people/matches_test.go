package people

import (
	"fmt"
	"testing"
)

// seen returns a match with kills at some moments, in seconds.
func seenAt(complete bool, moments ...int) *MatchSeen {
	m := &MatchSeen{Map: "q3dm6", Hostname: "lab", Began: 1000, Length: int64(len(moments)), Complete: complete}
	for _, at := range moments {
		m.Proofs = append(m.Proofs, Proof{uint32(at) << 16, int64(at) * 1000})
	}
	m.First, m.Last, m.Events = m.Proofs[0].Time, m.Proofs[len(m.Proofs)-1].Time, len(m.Proofs)
	return m
}

func until(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// Recordings of one match count once, with the numbers of the one that shows most of it, and the GUIDs of all.
func TestRecordingsOfOneMatch(t *testing.T) {
	t.Parallel()
	const guid = "0123456789ABCDEF0123456789ABCDEF"
	demo := Cast{seenAt(false, until(5, 15)...), []Appearance{
		{File: "a.dm_68", Name: "Ann", Client: 1, Played: true, Kills: 2, Seconds: 60, Date: "2020-01-02T00:00:00Z", DateFrom: "file"},
		{File: "a.dm_68", Name: "Bob", Client: 2, Played: true, Kills: 1},
		{File: "a.dm_68", Name: "Eve", Client: 4, Played: true, Kills: 7}, // gone when the other begins
		{File: "a.dm_68", Name: "Old", Client: 3, Played: true, Kills: 7}, // was renamed
	}}
	capture := Cast{seenAt(true, until(0, 20)...), []Appearance{
		{File: "b.pcap", Name: "Ann", Client: 1, GUID: guid, Address: "10.0.0.1", Played: true, Won: true, Kills: 5, Seconds: 90},
		{File: "b.pcap", Name: "Bob", Client: 2, Played: true, Lost: true, Kills: 3},
		{File: "b.pcap", Name: "New", Client: 3, Played: true, Lost: true, Kills: 4},
	}}
	other := Cast{seenAt(true, until(100, 120)...), []Appearance{
		{File: "c.dm_68", Name: "Ann", Client: 1, Played: true, Kills: 9},
	}}
	for _, order := range [][]Cast{{demo, capture, other}, {other, capture, demo}} {
		c := New()
		for _, cast := range order {
			c.Add(&cast)
		}
		got := map[string]string{}
		for _, p := range c.List() {
			got[p.IDKind+" "+p.Name] = fmt.Sprint(p.Matches, " matches ", p.Kills, " kills ", p.Files, " files ",
				p.Won, p.Lost)
		}
		want := map[string]string{
			"guid Ann": "1 matches 5 kills 2 files 1 0", "name Ann": "1 matches 9 kills 1 files 0 0",
			"name Bob": "1 matches 3 kills 2 files 0 1", "name New": "1 matches 4 kills 1 files 0 1",
			"name Eve": "1 matches 7 kills 1 files 0 0", "name Old": "0 matches 0 kills 1 files 0 0",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v\nwant %v", got, want)
		}
	}
}

// Names of one match are names of one person, and a recording of its beginning has the first of them.
func TestRenamed(t *testing.T) {
	t.Parallel()
	c := New()
	c.Add(&Cast{seenAt(false, until(0, 9)...), []Appearance{{File: "a", Name: "Ann", Client: 1, Played: true, Kills: 1}}})
	c.Add(&Cast{seenAt(true, until(0, 20)...), []Appearance{
		{File: "b", Name: "Bea", Earlier: []string{"Ann", "Zoe"}, Client: 1, Played: true, Kills: 3},
	}})
	list := c.List()
	if len(list) != 1 || list[0].Name != "Bea" || len(list[0].Names) != 3 || list[0].Kills != 3 || list[0].Files != 2 {
		t.Errorf("%+v", list)
	}
}

// A GUID that a better recording lacks is taken from another, and the row has a note.
func TestBorrowedGUID(t *testing.T) {
	t.Parallel()
	const guid = "0123456789ABCDEF0123456789ABCDEF"
	c := New()
	c.Add(&Cast{seenAt(true, until(0, 20)...), []Appearance{{File: "a", Name: "Ann", Client: 1, Played: true}}})
	c.Add(&Cast{seenAt(false, until(0, 9)...), []Appearance{
		{File: "b", Name: "Ann", Client: 1, GUID: guid, Played: true},
	}})
	list := c.List()
	if len(list) != 1 || list[0].ID != guid || list[0].Matches != 1 ||
		list[0].Evidence != "matches whose GUID another recording of the match shows, by number and name: 1" {
		t.Errorf("%+v", list)
	}
}

func TestSameMatch(t *testing.T) {
	t.Parallel()
	whole := seenAt(true, until(0, 200)...)
	whole.Proofs = whole.Proofs[:maxProofs] // the sample
	change := func(f func(*MatchSeen)) *MatchSeen {
		m := *seenAt(true, until(0, 20)...)
		f(&m)
		return &m
	}
	for what, c := range map[string]struct {
		m    *MatchSeen
		same bool
	}{
		"all of it":         {seenAt(true, until(0, 20)...), true},
		"a part":            {seenAt(false, until(30, 50)...), true},
		"of three events":   {seenAt(false, 1, 2, 3), true},
		"of two":            {seenAt(false, 1, 2), false},
		"beyond the sample": {seenAt(false, until(150, 170)...), false},
		"half of them":      {seenAt(false, 0, 1, 2, 3, 1000, 1001, 1002), true},
		"another map":       {change(func(m *MatchSeen) { m.Map = "q3dm7" }), false},
		"another server":    {change(func(m *MatchSeen) { m.Hostname = "other" }), false},
		"no name of one":    {change(func(m *MatchSeen) { m.Hostname = "" }), true},
		"another start":     {change(func(m *MatchSeen) { m.Began += 3000 }), false},
		"at another moment": {change(func(m *MatchSeen) {
			m.Proofs = append([]Proof{}, m.Proofs...)
			for i := range m.Proofs {
				m.Proofs[i].Time += 1500
			}
		}), false},
	} {
		if whole.same(c.m) != c.same || c.m.same(whole) != c.same {
			t.Errorf("%s: not %v", what, c.same)
		}
	}
	one, other := MatchSeen{Server: "10.0.0.1:27960", Zero: 5000}, MatchSeen{Server: "10.0.0.1:27960", Zero: 5900}
	if !one.same(&other) {
		t.Error("two captures of one server at one time are of two matches")
	}
	if other.Zero = 90_000; one.same(&other) {
		t.Error("two captures of one server at two times are of one match")
	}
}

func TestIsGUID(t *testing.T) {
	t.Parallel()
	for guid, want := range map[string]bool{
		"0123456789ABCDEF0123456789ABCDEF":     true,
		"76561198000000001":                    true,
		"699db17b-8efb-34ff-b1d8-da6f60c15dd1": true,
		"":                                     false,
		"00000000000000000000000000000000":     false,
		"unknown":                              false,
		"NO_GUID":                              false,
		"NO_GUID_AT_ALL":                       false,
		"123":                                  false,
	} {
		if isGUID(guid) != want {
			t.Errorf("%q: not %v", guid, want)
		}
	}
}
