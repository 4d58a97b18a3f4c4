package all_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"testing"
)

// A forgedRow is one datagram that costs no other record anything.
type forgedRow struct {
	name     string
	at, like int // as in a forgery
	payload  []byte
}

func unhex(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// forgedRows are by sample, so that each is read once.
var forgedRows = map[string][]forgedRow{
	"teeworlds/ddnet-freeze.pcap": {
		{"a snapshot of the last tick", 41, 40, unhex("000e0100070dbfffffff0f04b040bf42")},
		{"a snapshot of the last tick, another token", 41, 40, unhex("000e0100070dbfffffff0f0400000000")},
		{"a snapshot that is compressed and damaged", 36, 36, unhex(
			"80107c3d5574ddd92d98eee8ba135249751aac4b9e65456655ee11a6296abdc5dd234c53fce72069d1ffe3875552592bc50d",
		)},
		{"an older snapshot", 572, 571, unhex("000e0200041389061700040d880602b040bf42")},
		{"zeros of the server", 400, 400, make([]byte, 24)},
		{"zeros of the client", 401, 401, make([]byte, 24)},
		{"many zeros", 56, 56, make([]byte, 30)},
	},
	"teeworlds/07-midsession.pcap": {
		{"zeros", 6, 5, make([]byte, 24)},
	},
}

// TestForgedRows injects datagrams that once cost the records of genuine ones.
func TestForgedRows(t *testing.T) {
	t.Parallel()
	for name, rows := range forgedRows {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := newSession(t, filepath.Join(root, "samples", filepath.FromSlash(name)))
			for _, row := range rows {
				f := forgery{kind: row.name, at: row.at, like: row.like, payload: bytes.Clone(row.payload)}
				if _, lost, example := s.inject(t, &f); lost > 0 {
					t.Errorf("%s before packet %d: %d records differ in content: %s", f.kind, f.at+1, lost, example)
				}
			}
		})
	}
}
