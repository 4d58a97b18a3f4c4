package recover

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// An outcome is the result of one cut.
type outcome struct {
	total, right, wrong [2]int   // by side
	texts               []string // commands that were recovered wrong
	steps               int64
	keys                *Keys
	gen                 *tables.Generation
	rivals              int   // games that it may be instead
	read                []int // messages that came out right
}

// try recovers the keys of messages from a place on, and compares them with the truth.
func (s *recorded) try(f *Finder, from, to int, challenge int, drop func() bool) outcome {
	ses := f.NewSession(challenge)
	for i := from; i < to; i++ {
		if drop != nil && drop() {
			continue
		}
		ses.Add(s.messages[i])
	}
	ses.Solve()
	return s.judge(ses, from, to)
}

// judge compares what a session read of the messages from a place on with the truth.
func (s *recorded) judge(ses *Session, from, to int) outcome {
	o := outcome{keys: ses.Keys(), steps: ses.spent, gen: ses.m.gen, rivals: len(ses.rivals)}
	o.texts = s.wrongTexts(ses.m, o.keys)
	if n := s.wrongFeeds(ses, from, to); n > 0 {
		o.texts = append(o.texts, fmt.Sprintf("%d values of user commands are wrong under the feeds %v", n, o.keys.Feeds))
	}
	for i := from; i < to; i++ {
		if !s.truth[i].OK {
			continue
		}
		sd := side(s.messages[i].FromClient)
		o.total[sd]++
		want, ok := s.decipher(i, s.challenge)
		if !ok {
			continue
		}
		got, ok := o.keys.decipher(ses.m, &s.messages[i])
		if !ok || !parses(ses.m, s.messages[i].FromClient, got) {
			continue
		}
		if string(got) == string(want) {
			o.right[sd]++
			o.read = append(o.read, i)
		} else {
			o.wrong[sd]++
		}
	}
	return o
}

// wrongTexts counts the commands that differ from the truth. Without the challenge, the first character is
// open.
func (s *recorded) wrongTexts(m *model, k *Keys) (wrong []string) {
	for sd := range k.Commands {
		for n, c := range k.Commands[sd] {
			want, ok := s.texts[sd][n]
			if !ok || c.Read && bytes.Equal(c.Text, want) {
				continue
			}
			got, want := m.keyText(c.Text), m.keyText(want)
			if !k.Proven && !c.Read && len(got) > 0 && len(want) > 0 {
				got, want = got[1:], want[1:]
			}
			if c.Whole && len(got) != len(want) || !bytes.HasPrefix(want, got) {
				wrong = append(wrong, fmt.Sprintf("command %d of side %d: %q, want %q", n, sd, got, want))
			}
		}
	}
	return wrong
}

// wrongFeeds counts the values of user commands that differ from the truth under the feeds found. Where
// commands share their time, as they do while a map is loaded, any of them may be the one that was kept.
func (s *recorded) wrongFeeds(ses *Session, from, to int) (wrong int) {
	type place struct {
		game, time int32
		field      int
	}
	right := map[place]bool{}
	for i := from; i < to; i++ {
		for _, op := range s.truth[i].Ops {
			for _, want := range op.Cmds {
				c, ok := ses.inputs.commands[want.ServerTime]
				feed, known := ses.Feed(c.serverID)
				if !ok || !known || c.serverID != s.truth[i].Game {
					continue
				}
				for f, v := range map[int]int32{
					0: want.Angles[0], yawField: want.Angles[1], ses.m.buttons: want.Buttons,
					ses.m.weapon: want.Weapon,
				} {
					mask := uint16(1<<ses.m.user[f] - 1)
					at := place{c.serverID, want.ServerTime, f}
					right[at] = right[at] || c.has&(1<<f) == 0 || (c.values[f]^feed)&mask == uint16(v)&mask
				}
			}
		}
	}
	for _, ok := range right {
		if !ok {
			wrong++
		}
	}
	return wrong
}

// decipher deciphers a message with the keys.
func (k *Keys) decipher(of *model, m *Message) ([]byte, bool) {
	p, ok := m.prefix()
	if !ok {
		return nil, false
	}
	start, base := m.key()
	body := append([]byte(nil), m.Body...)
	n := len(body) - start
	if n <= 0 {
		return body, true
	}
	c, ok := k.Commands[1-side(m.FromClient)][p.ack]
	if !ok || k.Challenge < 0 || c.Read && !k.Proven {
		return nil, false
	}
	text := of.keyText(c.Text)
	period := len(text)
	if !c.Whole {
		if period = 0; n > len(text) {
			return nil, false
		}
	}
	for i, b := range padOf(nil, byte(k.Challenge)^base, text, period, start, n) {
		body[start+i] ^= b
	}
	return body, true
}

var legacyCaptures = []string{
	"q3-68-connect-play-mid", "q3-68-connect-play", "q3-oa-wrapper-71legacy", "q3-68-download",
	"q3-multi-3clients-2servers", "q3-68-loss-clientside", "q3-68-loss-serverside", "q3-68-natrebind-clientside",
	"q3-68-natrebind-serverside", "q3-68-ipfrag-mtu576", "q3-oob", "et-84-play", "et-84-play-mid", "rtcw-60-61-play",
	"rtcw-60-61-play-mid", "jka-26-play", "jka-26-play-mid", "jka-26-vehicle", "jka-26-full", "jka-26-oob",
	"jka-26-download", "ettv-284", "jo-16-synth", "jo-15-v103-synth",
	"mohaa-8-play", "mohaa-17-play",
}

