package truth_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// wantSnapshot builds a snapshot. The snapshot that it refers to decides whether an item is new.
func (c *teeworldsComparison) wantSnapshot(t, snap, fields, got node) node {
	want := node{"tick": snap["tick"], "base_tick": snap["base"]}
	if size := fmt.Sprint(snap["delta_size"]); size != "0" {
		want["parts"] = json.Number("1")
		if snap["parts"] != nil {
			want["parts"] = snap["parts"]
		}
		want["crc"] = snap["crc"]
		if snap["error"] == nil {
			want["crc_ok"] = snap["crc_ok"]
		}
	}
	conn := fmt.Sprint(t["cport"], ",", t["sport"], ",")
	if snap["error"] != nil {
		if fields["crc"] != nil {
			want["crc"] = fields["crc"]
		}
		want["base_missing"] = true
		got, _ := got["snapshot"].(node) // the truth stops there; TestTeeworldsLoss compares such items
		for _, key := range []string{"items", "removed"} {
			if got[key] != nil {
				want[key] = got[key]
			}
		}
		return want
	}
	if snap["crc_ok"] == false { // the truth stops there
		got, _ := got["snapshot"].(node)
		want["items"], want["removed"] = got["items"], got["removed"]
		return want
	}
	base := c.snaps[conn+fmt.Sprint(snap["base"])]
	items, keys := map[string]node{}, map[string]bool{}
	var all []string
	for _, it := range reftest.List(snap["items"]) {
		it := it.(node)
		key := fmt.Sprint(it["type"], " ", it["id"])
		items[key], keys[key] = it, true
		all = append(all, key)
	}
	c.snaps[conn+fmt.Sprint(snap["tick"])] = keys
	order := []any{}
	updated := map[string]bool{}
	for _, pair := range reftest.List(snap["updated"]) {
		key := fmt.Sprint(pair.([]any)[0], " ", pair.([]any)[1])
		updated[key] = true
		update := "new"
		if base[key] {
			update = "delta"
		}
		order = append(order, wantItem(items[key], update))
	}
	for _, key := range all {
		if c.state && !updated[key] {
			order = append(order, wantItem(items[key], "unchanged"))
		}
	}
	want["items"] = order
	removed := []any{}
	for _, pair := range reftest.List(snap["removed"]) {
		removed = append(removed, node{"type": pair.([]any)[0], "id": pair.([]any)[1]})
	}
	want["removed"] = removed
	if got, _ := got["snapshot"].(node); c.departure.parts && got["base_missing"] == true {
		wantBaseMissing(want, got)
	}
	return want
}

// wantBaseMissing changes what is wanted of a snapshot whose base is not in the sample: there is no sum of it, and of
// an item there are the differences or, where its values are known otherwise, the same values.
func wantBaseMissing(want, got node) {
	delete(want, "crc_ok")
	want["base_missing"] = true
	gotItems := reftest.List(got["items"])
	updated := slices.DeleteFunc(reftest.List(want["items"]),
		func(item any) bool { return item.(node)["update"] == "unchanged" })
	for i, item := range updated {
		if i == len(gotItems) {
			break
		}
		item, g := item.(node), gotItems[i].(node)
		if item["update"] = g["update"]; g["update"] == "unknown" {
			updated[i] = node{"type": item["type"], "id": item["id"], "update": "unknown", "differences": g["differences"]}
		}
	}
	want["items"] = updated
}

// firstExtended is the lowest type of an object that a UUID names.
const firstExtended = 0x4000

func wantItem(it node, update string) node {
	fields, _ := it["fields"].(node)
	want := node{"type": it["type"], "id": it["id"], "update": update}
	body := wantFields(fields)
	delete(body, "uuid_name")
	switch name, known := it["name"].(string); {
	case !known:
		ints := []any{}
		want["unknown"] = node{"ints": append(ints, reftest.List(body["extra_ints"])...)}
	case reftest.Number(it["type"]) >= firstExtended:
		want[snakeTeeworlds(name)] = body
	default:
		want[strings.ToLower(name)] = body
	}
	return want
}
