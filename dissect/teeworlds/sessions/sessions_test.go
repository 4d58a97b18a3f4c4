// Package sessions holds Teeworlds to sessions that a writer makes: every message, object and connless packet of every
// dialect, snapshots as differences and in parts, vital chunks that are sent again, compression, tokens.
package sessions

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
)

// never are the fields that no session of the writer has.
var never = map[string]string{
	"*.rest":                 "bytes that no known version of a game sends",
	"*.undecoded":            "damage alone",
	"*.extra_ints":           "of objects whose size is not sent there are none more than the game knows",
	"teeworlds.chunks.null":  "its number is that of messages with a UUID",
	"teeworlds.chunks.ex":    "its number is that of messages with a UUID",
	"teeworlds.demo":         "of recordings, FuzzRecording",
	"teeworlds.ghost":        "of files that clients write: tests of the writer in internal/ghost",
	"teeworlds.teehistorian": "of files that servers write: tests of the writer in internal/teehistorian",
}

var sessions = dissecttest.Sessions{
	Protocol: teeworlds.New(), Kinds: numKinds, Seeds: 12,
	Write: func(kind int, seed uint64) []dissecttest.Sent { return newWriter(kind, seed).session() },
	Read:  read,
	Notes: []string{
		message.ExpertUnknownMessage, "demo_only", "undetermined", message.ExpertBaseMissing, message.ExpertSnapshotLost,
		message.ExpertNumberText,
	},
	Never: never,
	// the chunk header's size and sequence number are interleaved; id and system are one number
	Shared: []string{"size", "system"},
}

// read lists what a record has, as Said.Wrote does.
func read(rec *dissect.Record) (list []string) {
	root := rec.Tree.Top().Get("teeworlds")
	for _, whole := range []string{"control", "connless"} {
		for child := range root.Get(whole).Children() {
			list = append(list, whole+" "+child.Key())
		}
	}
	for chunk := range root.Get("chunks").Children() {
		line := ""
		for child := range chunk.Children() {
			switch {
			case child.Key() == "snapshot":
				line += " whole"
			case child.Field().Kind == dissect.Object:
				line = child.Key() + line
			}
		}
		if state := chunk.Get("state"); state.Exists() {
			line += " " + state.String()
		}
		list = append(list, line)
	}
	return list
}

// TestSessions: what is written in every dialect is read as it was written, and every field occurs.
func TestSessions(t *testing.T) { sessions.Test(t) }

// FuzzSessions damages sessions.
func FuzzSessions(f *testing.F) { sessions.Fuzz(f) }
