package recover

import (
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestVector deciphers the two messages of the engine's own cipher in the protocol notes: challenge 0x1234ABCD.
func TestVector(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, clear, coded, command string
		fromClient                  bool
		sequence                    uint32
	}{
		{
			"server", "bf1a31835a7884c290bd8970304cccd93bf6443f4dc45d01", "bf1a3183c828adabdb949009675bf90a89b6241b58b11818",
			`say "100% "`, false, 300,
		},
		{
			"client", "87cdc19782ad33a8a155cd7b3c7b041389f49cc9f695677c8a2f2b324e17b8b6f7f870693a1100",
			"87cdc19782ad33a8a155cd7b2d8e9853bd80ca4f15ae30f523ecd89debf629c3eb38c49dec1763", "print \"hello 50%\n\"", true, 1,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			m := Message{FromClient: row.fromClient, Sequence: row.sequence, Body: unhex(t, row.coded)}
			p, ok := m.prefix()
			if !ok {
				t.Fatal("no prefix")
			}
			s := NewFinder().NewSession(0xCD)
			s.keys.Commands[1-side(row.fromClient)][p.ack] = Command{Text: []byte(row.command), Whole: true, Read: true}
			got, ok := s.Decipher(nil, &m, false)
			if want := unhex(t, row.clear); !ok || !slices.Equal(got, want) {
				t.Errorf("deciphered %x, %v\nwant %x", got, ok, want)
			}
		})
	}
}

// noise makes a session of random bodies after plausible beginnings.
func noise(rng *rand.Rand, n int) []Message {
	var list []Message
	for i := range n {
		m := Message{FromClient: i%2 == 0, Sequence: uint32(1000 + i), At: int64(i) * 25}
		var w huffcodec.Writer
		w.Reset(huffcodec.Static)
		if m.FromClient {
			w.Bits(467, 32)
			w.Bits(uint32(990+i), 32)
		}
		w.Bits(uint32(5+i/200), 32)
		w.Byte(7)
		m.Body = slices.Clone(w.Data())
		for range 30 + rng.IntN(80) {
			m.Body = append(m.Body, byte(rng.Uint32()))
		}
		list = append(list, m)
	}
	return list
}

// TestNoise finds nothing in noise, and stops in time: after an eighth of the steps that a session has, or
// after all of them.
func TestNoise(t *testing.T) {
	t.Parallel()
	f := NewFinder()
	seeds, part := uint64(1), int64(8)
	if os.Getenv("Q3DISSECT_LONG") == "whole" {
		seeds, part = 2, 1
	}
	for seed := range seeds {
		s := f.NewSession(-1)
		s.allowed /= part
		for _, m := range noise(rand.New(rand.NewPCG(seed, 1)), 100) {
			s.Add(m)
		}
		s.Solve()
		if k := s.Keys(); k.Challenge >= 0 || k.Verified > 0 {
			t.Errorf("seed %d: challenge %d and %d messages found in noise", seed, k.Challenge, k.Verified)
		}
		if most := s.allowed + 2*stepsSearch; s.spent > most {
			t.Errorf("seed %d: %d steps, at most %d are allowed", seed, s.spent, most)
		}
	}
}

// TestLimited bounds the total work on sessions without success.
func TestLimited(t *testing.T) {
	t.Parallel()
	f := NewFinder().Limited(onlyInput{})
	f.credit.Store(1 << 20)
	messages := noise(rand.New(rand.NewPCG(9, 9)), 60)
	var spent int64
	for range 8 {
		s := f.NewSession(-1)
		for _, m := range messages {
			s.Add(m)
		}
		s.Solve()
		spent += s.spent
	}
	if most := int64(1<<20 + 8*60*sharedEarly + 2*stepsSearch); spent > most {
		t.Errorf("%d steps for 8 sessions, at most %d are allowed", spent, most)
	}
}

// TestSuffices makes sure that no command is taken to be longer than it may be.
func TestSuffices(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"respawn 19866":                               false,
		"respawn 19866respawn 19866respawn 19":        false,
		"cs 547 \"n\\Player\\t\\0\\model\\sarge\\hmo": true,
	} {
		if got := Suffices([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	var b []byte
	for i := 0; i+1 < len(s); i += 2 {
		b = append(b, nibble(s[i])<<4|nibble(s[i+1]))
	}
	return b
}

func nibble(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

// TestManySessions counts what sessions without a key cost together: SESSIONS sets how many are looked at, each with 30
// messages of noise. With -v it prints what docs/protocols/cold-start-figures.md has.
func TestManySessions(t *testing.T) {
	sessions := setting("SESSIONS", 0)
	if sessions == 0 {
		t.Skip("SESSIONS says how many")
	}
	f := NewFinder().Limited(onlyInput{})
	rng := rand.New(rand.NewPCG(7, 7))
	var made [1000][]Message // to make noise costs more than to give it up
	for i := range min(sessions, len(made)) {
		made[i] = noise(rng, 30)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, spent, given := cpu(), int64(0), 0
	for i := range sessions {
		s := f.NewSession(-1)
		for _, m := range made[i%len(made)] {
			s.Add(m)
		}
		s.Solve()
		if s.keys.Challenge >= 0 {
			t.Fatal("a key was found in noise")
		}
		if spent += s.spent; s.keys.GaveUp {
			given++
		}
	}
	used := cpu() - start
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d sessions: %d million bytes parsed, %v of CPU, %d given up, %d KiB kept", sessions, spent>>20, used, given,
		(int64(after.HeapAlloc)-int64(before.HeapAlloc))>>10)
	if most := int64(sharedBase) + sharedFirst*sharedEarly + int64(sessions)*30*sharedMore + stepsSearch; spent > most {
		t.Errorf("%d bytes were parsed, want at most %d", spent, most)
	}
}

// onlyInput is the share of the only input of a run.
type onlyInput struct{}

func (onlyInput) Left() int64 { return sharedBase + sharedFirst*sharedEarly }
func (onlyInput) Spend(int64) {}

// spentRun is the share of an input when those before it have left nothing.
type spentRun struct{ onlyInput }

func (spentRun) Left() int64 { return 0 }

// Without work that is left nothing is searched, and the session says so.
func TestNothingLeft(t *testing.T) {
	f := NewFinder().Limited(spentRun{})
	for range 100 {
		f.hear()
	}
	s := f.NewSession(-1)
	s.spent = 1
	if f.pay(s) || f.credit.Load() > 0 {
		t.Errorf("%d bytes may be parsed", f.credit.Load())
	}
}
