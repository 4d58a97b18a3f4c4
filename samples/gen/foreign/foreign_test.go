package foreign_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
	"github.com/q3dissect/q3dissect/samples/gen/foreign"
)

// A claim is what the program made of a datagram.
type claim struct {
	protocol, info string
	payload        []byte
	experts        string // their codes
}

// claims dissects flows of one kind, all at once, each between endpoints of its own.
func claims(tb testing.TB, k foreign.Kind, seeds []uint64) (list []claim) {
	tb.Helper()
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			c := claim{rec.Protocol.Name, string(rec.Protocol.AppendInfo(nil, rec)), slices.Clone(rec.Payload), ""}
			for _, e := range rec.Experts {
				c.experts += e.Code + ": " + e.Message
			}
			list = append(list, c)
			return dst, nil
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	flows := make([][]foreign.Datagram, len(seeds))
	for i, seed := range seeds {
		flows[i] = k.Flow(seed)
	}
	frame := uint64(0)
	for n := range foreign.Datagrams {
		for i, seed := range seeds {
			d := flows[i][n]
			frame++
			p := dissect.Packet{
				Frame: frame, HasTime: true, Time: int64(n)*20e6 + int64(i)*10e3, UDP: true, Payload: d.Payload,
				Length: len(d.Payload), Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}),
					uint16(20000+seed%40000)),
				Dst: netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i % 200)}), max(k.Port, 1)),
			}
			if k.Port == 0 {
				p.Dst = netip.AddrPortFrom(p.Dst.Addr(), uint16(1024+(seed*7919)%60000))
			}
			if d.FromServer {
				p.Src, p.Dst = p.Dst, p.Src
			}
			if err := e.Packet(&p); err != nil {
				tb.Fatal(err)
			}
		}
	}
	if _, err := e.Close(); err != nil {
		tb.Fatal(err)
	}
	return list
}

// seeds returns how many seeds of each kind are tried: Q3DISSECT_FOREIGN more than a few, which the tests have time
// for.
func seeds(tb testing.TB) (list []uint64) {
	n := 4
	if s := os.Getenv("Q3DISSECT_FOREIGN"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			tb.Fatal(err)
		}
	}
	for i := range n {
		list = append(list, uint64(i))
	}
	return list
}

// TestForeign: of every 10,000 datagrams of other programs one at most is taken for a session of ours.
func TestForeign(t *testing.T) {
	t.Parallel()
	sessions, datagrams, named := 0, 0, map[string]int{}
	for _, k := range foreign.Kinds() {
		seeds := seeds(t)
		if k.Name == "first byte" { // each seed is another byte, alone and with small flags
			for seed := range uint64(512) {
				seeds = append(seeds, seed)
			}
		}
		datagrams += foreign.Datagrams * len(seeds)
		words := map[string]int{}
		for _, c := range claims(t, k, seeds) {
			what := c.protocol + " session: " + c.info
			if strings.HasPrefix(c.experts, "foreign_engine: a") { // named as what it is
				named[k.Name]++
				continue
			}
			if strings.HasPrefix(string(c.payload), "\xff\xff\xff\xff") {
				if what = c.protocol + " word: " + c.info; k.Greets {
					words[what]++
					continue
				}
			}
			sessions++
			words[what]++
		}
		for i, what := range slices.Sorted(maps.Keys(words)) {
			if i == 5 {
				t.Logf("%s: and %d more", k.Name, len(words)-i)
				break
			}
			t.Logf("%s: %d times %.100s", k.Name, words[what], what)
		}
	}
	if want := map[string]int{"a2s": foreign.Datagrams * len(seeds(t))}; !maps.Equal(named, want) {
		t.Errorf("queries of other engines that are named: %v, want %v", named, want)
	}
	if t.Logf("%d of %d datagrams", sessions, datagrams); sessions*10_000 > datagrams {
		t.Errorf("%d of %d datagrams were taken for a session", sessions, datagrams)
	}
}

