package tables

import "testing"

// The UUIDs are in DDNet's own comments and tools; two of each kind. All of them are compared with the
// reference in tables_reference_test.go.
func TestUUIDOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"what-is@ddnet.tw":            "245e5097-9fe0-39d6-bf7d-9a29e1691e4c",
		"rcon-type@ddnet.tw":          "12810e1f-a1db-3378-b4fb-164ed6505926",
		"showothers@netmsg.ddnet.tw":  "7f264cdd-71a2-3962-bbce-0f94bbd81913",
		"map-info@netmsg.ddnet.org":   "da46b81d-a060-30c3-9abb-dd2945e8edb4",
		"character@netobj.ddnet.tw":   "76ce455b-f9eb-3a48-add7-e04b941d045c",
		"demoitem-sha256@ddnet.tw":    "6be6da4a-cebd-380c-9b5b-1289c842d780",
		"birthday@netevent.ddnet.org": "1fd35746-6263-358c-b4d6-6ef60e0efaaa",
	} {
		if got := UUIDOf(name).String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// DDNet's item for character@netobj.ddnet.tw holds these four ints, most significant byte first.
func TestUUIDOfInts(t *testing.T) {
	t.Parallel()
	got := UUIDOfInts([]int32{1993229659, -102024632, -1378361269, -1810037668})
	if want := UUIDOf("character@netobj.ddnet.tw"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if LookupExtendedObject(got).Key != "ddnet_character" {
		t.Error("the object is not found")
	}
}
