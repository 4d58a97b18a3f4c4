package people

import (
	"strings"
	"testing"
)

// People are joined by GUID, else by name and address, else by name; bots are apart from people of the same name.
func TestCareers(t *testing.T) {
	t.Parallel()
	c := New()
	const guid = "0123456789ABCDEF0123456789ABCDEF"
	for _, a := range []Appearance{
		{File: "a", Name: "Ann", GUID: guid, Address: "10.0.0.1", Played: true, Won: true, Kills: 5, Seconds: 60, Date: "2020-01-02T00:00:00Z", DateFrom: "file", Weapons: []WeaponShots{{"railgun", 10, 4}}},
		{File: "b", Name: "Annie", GUID: guid, Address: "10.0.0.2", Played: true, Lost: true, Kills: 3, Seconds: 30, Date: "2019-01-02T00:00:00Z", DateFrom: "game", Weapons: []WeaponShots{{"railgun", 10, 1}, {"gauntlet", 1, 1}}},
		{File: "b", Name: "Annie", GUID: guid, Played: true, Kills: 1},
		{File: "c", Name: "Ann", Address: "10.0.0.1", Played: true, Kills: 7},
		{File: "c", Name: "ANN", Address: "10.0.0.1"},
		{File: "d", Name: "Ann", Played: true, Kills: 9},
		{File: "d", Name: "Ann", Bot: true, Played: true, Kills: 11},
		{File: "e"},
	} {
		c.Add(&Cast{Players: []Appearance{a}})
	}
	got := map[string]*Career{}
	list := c.List()
	for i := range list {
		got[list[i].IDKind+" "+list[i].ID] = &list[i]
	}
	ann := got["guid "+guid]
	if ann == nil || ann.Name != "Annie" || len(ann.Names) != 2 || ann.Matches != 3 || ann.Won != 1 || ann.Lost != 1 ||
		ann.Kills != 9 || ann.Files != 2 || ann.Minutes != 1.5 || len(ann.Addresses) != 2 ||
		ann.FirstSeen != "2019-01-02T00:00:00Z" || ann.LastSeen != "2020-01-02T00:00:00Z" ||
		ann.FirstSeenFrom != "game" || ann.LastSeenFrom != "file" ||
		!strings.Contains(ann.Evidence, "2 names with the same GUID") {
		t.Errorf("by GUID: %+v", ann)
	}
	if percent, ok := ann.Accuracy(); !ok || percent != 28.6 || ann.Weapons[0] != (Weapon{"railgun", 20, 5, 25}) {
		t.Errorf("accuracy %g of %+v", percent, ann.Weapons)
	}
	for id, kills := range map[string]int64{
		"name_address ann@10.0.0.1": 7, "name ann": 9, "name bot:ann": 11, "name unnamed": 0,
	} {
		if p := got[id]; p == nil || p.Kills != kills {
			t.Errorf("%s: %+v", id, p)
		}
	}
	if len(list) != 5 || list[0].ID != guid {
		t.Errorf("%d people, the first %s", len(list), list[0].ID)
	}
}
