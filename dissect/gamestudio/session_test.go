package gamestudio_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/samples/gamestudio/wire"
)

// sessionOf returns a generated session of an edition.
func sessionOf(tb testing.TB, edition string, coding wire.Coding) []wire.Step {
	tb.Helper()
	steps, err := wire.Session(tables(tb), edition, coding)
	if err != nil {
		tb.Fatal(err)
	}
	if len(steps) < 30 {
		tb.Fatalf("a session of %d packets", len(steps))
	}
	return steps
}

// sent makes a test's datagrams of generated ones.
func sent(list []wire.Datagram) []enginetest.Datagram {
	var datagrams []enginetest.Datagram
	for _, d := range list {
		datagrams = append(datagrams, enginetest.Datagram{FromClient: d.FromClient, Payload: d.Payload})
	}
	return datagrams
}

// A carrier is a way in which a session can travel.
type carrier struct {
	name string
	make func([]wire.Step) []wire.Datagram
}

var carriers = []carrier{
	{"raw", wire.Raw},
	{"directplay4", wire.OverDirectPlay4},
	{"directplay8", wire.OverDirectPlay8},
	{"enet 1.3", func(s []wire.Step) []wire.Datagram { return wire.OverENet(s, false, false) }},
	{"enet 1.3 with checksums", func(s []wire.Step) []wire.Datagram { return wire.OverENet(s, false, true) }},
	{"enet 1.0", wire.OverENetFirst},
	{"enet 1.2", func(s []wire.Step) []wire.Datagram { return wire.OverENet(s, true, false) }},
}

// checkWhole asserts that a record of a generated session has just the messages that were sent, and that
// nothing is left over but what no public text settles.
func checkWhole(t *testing.T, r *enginetest.Record, d wire.Datagram) {
	t.Helper()
	var want []string
	for _, m := range d.Messages {
		want = append(want, strings.ToLower(m))
	}
	if diff := cmp.Diff(want, r.Names()); diff != "" {
		t.Errorf("messages (-want +got):\n%s%s", diff, r.Line)
	}
	if strings.Contains(r.Line, "undecoded") || r.Gamestudio["undetermined"] != nil {
		t.Errorf("something is left over: %s", r.Line)
	}
	for _, e := range r.Expert {
		if e.Code != "undetermined" {
			t.Errorf("entry %s: %s", e.Code, r.Line)
		}
	}
	direction := "server_to_client"
	if d.FromClient {
		direction = "client_to_server"
	}
	if r.Direction != direction {
		t.Errorf("direction %s: %s", r.Direction, r.Line)
	}
}

// TestSessions decodes generated sessions of both editions over every transport.
func TestSessions(t *testing.T) {
	t.Parallel()
	for _, c := range carriers {
		for _, edition := range []string{wire.Late, wire.Old2002} {
			for _, coding := range []wire.Coding{{}, {FixedCoordinates: true}} {
				name := c.name + " " + edition
				if coding.FixedCoordinates {
					name += " fixed"
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					list := c.make(sessionOf(t, edition, coding))
					for i, r := range enginetest.All(t, protocols(), asEdition(edition), sent(list)...) {
						checkWhole(t, r, list[i])
						if r.Gamestudio != nil && r.Gamestudio["edition"] != edition {
							t.Errorf("edition %v", r.Gamestudio["edition"])
						}
					}
				})
			}
		}
	}
}

// TestEditionIsSeen reads a session of the 2002 edition, which its SVC_INFO gives away.
func TestEditionIsSeen(t *testing.T) {
	t.Parallel()
	list := wire.Raw(sessionOf(t, wire.Old2002, wire.Coding{}))
	for i, r := range enginetest.All(t, protocols(), "gamestudio", sent(list)...) {
		checkWhole(t, r, list[i])
	}
}

// TestRecognisedOverDirectPlay8 reads a session that is recognised as GameStudio's by its packets alone.
func TestRecognisedOverDirectPlay8(t *testing.T) {
	t.Parallel()
	for _, edition := range []string{wire.Late, wire.Old2002} {
		list := wire.OverDirectPlay8(sessionOf(t, edition, wire.Coding{}))
		for i, r := range enginetest.All(t, protocols(), "", sent(list)...) {
			checkWhole(t, r, list[i])
			want := "directplay8"
			if len(list[i].Messages) > 0 {
				want = "gamestudio"
			}
			if r.Protocol != want {
				t.Errorf("%s: protocol %q, want %q", edition, r.Protocol, want)
			}
		}
	}
}

