package truth_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A lineReader reads a file of JSON lines.
type lineReader struct{ lines *bufio.Scanner }

func openLines(tb testing.TB, name string) *lineReader {
	tb.Helper()
	return &lineReader{reference.Lines(tb, name)}
}

// next returns the next line, or nil.
func (r *lineReader) next(tb testing.TB) node {
	tb.Helper()
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			tb.Error(err)
		}
		return nil
	}
	n, err := reftest.Object(r.lines.Bytes())
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// want builds the object of a record from a line of the truth.
func (c *teeworldsComparison) want(t, got node) node {
	want := node{"version": t["dialect"], "flags": inOrder(reftest.List(t["flags"]))}
	for _, key := range []string{"ack", "token", "response_token", "extra"} {
		if v, ok := t[key]; ok {
			want[key] = v
		}
	}
	if t["kind"] != "connless" {
		want["num_chunks"] = t["num_chunks"]
	}
	if t["truncated"] != nil { // the truth stops at the header
		for _, key := range []string{"chunks", "control", "undecoded"} {
			if v, ok := got[key]; ok {
				want[key] = v
			}
		}
		return want
	}
	switch t["kind"] {
	case "control":
		want["control"] = wantControl(t["control"].(node))
	case "connless":
		want["connless"] = wantConnless(t)
	default:
		chunks := []any{}
		gotChunks := reftest.List(got["chunks"])
		for i, chunk := range reftest.List(t["chunks"]) {
			g := node{}
			if i < len(gotChunks) {
				g = gotChunks[i].(node)
			}
			chunks = append(chunks, c.wantChunk(t, chunk.(node), g))
		}
		want["chunks"] = chunks
	}
	return want
}

// inOrder sorts flags as records have them.
func inOrder(flags []any) []any {
	sorted := []any{}
	for _, name := range []string{"control", "resend", "compression", "connless", "extended", "token"} {
		if slices.Contains(flags, any(name)) {
			sorted = append(sorted, name)
		}
	}
	return sorted
}

func wantControl(t node) node {
	body := node{}
	for key, v := range t {
		switch key {
		case "type", "id":
		case "token":
			body["response_token"] = v
		case "reason":
			addTruthText(body, key, v)
		default:
			body[key] = v
		}
	}
	return node{strings.ToLower(t["type"].(string)): body}
}

// addTruthText adds a text: those that are not UTF-8 are in the truth as {"hex"}.
func addTruthText(to node, key string, v any) {
	blob, ok := v.(node)
	if !ok || blob["hex"] == nil {
		to[key] = v
		return
	}
	b, _ := hex.DecodeString(blob["hex"].(string))
	reftest.AddText(to, key, b)
}

// numerals are the fields that 0.6 writes as text, where 0.7 has numbers.
var numerals = []string{
	"token", "flags", "num_players", "max_players", "num_clients", "max_clients", "map_crc", "map_size", "country",
	"score", "is_player", "packet_no",
}

func wantConnless(t node) node {
	_, key, _ := strings.Cut(t["message"].(string), "_")
	return node{strings.ToLower(key): wantConnlessFields(t["fields"].(node))}
}

func wantConnlessFields(t node) node {
	want := node{}
	for key, v := range t {
		text, isText := v.(string)
		switch {
		case isText && slices.Contains(numerals, key):
			want[key] = json.Number(text)
		case reftest.List(v) != nil:
			var groups []any
			for _, g := range reftest.List(v) {
				groups = append(groups, wantConnlessFields(g.(node)))
			}
			want[key] = groups
		default:
			want[key] = v
		}
	}
	if ip, ok := t["ip"].(string); ok {
		b, _ := hex.DecodeString(ip)
		port, _ := strconv.ParseUint(fmt.Sprint(t["port"]), 10, 16)
		want["address"] = netip.AddrPortFrom(netip.AddrFrom16([16]byte(b)).Unmap(), uint16(port)).String()
	}
	return want
}

