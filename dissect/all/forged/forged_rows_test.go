package forged_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
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

// oob returns a packet out of band of Quake III.
func oob(text string) []byte { return []byte("\xff\xff\xff\xff" + text) }

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
		{"a word of Quake III", 400, 400, oob("connectResponse")},
		{"a word of Quake III from the client", 400, 401, oob("challengeResponse 5")},
		{"a protocol that is not tested", 400, 400, oob("challengeResponse 1 2 60")},
	},
	"teeworlds/ddnet-join.pcap": {
		{"a word of Quake III", 58, 58, oob("connectResponse 5")},
		{"an answer of Quake III", 35, 35, oob("challengeResponse 1 2 71")},
	},
	"teeworlds/07-servers.pcap": {
		{"a word before the connection", 78, 91, oob("challengeResponse 1 2 71")},
	},
	"quake3/68-icmp.pcap": {
		{"a connectResponse of the client, after the challenge", 8, 4, oob("connectResponse")},
		{"one in the middle of the handshake", 11, 4, oob("connectResponse")},
		{"one after it", 20, 4, oob("connectResponse")},
		{"the server's, reflected", 11, 4, oob("connectResponse 937033221")},
		{"an answer of the client", 11, 4, oob("challengeResponse 5")},
		{"a connect of the server", 12, 5, oob(`connect "\challenge\12345\qport\4242\protocol\68\name\forged"`)},
	},
	"quake3/68-midsession.pcap": {
		{"junk before the session is recognised", 3, 3, []byte("\x88\x8c\x00\x00hello world")},
		{"zeros before it is", 1, 0, make([]byte, 30)},
		{"an answer before it is", 3, 3, oob("challengeResponse 937033221 1 68")},
		{"one of the client", 1, 0, oob("challengeResponse 937033221 1 68")},
		{"a connect before it is", 1, 0, oob(`connect "\qport\1\challenge\5\protocol\68"`)},
		{"one of the server", 1, 1, oob(`connect "\qport\1\challenge\5\protocol\68"`)},
	},
	"quake3/mohaa-8.pcap": { // nothing of these is enciphered: they can be read under any number
		{"a short message of the server, one later", 33, 30, unhex("05000000aa7b01")},
		{"two later", 24, 15, unhex("04000000aa7b01")},
		{"ten later", 24, 15, unhex("0c000000aa7b01")},
	},
	"quake3/71-voip.pcap": {
		{"junk before the session is recognised", 3, 2, []byte("\x88\x8c\x00\x00hello world")},
		{"junk of the other side", 4, 3, []byte("\x88\x8c\x00\x00hello world")},
		{"a connectResponse before it is", 4, 3, oob("connectResponse")},
		{"one before the first packet", 0, 0, oob("connectResponse")},
		{"an answer before the first packet", 0, 0, oob("challengeResponse 937033221 1 68")},
	},
	"gamestudio/enet-cube2.pcap": {
		{"a word of Quake III", 400, 400, oob("connectResponse")},
		{"a word before the connection", 114, 173, oob("challengeResponse 5")},
		{"one of another client of the address", 513, 513, oob("challengeResponse 1 2 71")},
	},
	"gamestudio/enet-godot3.pcap": {
		{"a word of Quake III", 80, 81, oob("connectResponse")},
	},
	"gamestudio/synthetic-enet10.pcap": {
		{"a damaged connect, as of Photon", 1, 0, unhex(
			"ffff000112345610a1b2c3d412ff01000000002c000000010000057000008000000000020000000000000000000013880000000200000002",
		)},
	},
	"gamestudio/libenet-checksum.pcap": {
		{"a connect of Quake III", 11, 10, oob(`connect "\qport\1\challenge\5\protocol\68"`)},
	},
	"gamestudio/synthetic-photon.pcap": {
		{"an answer of Quake III", 4, 4, oob("challengeResponse 1 2 71")},
	},
	"gamestudio/synthetic-directplay8.pcap": {
		{"an answer of Quake III", 7, 6, oob("challengeResponse 5")},
	},
	"gamestudio/synthetic-directplay8-signed.pcap": {
		{"a word of Quake III", 12, 12, oob("connectResponse 5")},
	},
	"gamestudio/synthetic-every-late.pcap": {
		{"a word of Quake III", 62, 61, oob("connectResponse")},
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

// TestAnotherGame: a player who leaves a game for one of Quake III's family, on the same ports of the same machines, is
// found there after a few datagrams.
func TestAnotherGame(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"teeworlds/ddnet-join.pcap", "gamestudio/libenet-plain.pcap", "gamestudio/synthetic-directplay8.pcap",
	} {
		packets := reftest.PacketsIn(t, filepath.Join(root, "samples", filepath.FromSlash(name)))
		last := packets[len(packets)-1]
		server, client := last.Src, last.Dst
		if client.Port() < server.Port() {
			server, client = client, server
		}
		before := len(packets)
		for _, p := range reftest.PacketsIn(t, filepath.Join(root, "samples", "quake3", "68-connect-play.pcap")) {
			if p.Dst.Port() == 27960 {
				p.Src, p.Dst = client, server
			} else {
				p.Src, p.Dst = server, client
			}
			p.Time += last.Time
			packets = append(packets, p)
		}
		for i := range packets {
			packets[i].Frame = uint64(i + 1)
		}
		found, of := 0, len(packets)-before
		for _, line := range reftest.RecordsByFrame(t, packets) {
			if m := protocolOf.FindStringSubmatch(line); m != nil && m[1] == "quake3" {
				found++
			}
		}
		if found < of-8 {
			t.Errorf("after %s: %d of %d packets of Quake III", name, found, of)
		}
	}
}
