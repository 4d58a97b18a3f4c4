package truth_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/quake3"
	"github.com/q3dissect/q3dissect/dissect/teeworlds"
)

// countTaken returns how many datagrams one protocol takes of those that each passes on, and how many are damaged.
func countTaken(tb testing.TB, p *dissect.Protocol, each func(func(*dissect.Packet))) engine.Stats {
	tb.Helper()
	e, err := engine.New(engine.Config{Protocols: []*dissect.Protocol{p}})
	if err != nil {
		tb.Fatal(err)
	}
	each(func(p *dissect.Packet) {
		if err := e.Packet(p); err != nil {
			tb.Error(err)
		}
	})
	return reftest.Close(tb, e)
}

// TestTeeworldsForeign feeds each family the captures of the other, and it must not take a single datagram of them.
func TestTeeworldsForeign(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(reference.Folder(t, "captures", "quake3"), "*.pcap*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no captures of Quake III: %v", err)
	}
	for _, name := range names {
		stats := countTaken(t, teeworlds.New(), func(take func(*dissect.Packet)) { reftest.Packets(t, name, take) })
		if stats.Game != 0 {
			t.Errorf("%s: %d of %d datagrams are taken for Teeworlds", filepath.Base(name), stats.Game, stats.Datagrams)
		}
	}
	for _, name := range teeworldsCaptures(t) {
		stats := countTaken(t, quake3.New(), func(take func(*dissect.Packet)) {
			reftest.Packets(t,
				teeworldsCapture(t, name), take)
		})
		if stats.Game != 0 {
			t.Errorf("%s: %d of %d datagrams are taken for Quake III", name, stats.Game, stats.Datagrams)
		}
	}
}

// TestTeeworldsMidsession begins in the middle, with both directions or one, on other ports: every datagram must be
// found, in its dialect, from its side, and decode.
func TestTeeworldsMidsession(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ capture, dialect string }{
		{"tw07-ctf3", "0.7"},
		{"tw07-midsession", "0.7"},
		{"dd06-full", "ddnet"},
	} {
		for _, only := range []string{"", "client_to_server", "server_to_client"} {
			t.Run(tt.capture+" "+only, func(t *testing.T) {
				t.Parallel()
				taken, sent, wrong := 0, 0, map[string]int{}
				e := newTeeworlds(t, reftest.Run{
					Finish: func(_ int, dst []byte, rec *dissect.Record) []byte {
						toServer := rec.Dst.Port() == 31000
						want := dissect.ServerToClient
						if toServer {
							want = dissect.ClientToServer
						}
						version := rec.Tree.Find(0, "version")
						switch {
						case rec.Direction != want:
							wrong["direction"]++
						case version < 0 || string(rec.Tree.Bytes(&rec.Tree.Nodes[version])) != tt.dialect:
							wrong["dialect"]++
						case rec.Damaged:
							wrong["damaged"]++
						}
						return append(dst, '\n')
					},
					Output: func(b []byte) error { taken += len(b); return nil },
				})
				from := uint64(0)
				if tt.capture != "tw07-midsession" {
					from = 3000
				}
				reftest.Packets(t, teeworldsCapture(t, tt.capture), func(p *dissect.Packet) {
					fromServer := p.Src.Port() == 8303
					connless := strings.HasPrefix(string(p.Payload), "\xff\xff\xff\xff\xff\xff") ||
						strings.HasPrefix(string(p.Payload), "xe")
					handshake := len(p.Payload) <= 12 && p.Payload[0]&0x14 != 0
					if p.Frame <= from || p.Frame > from+3000 || connless || handshake ||
						only == "client_to_server" && fromServer || only == "server_to_client" && !fromServer {
						return
					}
					p.Src, p.Dst = movePort(p.Src), movePort(p.Dst)
					sent++
					if err := e.Packet(p); err != nil {
						t.Error(err)
					}
				})
				reftest.Close(t, e)
				if taken != sent || sent < 400 || len(wrong) > 0 {
					t.Errorf("%d of %d datagrams are taken, wrong: %v", taken, sent, wrong)
				}
			})
		}
	}
}

// movePort moves a server to a port without meaning.
func movePort(a netip.AddrPort) netip.AddrPort {
	if a.Port() == 8303 {
		return netip.AddrPortFrom(a.Addr(), 31000)
	}
	return a
}

// TestTeeworldsNoise passes on what other protocols look like, and chance: nothing of it may be taken.
func TestTeeworldsNoise(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	kinds := map[string]func(i int) []byte{
		"random":        func(int) []byte { return random(1 + r.IntN(60)) },
		"mostly zero":   func(int) []byte { return append(random(3), make([]byte, r.IntN(30))...) },
		"zero":          func(i int) []byte { return make([]byte, i+1) },
		"counter":       func(i int) []byte { return []byte{0, byte(i), 1, 1, 2, 3, 4, 0, 1, byte(i)} },
		"pings of 0.7?": func(int) []byte { return []byte{0, 0, 1, 1, 2, 3, 4, 0, 1, 53} },
		"DNS": func(int) []byte {
			return append(random(2), "\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03org\x00\x00\x01\x00\x01"...)
		},
		"RTP": func(i int) []byte {
			return append([]byte{0x80, 0x60, 0, byte(i), 0, 0, byte(i), 0, 9, 9, 9, 9}, random(160)...)
		},
		"STUN":  func(int) []byte { return append([]byte{0, 1, 0, 8, 0x21, 0x12, 0xa4, 0x42}, random(20)...) },
		"QUIC":  func(int) []byte { return append([]byte{0x40 | byte(r.Uint32()&0x3f)}, random(40)...) },
		"query": func(int) []byte { return []byte("\xff\xff\xff\xffTSource Engine Query\x00") },
		"NTP":   func(int) []byte { return append([]byte{0x1b}, make([]byte, 47)...) },
		"WireGuard": func(i int) []byte {
			return append([]byte{4, 0, 0, 0, 1, 2, 3, 4, byte(i), 0, 0, 0, 0, 0, 0, 0}, random(32)...)
		},
	}
	for name, make := range kinds {
		stats := countTaken(t, teeworlds.New(), func(take func(*dissect.Packet)) {
			for flow := range 400 {
				src := netip.AddrPortFrom(netip.MustParseAddr("198.51.100.1"), uint16(2000+flow))
				dst := netip.MustParseAddrPort("192.0.2.1:8303")
				for i := range 12 {
					b := make(i)
					p := dissect.Packet{
						Frame: uint64(flow*12 + i + 1), UDP: true, HasTime: true, Time: int64(i) * 1e7, Src: src,
						Dst: dst, Payload: b, Length: len(b),
					}
					if i&1 == 1 {
						p.Src, p.Dst = dst, src
					}
					take(&p)
				}
			}
		})
		if stats.Game != 0 {
			t.Errorf("%s: %d of %d datagrams are taken", name, stats.Game, stats.Datagrams)
		}
	}
}

// TestTeeworldsWorkers dissects with several workers: the output is the same.
func TestTeeworldsWorkers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tw07-info-master", "tw07-loss-clientside"} {
		var outputs [2]strings.Builder
		for i, workers := range []int{1, 3} {
			dissectTeeworlds(t, teeworldsCapture(t, name), reftest.Run{
				Workers: workers, State: true, Finish: finishTeeworlds,
				Output: func(b []byte) error { outputs[i].Write(b); return nil },
			})
		}
		if outputs[0].String() != outputs[1].String() {
			t.Errorf("%s: %s", name, fmt.Sprint(outputs[0].Len(), " and ", outputs[1].Len(), " bytes"))
		}
	}
}
