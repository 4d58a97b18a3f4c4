package directplay8_test

import (
	"fmt"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/directplay8"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
)

var sessions = dissecttest.Sessions{
	Protocol: directplay8.New(), Kinds: len(sessionKinds), Seeds: 20,
	Write: func(kind int, seed uint64) []dissecttest.Sent { return newSessionWriter(kind, seed).session() },
	Read:  readSession,
	Never: map[string]string{
		"*.undecoded":    "damage alone",
		"*.unreferenced": "some messages are written with bytes to which nothing points, but not all",
	},
	Shared:  []string{"flags"}, // one is the high byte of the size's word
	Offsets: true,
}

// TestSessions: what is written is read as it was written, and every field occurs.
func TestSessions(t *testing.T) { sessions.Test(t) }

// FuzzSessions damages sessions.
func FuzzSessions(f *testing.F) { sessions.Fuzz(f) }

// readSession lists what a record has, as Said.Wrote does.
func readSession(rec *dissect.Record) (list []string) {
	root := rec.Tree.Top().Get("directplay8")
	for _, whole := range []string{"discovery", "control"} {
		for child := range root.Get(whole).Children() {
			list = append(list, child.Key())
		}
	}
	data := root.Get("data")
	if !data.Exists() {
		return list
	}
	const whole = 0x30 // new_msg and end_msg
	if joined := data.Get("reassembled_from").Exists(); joined {
		list = append(list, "joined")
	} else if data.Get("command").Uint()&whole != whole {
		return append(list, "part")
	}
	list = content(list, data)
	for part := range data.Get("parts").Children() {
		list = content(list, part)
	}
	return list
}

// content lists what a frame or a part of it carries.
func content(list []string, v dissect.Value) []string {
	if core := v.Get("core"); core.Exists() {
		list = append(list, fmt.Sprintf("core %x", core.Get("type").Uint()))
	}
	for _, key := range []string{"voice", "payload"} {
		if v.Get(key).Exists() {
			list = append(list, key)
		}
	}
	return list
}
