package records_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// TestIdleMemory: what is kept of a pair of endpoints that only shook hands, or asked, is small once it is idle. The
// figures are in docs/limits.md.
func TestIdleMemory(t *testing.T) { // not parallel: it reads the size of the heap
	const pairs = 30_000
	for _, tc := range []struct {
		name  string
		flood func(i int) [][]byte // by turns from the client and from the server
		bound int                  // bytes for each pair, with everything that finds it again
	}{
		{"connect", connectFlood, 400},
		{"challenge", func(i int) [][]byte { return connectFlood(i)[:2] }, 295},
		{"query", func(int) [][]byte {
			return [][]byte{
				[]byte("\xff\xff\xff\xffgetstatus xxx"),
				[]byte("\xff\xff\xff\xffstatusResponse\n\\mapname\\q3dm17\\protocol\\68\n"),
			}
		}, 280},
		{"token", func(i int) [][]byte {
			ask := append([]byte{4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5}, make([]byte, 512)...)
			binary.BigEndian.PutUint32(ask[8:], uint32(i))
			return [][]byte{ask, append(binary.BigEndian.AppendUint32([]byte{4, 0, 0}, uint32(i)), 5, 9, 9, 9, 9)}
		}, 310},
		{"enet", func(i int) [][]byte {
			b := append([]byte{0x8f, 0xff, 0, 1, 0x82, 0xff, 0, 1, 0, 1, 0xff, 0xff, 0, 0, 0x05, 0x78, 0, 1, 0, 0, 0, 0, 0, 2},
				make([]byte, 20)...)
			return [][]byte{append(binary.BigEndian.AppendUint32(b, uint32(i)), 0, 0, 0, 0)}
		}, 280},
		{"directplay8", func(i int) [][]byte {
			return [][]byte{binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32([]byte{0x88, 1, 0, 0, 6, 0, 1, 0},
				uint32(i)), 7)}
		}, 300},
	} {
		before := heapBytes()
		e, err := engine.New(engine.Config{Protocols: all.Protocols()})
		if err != nil {
			t.Fatal(err)
		}
		now := int64(0)
		shake := func(pair int, step int64) {
			for i, payload := range tc.flood(pair) {
				now += step
				p := dissect.Packet{
					UDP: true, HasTime: true, Time: now, Payload: payload, Length: len(payload),
					Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(pair >> 16), byte(pair >> 8), byte(pair)}), 1024),
					Dst: netip.MustParseAddrPort("192.0.2.1:27960"),
				}
				if i&1 == 1 {
					p.Src, p.Dst = p.Dst, p.Src
				}
				if err := e.Packet(&p); err != nil {
					t.Fatal(err)
				}
			}
		}
		for pair := range pairs {
			shake(pair, 50_000)
		}
		for i := range 200 { // of others, a second apart
			shake(pairs+i%4, 1e9)
		}
		e.Idle()
		each := int(heapBytes()-before) / pairs
		t.Logf("%s: %d bytes for each pair", tc.name, each)
		if each > tc.bound {
			t.Errorf("%s: %d bytes for each pair, at most %d are allowed", tc.name, each, tc.bound)
		}
		if _, err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func connectFlood(i int) [][]byte {
	challenge := i*7 | 1
	return [][]byte{
		[]byte("\xff\xff\xff\xffgetchallenge"),
		fmt.Appendf(nil, "\xff\xff\xff\xffchallengeResponse %d", challenge),
		fmt.Appendf(nil, "\xff\xff\xff\xffconnect \"\\challenge\\%d\\qport\\%d\\protocol\\68\\name\\flood\"",
			challenge, i&0xffff),
		[]byte("\xff\xff\xff\xffconnectResponse"),
	}
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC() // what pools held is free after the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestIdleHandshake: a session that begins minutes after its handshake is read as one that begins at once.
func TestIdleHandshake(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"68-connect-play", "71-voip", "et-84-play", "rtcw-60-61-play"} {
		if want, got := idleHandshake(t, name, 0), idleHandshake(t, name, 200e9); len(want) < 20 || !cmp.Equal(want, got) {
			t.Errorf("%s (-at once +minutes later):\n%s", name, cmp.Diff(want, got))
		}
	}
}

// idleHandshake returns the records of a sample with a pause inserted before its first packet of a session. In the
// pause there are datagrams of others, four a second.
func idleHandshake(t *testing.T, name string, pause int64) (lines []string) {
	t.Helper()
	path := filepath.Join(root, "samples", "quake3", name+".pcap")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			rec.HasTime = false
			lines = append(lines, string(render.AppendJSON(nil, rec, render.JSON{})))
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	plays, later := false, int64(0)
	for p, err := range reftest.PacketsOf(t, f, path, true) {
		if err != nil {
			t.Fatal(err)
		}
		if p.UDP && !plays && !bytes.HasPrefix(p.Payload, []byte("\xff\xff\xff\xff")) {
			plays = true
			for ; later < pause; later += 250e6 {
				other := dissect.Packet{
					UDP: true, HasTime: true, Time: p.Time + later, Payload: []byte("?"), Length: 1,
					Src: netip.MustParseAddrPort("192.0.2.7:53"), Dst: netip.MustParseAddrPort("192.0.2.8:53"),
				}
				if err := e.Packet(&other); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.Time += later
		if err := e.Packet(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return lines
}
