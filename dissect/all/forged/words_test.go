package forged_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// wordsOfServer and wordsOfClient are the words out of band of the engines that change something in a receiver, with
// the numbers of the session at hand in place of CHALLENGE, QPORT and PROTOCOL.
var (
	wordsOfServer = []string{
		"disconnect", "connectResponse", "connectResponse 12345", "connectResponse CHALLENGE",
		"connectResponse 12345 PROTOCOL",
		"challengeResponse 12345", "challengeResponse 12345 777 PROTOCOL", "challengeResponse CHALLENGE",
		"print\nforged\n", "print\nInvalid password.\n", "echo hello", "keyAuthorize",
		"infoResponse\n\\protocol\\71\\hostname\\forged\\mapname\\q3dm6\\gamename\\Forged",
		"statusResponse\n\\mapname\\q3dm6\\sv_hostname\\forged\\protocol\\68\n5 50 \"forged\"\n",
		"statusResponse\n\\mapname\\mp_beach\\gamename\\main\\version\\Medal of Honor\n",
	}
	wordsOfClient = []string{
		"disconnect", "getchallenge", "getchallenge 55 Quake3Arena", "getinfo xxx", "getstatus", "rcon wrong status",
		`connect "\challenge\12345\qport\4242\protocol\PROTOCOL\name\forged"`,
		`connect "\challenge\12345\qport\QPORT\protocol\PROTOCOL\name\forged"`,
		`connect "\challenge\CHALLENGE\qport\QPORT\protocol\PROTOCOL\name\forged"`,
		`connect "\challenge\12345\qport\QPORT\protocol\84\name\forged"`,
		"getKeyAuthorize 0 AAAABBBBCCCCDDDD", "ipAuthorize 12345 accept",
	}
)

// What sequenced packets are forged with.
var (
	numberKinds = [...]string{"0", "1", "2", "last", "next", "+50", "2^31-1"}
	bodyKinds   = [...]string{"empty", "4 zeros", "30 zeros", "60 zeros", "4 random", "30 random", "60 random"}
	headKinds   = [...]string{"as it is", "wrong qport", "right checksum", "right checksum, wrong qport"}
)

// A netchanEnd is what a forger knows of one side of a session.
type netchanEnd struct {
	like         int // a packet of it
	last         uint32
	qport        uint16
	native, have bool
}

var (
	challengeOf = regexp.MustCompile(`"challenge":(-?\d+)`)
	versionOf   = regexp.MustCompile(`"version":(\d+)`)
)

// wordForgeries are the words out of band and sequenced packets that are forged at a place.
func (s *session) wordForgeries(at int) (list []wordForgery) {
	challenge, protocol, known := int64(12345), "68", false
	var ends [2]netchanEnd // server, client
	for i := range at {
		g := s.records[i]
		if g == nil || g.protocol != "quake3" {
			continue
		}
		if m := challengeOf.FindStringSubmatch(g.line); m != nil && strings.Contains(g.line, `"oob"`) {
			challenge, _ = strconv.ParseInt(m[1], 10, 64)
			known = true
		}
		if m := versionOf.FindStringSubmatch(g.line); m != nil {
			protocol = m[1]
		}
		if !strings.Contains(g.line, `"netchan"`) || len(s.packets[i].Payload) < 6 {
			continue
		}
		e := &ends[0]
		if g.fromClient {
			e = &ends[1]
			e.qport = binary.LittleEndian.Uint16(s.packets[i].Payload[4:])
		}
		*e = netchanEnd{
			i, binary.LittleEndian.Uint32(s.packets[i].Payload) &^ (1 << 31), e.qport,
			strings.Contains(g.line, `"encoding":"native"`), true,
		}
	}
	add := func(kind string, like int, payload []byte) {
		for _, copies := range []int{1, 2, 3, 10} {
			list = append(list, wordForgery{
				family: protocol, kind: kind, at: at, like: like, payload: payload, copies: copies,
			})
		}
	}
	for side, words := range [][]string{wordsOfServer, wordsOfClient} {
		e := &ends[side]
		if !e.have {
			continue
		}
		who := [...]string{"server ", "client "}[side]
		for i, word := range words {
			text := strings.NewReplacer("CHALLENGE", fmt.Sprint(challenge), "QPORT", fmt.Sprint(ends[1].qport),
				"PROTOCOL", protocol).Replace(word)
			add(fmt.Sprintf("%s%02d %.40q", who, i, word), e.like, []byte("\xff\xff\xff\xff"+text))
			if other := &ends[1-side]; other.have {
				add(fmt.Sprintf("%s%02d %.40q reflected", who, i, word), other.like, []byte("\xff\xff\xff\xff"+text))
			}
		}
		bodies := [][]byte{{}, make([]byte, 4), make([]byte, 30), make([]byte, 60)}
		for _, size := range []int{4, 30, 60} {
			bodies = append(bodies, noise(size, uint64(at)))
		}
		for n, number := range []uint32{0, 1, 2, e.last, e.last + 1, e.last + 50, 1<<31 - 1} {
			for b, body := range bodies {
				for right := range 4 {
					head := binary.LittleEndian.AppendUint32(nil, number)
					if right&1 != 0 && side == 0 || right&2 != 0 && (!e.native || !known) {
						continue
					}
					if side == 1 {
						head = binary.LittleEndian.AppendUint16(head, e.qport^uint16(right&1)*0x55)
					}
					if e.native {
						sum := uint32(challenge) ^ number*uint32(challenge)
						if right&2 == 0 {
							sum ^= 0x1234
						}
						head = binary.LittleEndian.AppendUint32(head, sum)
					}
					add(fmt.Sprintf("%snumber %s, %s, %s", who, numberKinds[n], bodyKinds[b], headKinds[right]), e.like,
						append(head, body...))
				}
			}
		}
	}
	return list
}