// TestNeverClaimed: these kinds begin as ours do, and not one of their datagrams is taken for ours.
func TestNeverClaimed(t *testing.T) {
	t.Parallel()
	alike := []string{
		"ptp event", "ptp general", "ptp 1 event", "ptp 1 general", "ip sla control",
		"ip sla jitter", "ip sla echo",
	}
	for _, k := range foreign.Kinds() {
		if !slices.Contains(alike, k.Name) {
			continue
		}
		alike = slices.DeleteFunc(alike, func(name string) bool { return name == k.Name })
		for _, c := range claims(t, k, append(seeds(t), 4, 5, 6, 7)) {
			t.Fatalf("%s: %x is taken for %s: %s", k.Name, c.payload, c.protocol, c.info)
		}
	}
	if len(alike) > 0 {
		t.Errorf("no such kinds: %v", alike)
	}
}

// photon makes a session of Photon: a connection, messages in both directions with their acknowledgements, the server's
// time, and the end.
func photon(challenge uint32) (list []foreign.Datagram) {
	const reliable, peer = wire.PhotonReliable, wire.PhotonPeer
	ends := [2]*wire.Photon{wire.NewPhotonClient(challenge), wire.NewPhotonServer(challenge)}
	send := func(side int, commands ...[]byte) {
		list = append(list, foreign.Datagram{FromServer: side == 1, Payload: ends[side].Packet(commands...)})
	}
	ask := func(side int, command []byte) { // and answer
		send(side, command)
		send(1-side, ends[1-side].Ack(command, ends[side].Time))
	}
	ask(0, ends[0].Connect())
	ask(1, ends[1].Verify(1))
	ends[0].Accept(1)
	for n := range byte(10) {
		side := int(n % 2)
		ask(side, ends[side].Command(6, 0, reliable, nil, []byte{0xf3, 2, n}))
		send(0, ends[0].Command(7, 1, 0, []uint32{uint32(n)}, []byte{0xf3, 4, n}))
	}
	ask(0, ends[0].Command(12, peer, reliable, nil, nil))
	ask(0, ends[0].Command(4, peer, reliable, nil, nil))
	return list
}

