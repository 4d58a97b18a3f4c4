package view

import "testing"

// A number that has no name is none of the counts.
func TestTally(t *testing.T) {
	c := listColumn("items", "", textColumn("item", ""), integerColumn("count", ""))
	list, _ := c.tally(map[string]int64{"item_health": 3, "36": 11}).(*List)
	b, err := list.MarshalJSON()
	const json = `[{"item":"36","count":11},{"item":"item_health","count":3}]`
	if want := "#36 11, item_health 3"; list.String() != want || string(b) != json || err != nil {
		t.Errorf("got %s and %s, %v; want %s and %s", list, b, err, want, json)
	}
}