// TestSigned reads sessions whose frames are signed.
func TestSigned(t *testing.T) {
	t.Parallel()
	for _, options := range []uint32{wire.FastSigned, wire.FullSigned} {
		list := wire.Signed(wire.OverDirectPlay8(sessionOf(t, wire.Late, wire.Coding{})), options)
		for i, r := range enginetest.All(t, protocols(), "", sent(list)...) {
			checkWhole(t, r, list[i])
		}
	}
}

// TestRecognisedOverDirectPlay4 does the same for DirectPlay 4, whose messages have a mark.
func TestRecognisedOverDirectPlay4(t *testing.T) {
	t.Parallel()
	for _, edition := range []string{wire.Late, wire.Old2002} {
		list := wire.OverDirectPlay4(sessionOf(t, edition, wire.Coding{}))
		for i, r := range enginetest.All(t, protocols(), "", sent(list)...) {
			checkWhole(t, r, list[i])
			if r.Protocol != "gamestudio" || r.Gamestudio["directplay4"].(map[string]any)["token"] != float64(0xfab) {
				t.Errorf("%s: %s", edition, r.Line)
			}
		}
	}
}

// TestTransportsAlone dissects sessions over transports for the transports' sake.
func TestTransportsAlone(t *testing.T) {
	t.Parallel()
	for _, c := range carriers[3:] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			list := c.make(sessionOf(t, wire.Late, wire.Coding{}))
			for _, r := range enginetest.All(t, protocols(), "", sent(list)...) {
				if r.Protocol != "enet" || r.Gamestudio != nil || len(r.Expert) > 0 || strings.Contains(r.Line, "undecoded") {
					t.Errorf("got %s", r.Line)
				}
				if ok, has := r.Enet["checksum_ok"]; has != strings.Contains(c.name, "checksum") || has && ok != true {
					t.Errorf("checksum_ok is %v: %s", ok, r.Line)
				}
			}
		})
	}
}

// TestHeadless finds transports without their handshake. Of DirectPlay 8 what comes before both sides have spoken
// is not known: plain frames prove nothing until one answers another.
func TestHeadless(t *testing.T) {
	t.Parallel()
	for _, c := range carriers[2:] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			list := c.make(sessionOf(t, wire.Late, wire.Coding{}))[14:]
			want, answered := strings.Fields(c.name)[0], false
			for i, r := range enginetest.All(t, protocols(), "", sent(list)...) {
				answered = answered || list[i].FromClient != list[0].FromClient
				if r.Protocol != want && (answered || r.Protocol != "" || want != "directplay8") {
					t.Errorf("datagram %d: protocol %q, want %q", i, r.Protocol, want)
				}
			}
		})
	}
}

// TestImpaired loses, doubles and swaps datagrams of sessions: what travels whole is read as before, and
// what a lost datagram was part of is said to be missing or stays out.
func TestImpaired(t *testing.T) {
	t.Parallel()
	for _, c := range carriers {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var list []wire.Datagram
			known := map[string]bool{}
			for i, d := range c.make(sessionOf(t, wire.Late, wire.Coding{})) {
				for _, m := range d.Messages {
					known[strings.ToLower(m)] = true
				}
				switch {
				case i%11 == 7: // lost
				case i%7 == 5:
					list = append(list, d, d)
				case i%9 == 8 && len(list) > 4:
					list = slices.Insert(list, len(list)-1, d)
				default:
					list = append(list, d)
				}
			}
			for i, r := range enginetest.All(t, protocols(), "gamestudio", sent(list)...) {
				for _, name := range r.Names() {
					if !known[name] {
						t.Errorf("a message that nobody sent: %s", r.Line)
					}
				}
				if strings.Contains(r.Line, `"undecoded"`) || r.Gamestudio["undetermined"] != nil {
					t.Errorf("datagram %d: something is left over: %s", i, r.Line)
				}
				for _, e := range r.Expert {
					if e.Severity == "error" {
						t.Errorf("datagram %d: %s", i, r.Line)
					}
				}
			}
		})
	}
}