// TestCuts recovers sessions from random frames of the captures on. Nothing that comes out may be wrong. CUTS sets at
// how many frames each capture is cut, FROM at which one instead, ONLY picks captures by name; SHORT is how many
// messages of each session are read, LOSS how many in a hundred are lost; with -v it prints what
// docs/protocols/cold-start-figures.md has.
func TestCuts(t *testing.T) {
	run := cutRun{f: NewFinder(), cuts: setting("CUTS", 0), short: setting("SHORT", 0), loss: setting("LOSS", 0)}
	usual := run.cuts == 0
	run.cuts = max(run.cuts, 1)
	for c, name := range legacyCaptures {
		if usual && c > 0 || !strings.Contains(name, os.Getenv("ONLY")) {
			continue
		}
		rng := rand.New(rand.NewPCG(1, uint64(c)))
		sessions := loadSessions(t, name, name+".pcap")
		last := 0
		for _, s := range sessions {
			last = max(last, s.truth[len(s.truth)-1].Frame)
		}
		var sum outcome
		for range run.cuts {
			frame := setting("FROM", 1+rng.IntN(last))
			for n, s := range sessions {
				if from := s.since(frame); from > 0 && !s.native {
					run.cut(t, s, fmt.Sprintf("%s/%d from frame %d", name, n, frame), from, rng, &sum)
				}
			}
		}
		t.Logf("%s: server %d of %d, client %d of %d", name, sum.right[0], sum.total[0], sum.right[1], sum.total[1])
		run.sum.add(&sum)
	}
	sum := &run.sum
	t.Logf("all: server %d of %d, client %d of %d", sum.right[0], sum.total[0], sum.right[1], sum.total[1])
	if usual && (sum.right[0]*100 < sum.total[0]*95 || sum.right[1]*100 < sum.total[1]*90) {
		t.Error("too few messages were recovered")
	}
}

// TestCertified cuts where text was taken for certain that is not: four messages reached the end of a long userinfo,
// and the search found characters that made sense of their last bytes.
func TestCertified(t *testing.T) {
	run, sum := cutRun{f: NewFinder()}, outcome{}
	const frame = 512
	for n, s := range loadSessions(t, "jka-26-play-mid", "jka-26-play-mid.pcap") {
		run.cut(t, s, fmt.Sprintf("session %d from frame %d", n, frame), s.since(frame), nil, &sum)
	}
	if sum.right[0]*100 < sum.total[0]*95 {
		t.Errorf("%d of %d messages were recovered", sum.right[0], sum.total[0])
	}
}

// A cutRun is what all cuts of TestCuts share.
type cutRun struct {
	f                 *Finder
	cuts, short, loss int
	sum               outcome
}

// since returns the first message from a frame on; 0 if the session begins there, or is over.
func (s *recorded) since(frame int) int {
	for i := range s.truth {
		if s.truth[i].Frame >= frame {
			return i
		}
	}
	return 0
}

// cut recovers what one cut leaves of a session.
func (r *cutRun) cut(t *testing.T, s *recorded, name string, from int, rng *rand.Rand, sum *outcome) {
	to := len(s.messages)
	if r.short > 0 {
		to = min(to, from+r.short)
	}
	var drop func() bool
	if r.loss > 0 {
		drop = func() bool { return rng.IntN(100) < r.loss }
	}
	start := cpu()
	o := s.try(r.f, from, to, -1, drop)
	mark := ""
	if o.right[0]*100 < o.total[0]*95 || o.right[1]*100 < o.total[1]*90 {
		mark = " MISSED"
	}
	if setting("MISSING", 0) != 0 {
		mark += s.missing(&o, from, to)
	}
	t.Logf("%s, %d messages: s2c %d/%d c2s %d/%d, %v, rivals %d, challenge %d, proven %v, feeds %v, %.1fM steps, %v%s",
		name, to-from,
		o.right[0], o.total[0], o.right[1], o.total[1], o.gen.Label(), o.rivals, o.keys.Challenge, o.keys.Proven,
		o.keys.Feeds, float64(o.steps)/(1<<20), cpu()-start, mark)
	if o.wrong != [2]int{} {
		t.Errorf("%s: %v messages are wrong", name, o.wrong)
	}
	for _, w := range o.texts {
		t.Errorf("%s: %s", name, w)
	}
	sum.add(&o)
}

func (o *outcome) add(b *outcome) {
	for sd := range 2 {
		o.right[sd] += b.right[sd]
		o.total[sd] += b.total[sd]
	}
}

// TestForced withholds the right challenge: what comes out is still right, or nothing does.
func TestForced(t *testing.T) {
	f := NewFinder()
	s := loadSessions(t, "q3-68-connect-play-mid", "q3-68-connect-play-mid.pcap")[0]
	step := setting("STEP", 255)
	if reference.Long() {
		step = 101
	}
	for d := 1; d < 256; d += step {
		o := s.try(f, 2300, 2500, int(s.challenge)^d, nil)
		t.Logf("challenge %d: %v of %v", int(s.challenge)^d, o.right, o.total)
		if o.wrong != [2]int{} {
			t.Errorf("challenge %d: %v messages are wrong", int(s.challenge)^d, o.wrong)
		}
	}
}

// TestForeign finds no key in native traffic, which has none.
func TestForeign(t *testing.T) {
	f := NewFinder()
	most := 200
	if testing.Short() {
		most = 40
		f = f.Limited(onlyInput{})
		f.credit.Store(1 << 20)
	}
	for _, s := range loadSessions(t, "q3-71-connect-play-mid", "q3-71-connect-play-mid.pcap") {
		o := s.try(f, 0, min(most, len(s.messages)), -1, nil)
		if o.keys.Challenge >= 0 || o.keys.Verified > 0 {
			t.Errorf("challenge %d, %d messages", o.keys.Challenge, o.keys.Verified)
		}
	}
}

func setting(name string, usual int) int {
	if v, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return v
	}
	return usual
}
