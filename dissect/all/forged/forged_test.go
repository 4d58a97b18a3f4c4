package forged_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// A forgery is one datagram that somebody injects.
type forgery struct {
	kind    string // for the table
	at      int    // index of the packet before which it comes
	like    int    // index of the genuine packet whose endpoints it has
	payload []byte
}

// allowed returns how many records of genuine packets may differ in more than notes. A genuine fragment that completes
// a message with a forged one of the same message shows what they make, and so does a part of DirectPlay 8; the answer
// to a connect goes to the stream of the last one that asked; a receiver drops a chunk of Teeworlds when it has taken a
// readable one of the same number. record is that of the forged datagram.
func (f *forgery) allowed(record string) int {
	readable := strings.Contains(record, `"vital":true`) && !strings.Contains(record, `"malformed"`)
	switch {
	case f.kind == "fragment of the message", strings.HasSuffix(f.kind, " chunk copied +1"),
		readable && strings.HasSuffix(f.kind, "noise +1"), // noise is by chance
		strings.Contains(f.kind, "st part "), strings.HasPrefix(f.kind, "handshake: client connect qport"):
		return 1
	case strings.HasPrefix(f.kind, "handshake"): // where the capture lacks the rest of the handshake
		return 2
	}
	return 0
}

// A genuine is the content of a genuine packet's record.
type genuine struct {
	line       string
	fromClient bool
	protocol   string
}

var (
	directionOf = regexp.MustCompile(`"direction":"(client|server)_to_`)
	protocolOf  = regexp.MustCompile(`"protocol":"(\w+)"`)
	tagOf       = regexp.MustCompile(`\[\w+\] | \[\w+\]`)
)

// A session is a capture for forgeries.
type session struct {
	name    string
	packets []dissect.Packet // with even frame numbers
	want    map[string]string
	records []*genuine        // by packet; nil: none
	forged  string            // record of the datagram that was injected last
	cut     map[string]string // withoutNotes of records seen before

	transport *transport // nil: it is of a game without one
}

func newSession(t *testing.T, name string) *session {
	s := &session{name: name, packets: reftest.PacketsIn(t, name), cut: map[string]string{}}
	for i := range s.packets {
		s.packets[i].Frame = uint64(2 * (i + 1))
	}
	s.want = reftest.RecordsByFrame(t, s.packets)
	for i := range s.packets {
		line, ok := s.want[fmt.Sprintf(`{"frame":%d`, s.packets[i].Frame)]
		if !ok {
			s.records = append(s.records, nil)
			continue
		}
		g := &genuine{line: line}
		if m := directionOf.FindStringSubmatch(line); m != nil {
			g.fromClient = m[1] == "client"
		}
		if m := protocolOf.FindStringSubmatch(line); m != nil {
			g.protocol = m[1]
		}
		s.records = append(s.records, g)
	}
	return s
}

// before returns the last packet before one that holds of its record, or -1.
func (s *session) before(at int, holds func(i int, g *genuine) bool) int {
	for i := at - 1; i >= 0; i-- {
		if g := s.records[i]; g != nil && holds(i, g) {
			return i
		}
	}
	return -1
}

// inject returns how many genuine records differ when a datagram is injected, and how many of them in more than notes.
func (s *session) inject(t *testing.T, f *forgery) (noted, lost int, example string) {
	t.Helper()
	p := s.packets[f.like]
	p.Frame, p.Time = uint64(2*f.at+1), s.packets[max(f.at-1, 0)].Time
	p.Payload, p.Length = f.payload, len(f.payload)
	packets := slices.Insert(slices.Clone(s.packets), f.at, p)
	got := reftest.RecordsByFrame(t, packets)
	s.forged = got[fmt.Sprintf(`{"frame":%d`, p.Frame)]
	for frame, line := range s.want {
		if got[frame] == line {
			continue
		}
		noted++
		a, b := s.withoutNotes(line), s.withoutNotes(got[frame])
		if a != b {
			lost++
		}
		if example == "" || a != b && lost == 1 {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			example = fmt.Sprintf("%s: %.160s\n   not %.160s", frame, b[max(at-40, 0):], a[max(at-40, 0):])
		}
	}
	return noted, lost, example
}