// TestSharedPorts: what a client says to servers of Quake III proves nothing about what it says to others from the same
// port, and a query that somebody sends to a server of Half-Life does not make it one of Quake III. Photon from that
// port is Photon, without a fault.
func TestSharedPorts(t *testing.T) {
	t.Parallel()
	family := []foreign.Datagram{
		{Payload: []byte("getinfo xxx")},
		{FromServer: true, Payload: []byte("infoResponse\n\\challenge\\xxx\\protocol\\68")},
		{Payload: []byte("getstatus")},
		{FromServer: true, Payload: []byte("statusResponse\n\\mapname\\q3dm17\n")},
		{Payload: []byte("getchallenge 7 Quake3Arena")},
		{FromServer: true, Payload: []byte("challengeResponse 1234 7 71")},
		{Payload: []byte(`connect "\protocol\43\qport\9\challenge\1234\name\x"`)},
		{FromServer: true, Payload: []byte("connectResponse 1234")},
	}
	queries := []string{"getinfo xxx", "getstatus", "getchallenge 7 Quake3Arena", "rcon x status"}
	const ours, theirs, halfLife, photonPort = 27960, 50000, 27015, 5056
	claimed, words, messages, datagrams, frame := 0, 0, 0, 0, uint64(0)
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(), Workers: 1,
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if version := rec.Tree.Top().Get("enet").Get("version"); rec.Src.Port() == photonPort ||
				rec.Dst.Port() == photonPort {
				if messages++; version.String() != "photon" || len(rec.Experts) > 0 {
					t.Errorf("%x of Photon is taken for %s %s: %v", rec.Payload, rec.Protocol.Name, version, rec.Experts)
				}
				return dst, nil
			}
			if theirs := rec.Src.Port() == theirs || rec.Dst.Port() == ours || rec.Src.Port() == ours; theirs {
				words++
				return dst, nil
			}
			claimed++
			t.Errorf("%x is taken for %s: %s", rec.Payload, rec.Protocol.Name, rec.Protocol.AppendInfo(nil, rec))
			return dst, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	send := func(src, dst netip.AddrPort, payload []byte) {
		frame++
		p := dissect.Packet{
			Frame: frame, HasTime: true, Time: int64(frame) * 1e6, UDP: true, Payload: payload,
			Length: len(payload), Src: src, Dst: dst,
		}
		if err := e.Packet(&p); err != nil {
			t.Fatal(err)
		}
	}
	k := foreign.Kinds()[slices.IndexFunc(foreign.Kinds(), func(k foreign.Kind) bool { return k.Name == "goldsrc" })]
	for i, seed := range append(seeds(t), 4, 5, 6, 7, 8, 9) {
		host := netip.AddrFrom4([4]byte{10, 2, byte(i >> 8), byte(i)})
		client, server := netip.AddrPortFrom(host,
			27005), netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i % 200)}), halfLife)
		for _, text := range queries {
			send(netip.AddrPortFrom(host, theirs), server, append([]byte("\xff\xff\xff\xff"), text...))
		}
		beside := photon(uint32(seed) + 1)
		for n, d := range k.Flow(seed) {
			if n < len(beside) {
				src, dst := client, netip.AddrPortFrom(server.Addr(), photonPort)
				if beside[n].FromServer {
					src, dst = dst, src
				}
				send(src, dst, beside[n].Payload)
			}
			if n < len(family) { // before and after each datagram to the other server
				src, dst := client, netip.AddrPortFrom(server.Addr(), ours)
				if family[n].FromServer {
					src, dst = dst, src
				}
				send(src, dst, append([]byte("\xff\xff\xff\xff"), family[n].Payload...))
			}
			src, dst := client, server
			if d.FromServer {
				src, dst = dst, src
			}
			if i%2 == 1 { // a connect that no engine sends
				d.Payload = bytes.Replace(d.Payload, []byte("connect 48"), []byte("connect"), 1)
			}
			datagrams++
			send(src, dst, d.Payload)
		}
	}
	if _, err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if want := len(photon(1)) * datagrams / foreign.Datagrams; words == 0 || messages != want {
		t.Errorf("%d words of the family are recognised, and %d datagrams of Photon of %d", words, messages, want)
	}
	t.Logf("%d of %d datagrams of Half-Life are claimed, beside %d of the family and %d of Photon", claimed,
		datagrams, words, messages)
}

// TestGivenUp: a session whose first word is the family's too is given up with the first that is not, with a
// note about what it looks like.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	looks := map[string]string{"quakeworld, bare": "looks like QuakeWorld", "quake2, bare": "looks like Quake II"}
	for _, k := range foreign.Kinds() {
		want, ok := looks[k.Name]
		if !ok {
			continue
		}
		delete(looks, k.Name)
		list := claims(t, k, []uint64{1})
		if len(list) != 2 || list[0].info != "getchallenge" || !strings.HasPrefix(list[1].experts, "foreign_engine: "+want) {
			t.Errorf("%s: %+v", k.Name, list)
		}
	}
	if len(looks) > 0 {
		t.Errorf("no such kinds: %v", looks)
	}
}

// TestKinds: the kinds have names of their own, flows are the same each time, and seeds differ.
func TestKinds(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, k := range foreign.Kinds() {
		if names[k.Name] {
			t.Errorf("two kinds are called %s", k.Name)
		}
		names[k.Name] = true
		a, b := k.Flow(1), k.Flow(1)
		if !reflect.DeepEqual(a, b) || len(a) != foreign.Datagrams {
			t.Errorf("%s: %d datagrams, not the same each time", k.Name, len(a))
		}
		if constant := k.Name == "zeros" || k.Name == "gtp-c"; !constant && fmt.Sprint(a) == fmt.Sprint(k.Flow(2)) {
			t.Errorf("%s: two seeds give the same flow", k.Name)
		}
	}
	if len(names) < 60 {
		t.Errorf("only %d kinds", len(names))
	}
}
