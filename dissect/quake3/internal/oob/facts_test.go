package oob

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/q3dissect/q3dissect/dissect"
	_ "github.com/q3dissect/q3dissect/dissect/dissecttest/rapidseed"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// facts are what routing and keys depend on.
type facts struct {
	Command   string
	Direction dissect.Direction
	Challenge string // "" for none
	Protocol  int
	QPort     string // "" for none
	Userinfo  string
}

func (p *Packet) facts() facts {
	f := facts{Command: string(p.command), Direction: p.Direction, Protocol: p.Protocol, Userinfo: string(p.Userinfo)}
	if p.HasChallenge {
		f.Challenge = fmt.Sprint(p.Challenge)
	}
	if p.HasQport {
		f.QPort = fmt.Sprint(p.Qport)
	}
	return f
}

// compressed returns a connect packet made with our own coder.
func compressed(userinfo string) string {
	return string(huffcodec.EncodeAdaptive([]byte(marker+"connect "), []byte(userinfo)))
}

func TestOOBFacts(t *testing.T) {
	toServer, toClient := dissect.ClientToServer, dissect.ServerToClient
	tests := []struct {
		payload string
		want    facts
	}{
		{connectVector, facts{"connect", toServer, "-1467280", 68, "12345", connectInfo}},
		{
			marker + `connect "\protocol\43\challenge\-5\qport\7"`,
			facts{"connect", toServer, "-5", 43, "7", `\protocol\43\challenge\-5\qport\7`},
		},
		{marker + `connect "\qport\65536\challenge\x"`, facts{"connect", toServer, "", 0, "", `\qport\65536\challenge\x`}},
		// The last value of a userinfo without its closing quote may be cut or garbage.
		{
			marker + `connect "\protocol\68\qport\12345\challenge\-14`,
			facts{"connect", toServer, "", 68, "12345", `\protocol\68\qport\12345\challenge\-14`},
		},
		{connectTailName, facts{"connect", toServer, "-1467280", 71, "12345", `\challenge\-1467280\qport\12345\protocol\71`}},
		{connectTailChallenge, facts{"connect", toServer, "", 68, "345", `\protocol\68\qport\345\challenge\-98765p`}},
		// Nothing after a control character is believed, nor is the value right before it.
		{
			compressed("\"\\protocol\\71\\challenge\\ 12\\qport\\12\x01\\challenge\\13\""),
			facts{"connect", toServer, "12", 71, "", `\protocol\71\challenge\ 12\qport\12`},
		},
		{compressed(`\protocol\71\challenge\12\qport\1`), facts{"connect", toServer, "12", 71, "", `\protocol\71\challenge\12\qport\1`}},
		{marker + `connect \protocol\43\qport\1`, facts{"connect", toServer, "", 43, "1", `\protocol\43\qport\1`}},
		{marker + "challengeResponse 937033221 -732516891 68", facts{"challengeResponse", toClient, "937033221", 68, "", ""}},
		{marker + "challengeResponse 569945644 0 12345678 61", facts{"challengeResponse", toClient, "569945644", 61, "", ""}},
		{marker + "challengeResponse -1467280", facts{"challengeResponse", toClient, "-1467280", 0, "", ""}},
		{marker + "challengeResponse 2147483648", facts{"challengeResponse", toClient, "-2147483648", 0, "", ""}},
		{marker + "challengeResponse 4294967296", facts{"challengeResponse", toClient, "", 0, "", ""}},
		{marker + "challengeResponse -2147483649", facts{"challengeResponse", toClient, "", 0, "", ""}},
		{marker + "challengeResponse word", facts{"challengeResponse", toClient, "", 0, "", ""}},
		{marker + "connectResponse", facts{"connectResponse", toClient, "", 0, "", ""}},
		{marker + "connectResponse 5 71", facts{"connectResponse", toClient, "5", 71, "", ""}},
		{marker + "CONNECTRESPONSE 5", facts{"CONNECTRESPONSE", toClient, "5", 0, "", ""}},
		// A server that speaks 71 sends 68 here.
		{marker + "infoResponse\n\\protocol\\68\\challenge\\7", facts{"infoResponse", toClient, "", 0, "", ""}},
		{marker + "getchallenge 12 Quake3Arena", facts{"getchallenge", toServer, "", 0, "", ""}},
		{marker + "heartbeat QuakeArena-1\n", facts{"heartbeat", toServer, "", 0, "", ""}},
		{marker + "getserversResponse\\EOT", facts{"getserversResponse", toClient, "", 0, "", ""}},
		{marker + "getserversresponse", facts{"getserversresponse", toClient, "", 0, "", ""}},
		{marker + "getIpAuthorize 1 1.2.3.4", facts{"getIpAuthorize", toServer, "", 0, "", ""}},
		{marker + "ipAuthorize 1 accept", facts{"ipAuthorize", toClient, "", 0, "", ""}},
		{marker + "disconnect", facts{Command: "disconnect"}},
		{marker + "infoResponsefoo", facts{Command: "infoResponsefoo"}},
		{marker, facts{}},
		{"\xff\xff", facts{}},
	}
	p := new(Packet) // one for all: it must not keep anything of the packet before
	for _, test := range tests {
		p.Parse([]byte(test.payload))
		if diff := cmp.Diff(test.want, p.facts()); diff != "" {
			t.Errorf("%.60q (-want +got)\n%s", test.payload, diff)
		}
	}
}