// forgedWordCaptures are the captures that words are forged in, a family each.
var forgedWordCaptures = []string{
	"68-connect-play", "68-midsession", "71-ipv6-chat", "71-midsession", "68-natrebind",
	"rtcw-60-61-play", "et-84-play", "jka-26-vehicle", "jo-16-synth", "mohaa-8", "mohaa-15",
}

// TestForgedWords injects every word out of band, and sequenced packets of every kind, in the name of either peer. What
// the game's receiver would not act on changes no result.
func TestForgedWords(t *testing.T) {
	t.Parallel()
	for n, name := range forgedWordCaptures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forgeWords(t, filepath.Join(root, "samples", "quake3", name+".pcap"), n, wordStep(97), (*session).wordForgeries)
		})
	}
}

// TestForgedRecognition injects sequenced packets before a session that began before the capture is recognised.
func TestForgedRecognition(t *testing.T) {
	t.Parallel()
	name := filepath.Join(root, "samples", "quake3", "71-voip.pcap")
	forgeWords(t, name, 1, wordStep(37), func(s *session, at int) []wordForgery {
		return slices.DeleteFunc(s.wordForgeries(at), func(f wordForgery) bool { return !strings.Contains(f.kind, "number") })
	})
}

// TestForgedCases compares captures with the same ones and forged datagrams in them.
func TestForgedCases(t *testing.T) {
	folder := reference.Folder(t, "cases")
	samples := filepath.Join(root, "samples", "quake3")
	for forged, clean := range map[string]string{
		"q3-one-oob-disconnect":      filepath.Join(folder, "q3-base.pcap"),
		"one-forged-68-connect-play": filepath.Join(samples, "68-connect-play.pcap"),
		"three-forged-71-ipv6-chat":  filepath.Join(samples, "71-ipv6-chat.pcap"),
	} {
		t.Run(forged, func(t *testing.T) {
			genuine := reftest.PacketsIn(t, clean)
			packets := reftest.PacketsIn(t, filepath.Join(folder, forged+".pcap"))
			for i := range genuine {
				genuine[i].Frame = uint64(framesBetween * (i + 1))
			}
			next := 0
			for i := range packets {
				if next < len(genuine) && bytes.Equal(packets[i].Payload, genuine[next].Payload) {
					packets[i].Frame, packets[i].Time = genuine[next].Frame, genuine[next].Time
					next++
				} else {
					packets[i].Frame = uint64(framesBetween*next + i - next + 1)
				}
			}
			if next < len(genuine) || len(packets) == len(genuine) {
				t.Fatalf("%d of %d packets in %d", next, len(genuine), len(packets))
			}
			want, _ := resultsOf(t, genuine, nil)
			got, record := resultsOf(t, packets, nil)
			if n, example := rowsThatDiffer(want, got); n > 0 || len(want["events"]) == 0 {
				t.Errorf("%d rows differ: %s", n, example)
			}
			if !strings.Contains(record, `"not_accepted"`) {
				t.Errorf("no entry not_accepted: %s", record)
			}
		})
	}
}