// wantChunk builds a chunk. Where the game gave up, the record may hold more than the truth.
func (c *teeworldsComparison) wantChunk(t, chunk, got node) node {
	flags := reftest.List(chunk["flags"])
	want := node{
		"vital": slices.Contains(flags, any("vital")), "resend": slices.Contains(flags, any("resend")),
		"size": chunk["size"],
	}
	if chunk["seq"] != nil {
		want["sequence"] = chunk["seq"]
		state := fmt.Sprint(chunk["seq_state"])
		if state == "dup" {
			state = "duplicate"
		} else if state == "gap" && c.departure.more && got["state"] == "ok" {
			state = "ok"
		} else if state == "ok" && c.departure.parts && got["state"] == "gap" {
			state = "gap"
		}
		want["state"] = state
	}
	for from, to := range map[string]string{"id": "id", "sys": "system", "uuid": "uuid", "rest": "rest"} {
		if v, ok := chunk[from]; ok {
			want[to] = v
		}
	}
	if chunk["error"] != nil {
		c.wantDamaged(chunk, got, want)
		return want
	}
	name := fmt.Sprint(chunk["name"])
	key := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(name, "NETMSGTYPE_"), "NETMSG_"))
	if chunk["uuid"] != nil {
		key = messageKey(name, got)
	}
	fields := wantFields(chunk["fields"].(node))
	body, _ := got[key].(node)
	if key == "snapempty" {
		delete(fields, "data")
	}
	if _, ok := body["record_server"]; key == "sv_racefinish" && !ok && c.departure.synthetic {
		delete(fields, "record_server") // not on the wire: the truth has the game's default
	}
	want[key] = fields
	if snap, ok := chunk["snap"].(node); ok {
		want["snapshot"] = c.wantSnapshot(t, snap, fields, got)
	}
	return want
}

// wantDamaged takes over what the record has beyond the truth, if all that the truth has is in it.
func (c *teeworldsComparison) wantDamaged(chunk, got, want node) {
	fields, _ := chunk["fields"].(node)
	for key, v := range got {
		body, isObject := v.(node)
		if _, known := want[key]; known || !isObject && key != "undecoded" {
			continue
		}
		want[key] = v
		for name, value := range wantFields(fields) {
			if !sameTeeworlds(value, body[name]) {
				c.differ("frame with %v: %s is %v, want %v", chunk["name"], name, body[name], value)
			}
		}
	}
}

// messageKey finds the key of an extended message, whose constant does not say where its words end.
func messageKey(name string, got node) string {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(name, "NETMSGTYPE_"), "NETMSG_"))
	for key := range got {
		if strings.ReplaceAll(key, "_", "") == strings.ReplaceAll(name, "_", "") {
			return key
		}
	}
	return name
}

// wantFields renames the fields of a message or object to their output keys.
func wantFields(t node) node {
	want := node{}
	for name, v := range t {
		key := fieldKey(name)
		switch value := v.(type) {
		case node:
			if value["sha1"] != nil {
				want[key] = value
			} else if value["hex"] != nil {
				addTruthText(want, key, v)
			} else if key == "text" { // texts of ClientInfo, in place of their ints
				for k, text := range value {
					addTruthText(want, k, text)
				}
			} else {
				want[key] = wantFields(value)
			}
		default:
			if _, done := want[key]; !done || key != "name" && key != "clan" && key != "skin" {
				want[key] = v
			}
		}
	}
	if text, ok := t["text"].(node); ok {
		for k, v := range text {
			addTruthText(want, k, v)
		}
	}
	listDescriptions(want)
	return want
}

// listDescriptions makes a list of m_pDescription0 and so on.
func listDescriptions(want node) {
	var descriptions []any
	for i := 0; ; i++ {
		key := fmt.Sprintf("description%d", i)
		v, ok := want[key]
		if !ok {
			break
		}
		delete(want, key)
		descriptions = append(descriptions, v)
	}
	if descriptions != nil {
		want["descriptions"] = descriptions
	}
}

// fieldKey makes the output key of a game's member: m_apSkinPartNames is skin_part_names.
func fieldKey(name string) string {
	rest, ok := strings.CutPrefix(name, "m_")
	if !ok {
		return name
	}
	for _, prefix := range []string{"aa", "ap", "a", "p"} {
		if after, ok := strings.CutPrefix(rest, prefix); ok && after != "" && unicode.IsUpper(rune(after[0])) {
			rest = after
			break
		}
	}
	key := snakeTeeworlds(rest)
	if key == "para_i" {
		return "params"
	}
	return key
}

// snakeTeeworlds splits where a capital follows a small letter.
func snakeTeeworlds(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