func TestOOBStrong(t *testing.T) {
	tests := []struct {
		packet string
		want   bool
	}{
		{"getinfo xxx", true},
		{"GETSTATUS", true},
		{"getstatus\n", true},
		{"getchallenge", true},
		{"getchallenge -732516891 Quake3Arena", true},
		{connectVector[markerLen:], true},
		{`connect "\protocol\43\qport\7\challenge\-5"`, true},
		{connectTailChallenge[markerLen:], true},
		{"challengeResponse 12", true},
		{"challengeResponse 12 13 71", true},
		{"challengeResponse 569945644 0 12345678 61", true},
		{"challengeResponse 1 2 3 4 5", false},
		{"connectResponse", true},
		{"connectResponse 5 71", true},
		{"infoResponse\n\\protocol\\68", true},
		{"statusResponse\n\\mapname\\q3dm17\n", true},
		{"rcon secret status\x00", true},
		{`rcon 12 status`, true},
		{"heartbeat QuakeArena-1\n", true},
		{"heartbeat DarkPlaces\n", true},
		{"heartbeat EnemyTerritory-1\n", true},
		{"heartbeat WolfFlatline-1\n", true},
		{"getservers 68 empty full", true},
		{"getserversExt Xonotic 3 empty", true},
		{`getserversResponse\EOT`, true},
		{`getserversExtResponse/` + serverAddress6 + `\EOT`, true},
		{`getmotd "\challenge\1"` + "\n", true},
		{`motd "\challenge\1\motd\x"`, true},
		{"getKeyAuthorize 0 ABCD", true},
		{"keyAuthorize", true},
		{"getIpAuthorize 1 192.0.2.7 baseq3 0 1", true},
		{"ipAuthorize 1 accept", true},
		{"banUser 192.0.2.7", true},
		{"jk2mfport", true},

		{"", false},
		{"print\nhello\n", false},
		{"echo getstatus", false},
		{"disconnect", false},
		{"connect", false},
		{"connect \x01\x00\x12\x23\x34", false},
		{"getserversResponse", false},
		{`getserversResponse\` + "\x01\x02", false},
		{"challengeResponse", false},
		{"infoResponse", false},
		{"statusResponse\nhello", false},
		{"getinfo \x01\x02", false},
		{"getinfo a b", false},
		// Source and GoldSrc.
		{"TSource Engine Query\x00", false},
		{"I\x11name\x00map\x00", false},
		{"m192.0.2.7:27015\x00name\x00", false},
		{"D\x02\x00a\x00", false},
		{"details\x00", false},
		{"getchallenge steam\n", false},
		{`rcon 4242424242 "secret" status`, false},
		// Quake II and QuakeWorld.
		{"status\n", false},
		{"info 34", false},
		{"getchallenge\n", false},
		{"challenge 12345", false},
		{`connect 34 27901 -1234 "\name\x"` + "\n", false},
		{"client_connect", false},
		{"heartbeat\n\\mapname\\q2dm1\n", false},
		// DarkPlaces' own handshake, Teeworlds.
		{`connect\protocol\darkplaces 3\challenge\abc`, false},
		{"\xff\xff\xff\xff\xff\xffgie3\x01", false},
	}
	p := new(Packet)
	for _, test := range tests {
		if p.Parse([]byte(marker + test.packet)); p.Strong() != test.want {
			t.Errorf("%q: strong %v, want %v", test.packet, !test.want, test.want)
		}
	}
}

// TestOOBPrefixes cuts every packet at every byte. In a capture that cuts datagrams this is no damage, and
// every record has one entry about it.
func TestOOBPrefixes(t *testing.T) {
	for _, test := range oobTests {
		if strings.Contains(strings.Join(test.experts, " "), ExpertMalformed) {
			continue
		}
		whole := marker + test.packet
		for n := markerLen; n < len(whole); n++ {
			_, rec := dissectOOB(whole[:n], len(whole))
			checkOOB(t, whole[:n], rec)
			cuts := 0
			for _, e := range rec.Experts {
				switch e.Code {
				case ExpertTruncatedByCapture:
					cuts++
				case ExpertMalformed:
					t.Errorf("%q: %v", whole[:n], e)
				}
			}
			if cuts != 1 || rec.Damaged {
				t.Errorf("%q: %d times cut, damaged %v", whole[:n], cuts, rec.Damaged)
			}
			if info := AppendInfo(nil, rec.Tree, 0, false); len(info) == 0 {
				t.Errorf("%q: no info", whole[:n])
			}
			// The same bytes as a whole datagram may be any kind of packet, but must satisfy the general rules.
			_, rec = dissectOOB(whole[:n], n)
			checkOOB(t, whole[:n], rec)
		}
	}
}

// TestOOBAllocations reads every good packet with warm memory, without a tree and with one.
func TestOOBAllocations(t *testing.T) {
	p := new(Packet)
	tree := new(dissect.Tree)
	for _, test := range oobTests {
		if len(test.experts) > 0 {
			continue // texts for people may allocate
		}
		rec := udpRecord(marker+test.packet, markerLen+len(test.packet))
		if n := testing.AllocsPerRun(10, func() {
			p.Parse(rec.Payload)
			p.Strong()
			p.Dissect(nil, rec)
			tree.Reset()
			p.Dissect(tree, rec)
		}); n != 0 {
			t.Errorf("%s: %v allocations", test.name, n)
		}
	}
}

// TestOOBServerLists writes lists of arbitrary addresses, with tags among their bytes, and reads them back.
func TestOOBServerLists(t *testing.T) {
	octet := rapid.OneOf(rapid.SampledFrom([]byte{tagIPv4, tagIPv6, 'E', 'O', 'T', 0}), rapid.Byte())
	rapid.Check(t, func(t *rapid.T) {
		extended := rapid.Bool().Draw(t, "extended")
		packet := marker + "getserversResponse"
		if extended {
			packet = marker + "getserversExtResponse"
		}
		var want []string
		for range rapid.IntRange(0, maxListServers).Draw(t, "servers") {
			size, tag := ipv4Len, byte(tagIPv4)
			if extended && rapid.Bool().Draw(t, "ipv6") {
				size, tag = ipv6Len, tagIPv6
			}
			bytes := rapid.SliceOfN(octet, size, size).Draw(t, "address")
			port := rapid.Uint16Min(1).Draw(t, "port")
			address, _ := netip.AddrFromSlice(bytes)
			packet += string(tag) + string(bytes) + string([]byte{byte(port >> 8), byte(port)})
			want = append(want, fmt.Sprintf("%q", netip.AddrPortFrom(address, port)))
		}
		packet += rapid.SampledFrom([]string{`\EOT`, `\EOF`, `\EOT` + "\x00\x00\x00"}).Draw(t, "end")
		_, rec := dissectOOB(packet, len(packet))
		if diff := cmp.Diff("servers=["+strings.Join(want, " ")+"]", flatten(rec.Tree)[2]); diff != "" ||
			len(rec.Experts) > 0 {
			t.Fatalf("%q (-want +got)\n%s%v", packet, diff, rec.Experts)
		}
	})
}

// TestOOBConnectRoundTrip compresses userinfos and reads them back.
func TestOOBConnectRoundTrip(t *testing.T) {
	value := rapid.StringMatching(`[ !#$&-:<-\[\]-~]{1,30}`) // without what attackers put into names
	rapid.Check(t, func(t *rapid.T) {
		challenge, qport := rapid.Int32().Draw(t, "challenge"), rapid.Uint16().Draw(t, "qport")
		protocol := rapid.IntRange(43, 71).Draw(t, "protocol")
		info := fmt.Sprintf(`\name\%s\protocol\%d\qport\%d\challenge\%d`, value.Draw(t, "name"), protocol, qport, challenge)
		packet := compressed(`"` + info + `"`)
		p, rec := dissectOOB(packet, len(packet))
		want := facts{"connect", dissect.ClientToServer, fmt.Sprint(challenge), protocol, fmt.Sprint(qport), info}
		if diff := cmp.Diff(want, p.facts()); diff != "" || len(rec.Experts) > 0 || !p.Strong() {
			t.Fatalf("%x (-want +got)\n%s%v", packet, diff, rec.Experts)
		}
	})
}

// FuzzOOB checks that facts do not depend on the tree, positions stay inside the datagram and the list's
// text is one line.
func FuzzOOB(f *testing.F) {
	for _, test := range oobTests {
		f.Add([]byte(test.packet), 0)
	}
	f.Add([]byte(connectTailChallenge[markerLen:]), 3)
	f.Fuzz(func(t *testing.T, packet []byte, missing int) {
		if len(packet) > 1<<16 {
			return
		}
		payload := marker + string(packet)
		p, rec := dissectOOB(payload, len(payload)+max(missing&0xffff, 0))
		checkOOB(t, payload, rec)
		facts := p.facts()
		p.Parse([]byte(payload))
		if diff := cmp.Diff(facts, p.facts()); diff != "" {
			t.Errorf("parsed again (-first +second)\n%s", diff)
		}
		if p.Engine() != NoEngine && p.Strong() && p.Kind != GetChallenge {
			t.Errorf("%q is ours and %v's", payload, p.Engine())
		}
		if len(rec.Tree.Nodes) > 40+4*len(payload) || len(rec.Experts) > 3 {
			t.Errorf("%d nodes, %d experts for %d bytes", len(rec.Tree.Nodes), len(rec.Experts), len(payload))
		}
		info := string(AppendInfo(nil, rec.Tree, 0, false))
		if info == "" || strings.ContainsFunc(info, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) ||
			!utf8.ValidString(info) || len(info) > 4096 {
			t.Errorf("info %q", info)
		}
	})
}