// withoutNotes returns what the function gives. Most forgeries change the same records in the same way, or none, and
// reading JSON takes longer than dissecting it.
func (s *session) withoutNotes(line string) string {
	text, ok := s.cut[line]
	if !ok {
		if len(s.cut) > 4096 {
			clear(s.cut)
		}
		text = withoutNotes(line)
		s.cut[line] = text
	}
	return text
}

// withoutNotes returns a record without what a forged datagram may change in that of a genuine one: notes about it, and
// the number of the stream where one more came before.
func withoutNotes(line string) string {
	var record map[string]any
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(line, ",}", "}"))) // where a time was the last member
	if d.UseNumber(); d.Decode(&record) != nil {
		return line
	}
	delete(record, "expert")
	delete(record, "stream")
	record["info"] = tagOf.ReplaceAllString(fmt.Sprint(record["info"]), "")
	if q, ok := record["quake3"].(map[string]any); ok {
		if n, ok := q["netchan"].(map[string]any); ok {
			delete(n, "lost_before")
			delete(n, "late")
			delete(n, "duplicate")
		}
	}
	text, _ := json.Marshal(record)
	return string(text)
}

var jumps = []int{-1 << 30, -100000, -100, -10, -2, -1, 1, 2, 10, 100, 100000, 1 << 30}

func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 23))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// forgeQuake3 forges packets of the netchan at a place.
func forgeQuake3(s *session, at int) (list []forgery) {
	for _, fromClient := range []bool{false, true} {
		like := s.before(at, func(i int, g *genuine) bool {
			return g.fromClient == fromClient && strings.Contains(g.line, `"netchan"`) && !strings.Contains(g.line, `"fragmented":true`)
		})
		if like < 0 {
			continue
		}
		who, head := "server", 4
		if fromClient {
			who, head = "client", 6
		}
		if strings.Contains(s.records[like].line, `"encoding":"native"`) {
			head += 4
		}
		genuine := s.packets[like].Payload
		number := binary.LittleEndian.Uint32(genuine)
		for _, jump := range jumps {
			n := int64(number) + int64(jump)
			if n < 0 || n >= 1<<31 {
				continue
			}
			for _, payload := range []string{"noise", "copy"} {
				for _, qport := range []string{"", " qport"} {
					if qport != "" && !fromClient {
						continue
					}
					b := append(slices.Clone(genuine[:head]), noise(60, uint64(at))...)
					if payload == "copy" {
						b = slices.Clone(genuine)
					}
					binary.LittleEndian.PutUint32(b, uint32(n))
					if qport != "" {
						b[4] ^= 0x55
					}
					list = append(list, forgery{fmt.Sprintf("%s %s%s %+d", who, payload, qport, jump), at, like, b})
				}
			}
		}
		for _, ahead := range []int{1, 2, 100000} {
			for _, start := range []int{0, 1300, 2600} {
				for _, size := range []int{1300, 60} {
					list = append(list, forgeFragment(fmt.Sprintf("%s fragment %+d", who, ahead), at, like, genuine[:head],
						number+uint32(ahead), start, size))
				}
			}
		}
	}
	return list
}

func forgeFragment(kind string, at, like int, head []byte, number uint32, start, size int) forgery {
	b := slices.Clone(head)
	binary.LittleEndian.PutUint32(b, number|1<<31)
	b = binary.LittleEndian.AppendUint16(b, uint16(start))
	b = binary.LittleEndian.AppendUint16(b, uint16(size))
	return forgery{kind, at, like, append(b, noise(size, uint64(at+start))...)}
}

// forgeInMessage forges fragments of a message before each of its fragments.
func forgeInMessage(s *session, at int) (list []forgery) {
	b := s.packets[at].Payload
	number, head := binary.LittleEndian.Uint32(b)&^(1<<31), 4
	if s.records[at].fromClient {
		head += 2
	}
	if strings.Contains(s.records[at].line, `"encoding":"native"`) {
		head += 4
	}
	for i := at; i < min(at+6, len(s.packets)); i++ {
		if g := s.records[i]; g == nil || g.fromClient != s.records[at].fromClient || !strings.Contains(g.line, fmt.Sprintf(`"netchan":{"sequence":%d,"fragmented":true`, number)) {
			continue
		}
		for _, start := range []int{0, 1300, 2600, 3900} {
			for _, size := range []int{1300, 60} {
				list = append(list, forgeFragment("fragment of the message", i, at, b[:head], number, start, size))
			}
		}
		list = append(list, forgeFragment("fragment of the next", i, at, b[:head], number+1, 0, 1300))
		list = append(list, forgeFragment("fragment far ahead", i, at, b[:head], number+100000, 0, 1300))
		list = append(list, forgeFragment("fragment far ahead", i, at, b[:head], number+100000, 0, 60))
		whole := append(slices.Clone(b[:head]), noise(60, 7)...)
		binary.LittleEndian.PutUint32(whole, number)
		list = append(list, forgery{"whole of the message", i, at, whole})
	}
	return list
}

// forgeOOB forges packets out of band.
func forgeOOB(s *session, at int) (list []forgery) {
	for _, fromClient := range []bool{false, true} {
		same := func(_ int, g *genuine) bool { return g.protocol == "quake3" && g.fromClient == fromClient }
		like := s.before(at, same)
		if like < 0 {
			continue
		}
		texts := []string{
			"connectResponse", "connectResponse 12345", "connectResponse 12345 68", "challengeResponse 12345",
			"challengeResponse 12345 777 68", "disconnect", "print\nforged\n",
		}
		who := "server "
		if fromClient {
			texts = []string{"getchallenge", "getchallenge 55 Quake3Arena", "disconnect", `connect "\challenge\12345\qport\4242\protocol\68\name\forged"`, `connect "\challenge\12345\qport\QPORT\protocol\68\name\forged"`}
			who = "client "
		}
		for _, text := range texts {
			if strings.Contains(text, "QPORT") {
				i := s.before(at, func(_ int, g *genuine) bool { return g.fromClient && strings.Contains(g.line, `"netchan"`) })
				if i < 0 || len(s.packets[i].Payload) < 6 {
					continue
				}
				text = strings.Replace(text, "QPORT", strconv.Itoa(int(binary.LittleEndian.Uint16(s.packets[i].Payload[4:]))), 1)
			}
			kind := who + strings.TrimRight(strings.SplitN(text, "\n", 2)[0], ` "`)
			if strings.HasPrefix(text, "connect ") {
				kind = who + "connect"
				if strings.Contains(text, "4242") {
					kind += " qport"
				}
			}
			list = append(list, forgery{kind, at, like, []byte("\xff\xff\xff\xff" + text)})
		}
	}
	return list
}

// forgeries returns the forgeries of a capture at three places, and around its handshakes and fragmented messages.
func (s *session) forgeries() (list []forgery) {
	var known, shakes, parts []int
	for i, g := range s.records {
		if g == nil {
			continue
		}
		switch {
		case g.protocol == "quake3" && strings.Contains(g.line, `"netchan"`):
			known = append(known, i)
		case g.protocol == "teeworlds" && strings.Contains(g.line, `"chunks"`), strings.Contains(g.line, `"enet":`), strings.Contains(g.line, `"directplay8":{`):
			known = append(known, i)
		}
		if strings.Contains(g.line, `"command":"connect`) || strings.Contains(g.line, `"command":"challengeR`) {
			shakes = append(shakes, i+1)
		}
		if strings.Contains(g.line, `"fragmented":true,`) && strings.Contains(g.line, `"fragment":{"start":0,`) {
			parts = append(parts, i)
		}
	}
	if len(known) == 0 {
		return nil
	}
	n := len(known)
	for _, at := range []int{known[min(12, n/4)], known[n/2], known[n*9/10]} {
		switch g := s.records[known[n/2]]; {
		case g.protocol == "quake3":
			list = append(list, forgeQuake3(s, at)...)
			list = append(list, forgeOOB(s, at)...)
		case g.protocol == "teeworlds":
			list = append(list, forgeTeeworlds(s, at)...)
		case strings.Contains(g.line, `"directplay8":{`):
			list = append(list, forgeDirectPlay(s, at)...)
		case strings.Contains(g.line, `"enet":`):
			list = append(list, forgeENet(s, at)...)
		}
	}
	for _, at := range firstMiddleLast(parts) {
		list = append(list, forgeInMessage(s, at)...)
	}
	for _, at := range shakes[:min(4, len(shakes))] {
		for _, f := range forgeOOB(s, at) {
			f.kind = "handshake: " + f.kind
			list = append(list, f)
		}
	}
	return list
}

func firstMiddleLast(list []int) []int {
	if len(list) <= 3 {
		return list
	}
	return []int{list[0], list[len(list)/2], list[len(list)-1]}
}

// A cost is what the forgeries of one kind did at worst.
type cost struct{ tried, hurt, noted, lost int }

// TestForged injects single datagrams into the samples. None costs the records of genuine ones.
func TestForged(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(root, "samples", "*", "*.pcap"))
	if err != nil || len(names) < 10 {
		t.Fatal(len(names), err)
	}
	step := 17
	if os.Getenv("Q3DISSECT_LONG") == "whole" {
		step = 1
	}
	forge(t, names, step)
}

// TestForgedRecordings does so in the reference recordings.
func TestForgedRecordings(t *testing.T) {
	if os.Getenv("Q3DISSECT_LONG") != "whole" {
		t.Skip("takes minutes")
	}
	var names []string
	for _, name := range []string{
		"quake3/q3-68-connect-play.pcap", "quake3/q3-68-loss-clientside.pcap", "quake3/q3-oa-wrapper-71legacy.pcap",
		"quake3/q3-71-connect-play.pcap", "idtech3/et-84-play.pcap", "idtech3/jka-26-play.pcap",
		"idtech3/rtcw-60-61-play.pcap", "teeworlds/tw07-ctf3.pcap", "teeworlds/dd06-full.pcap",
	} {
		names = append(names, filepath.Join(reference.Folder(t, "captures"), name))
	}
	forge(t, names, 1)
}

// forge injects every step-th forgery of the captures and prints the table.
func forge(t *testing.T, names []string, step int) {
	t.Helper()
	for n, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := newSession(t, name)
			list := s.forgeries()
			if len(list) < 20 {
				s.forge(t, list)
				return
			}
			var some []forgery
			for i := n % step; i < len(list); i += step {
				some = append(some, list[i])
			}
			s.forge(t, some)
		})
	}
}

// forge injects the forgeries one by one.
func (s *session) forge(t *testing.T, list []forgery) {
	costs := map[string]*cost{}
	var total cost
	for i := range list {
		f := &list[i]
		noted, lost, example := s.inject(t, f)
		c := costs[f.kind]
		if c == nil {
			c = &cost{}
			costs[f.kind] = c
		}
		for _, c := range []*cost{c, &total} {
			c.tried++
			if noted > 0 {
				c.hurt++
			}
			c.noted, c.lost = max(c.noted, noted), max(c.lost, lost)
		}
		if lost > f.allowed(s.forged) {
			t.Errorf("%s before packet %d: %d records differ, %d of them in content: %s", f.kind, f.at+1, noted, lost, example)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(costs)) {
		if c := costs[kind]; c.noted > 0 && testing.Verbose() {
			t.Logf("TABLE %-36s tried %3d, changed records %3d times, at worst %4d records, %4d in content", kind, c.tried,
				c.hurt, c.noted, c.lost)
		}
	}
	t.Logf("TOTAL %5d records, forgeries %4d, changed records %4d times, at worst %4d records, %4d in content",
		len(s.want), total.tried, total.hurt, total.noted, total.lost)
}
