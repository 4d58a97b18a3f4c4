package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// What is lost is said of the directions that lost the most; of messages without numbers repetitions are the sign.
func TestAboutLoss(t *testing.T) {
	t.Parallel()
	columns := []column{
		{Key: "stream"},
		{Key: "direction"},
		{Key: "messages"},
		{Key: "lost"},
		{Key: "lost_behind"},
		{Key: "loss_side"},
		{Key: "resent"},
	}
	const up, down = "client_to_server", "server_to_client"
	f := &file{
		Pictures: &timeline.Data{Lagometer: []timeline.Course{{Stream: 0, Player: "Anna"}}},
		Statistics: map[string]*table{"loss": {Columns: columns, Rows: [][]any{
			{int64(0), up, uint64(1000), uint64(0), nil, nil, uint64(0)},
			{int64(0), down, uint64(980), uint64(20), uint64(0), "sender", uint64(0)},
			{int64(1), down, uint64(1000), uint64(1), uint64(50), "receiver", uint64(0)},
			{int64(2), up, uint64(10), uint64(10), nil, "sender", uint64(0)}, // too few
			{int64(3), down, uint64(1192), nil, nil, nil, uint64(148)},
			{int64(4), down, uint64(4374), nil, nil, nil, uint64(1)},
			{int64(5), up, uint64(900), uint64(9), nil, "sender", uint64(0)}, // the fourth
		}}},
	}
	want := []string{
		"148 parts of the server's messages to the client of stream 3 came again: some were lost, or came late.",
		"5.0\u00a0% of the server's messages sent to the client of stream 1 were lost.",
		"2.0\u00a0% of the server's messages sent to Anna were lost.",
	}
	if diff := cmp.Diff(want, f.aboutLoss()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An address in whose name a server is asked is named first thing: the capture was made with 409 such queries, and the
// server answered 22.
func TestAboutVictims(t *testing.T) {
	t.Parallel()
	want := []string{"198.51.100.23 looks like the victim of a reflection attack by way of 192.0.2.10:27960: " +
		"409 queries in its name, up to 38 a second, 387 more than the engine answers."}
	got := made(t, samples+"quake3/71-reflection.pcap").Files[0].aboutQueries()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Nobody leads where all have the same score, or where a score is not known.
func TestStanding(t *testing.T) {
	t.Parallel()
	at := func(name string, score int64) catalogue.ListingScore {
		return catalogue.ListingScore{Name: name, Score: &score}
	}
	lost := func(name string) catalogue.ListingScore { return catalogue.ListingScore{Name: name} }
	type scores = []catalogue.ListingScore
	for _, tt := range []struct {
		winner string
		scores scores
		want   string
	}{
		{"", nil, ""},
		{"", scores{at("A", 3)}, ": A 3"},
		{"", scores{at("A", 3), at("B", 3)}, ": A 3, B 3"},
		{"A", scores{at("A", 3), at("B", -1)}, ": A won, 3 to -1"},
		{"", scores{at("A", 3), lost("B")}, ": A 3, B ?"},
		{"A", scores{at("A", 3), lost("B")}, ": A 3, B ?"},
		{"", scores{at("A", 3), at("B", 2), at("C", 2)}, " with 3 players: A leads with 3"},
		{"A", scores{at("A", 3), at("B", 2), at("C", 2)}, " with 3 players: A won with 3"},
		{"", scores{at("A", 3), at("B", 3), at("C", 2)}, " with 3 players: A and B lead with 3"},
		{"", scores{at("A", 0), at("B", 0), at("C", 0)}, " with 3 players: all are level at 0"},
		{"", scores{at("A", 1), at("B", 1), at("C", 1), at("D", 0)}, " with 4 players: 3 of them lead with 1"},
		{"", scores{at("A", 1), lost("B"), lost("C")}, " with 3 players: A has 1, 2 scores are not known"},
		{"", scores{at("A", 1), at("B", 1), lost("C")}, " with 3 players: A has 1, 1 score is not known"},
		{"", scores{lost("A"), lost("B"), lost("C")}, " with 3 players, whose scores are not known"},
	} {
		m := match{Listing: catalogue.Listing{Winner: tt.winner, Scores: tt.scores}}
		if got := m.standing(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestLasting(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int64]string{
		0: "0 seconds", 1999: "1 second", 18_250: "18 seconds", 60_000: "1:00 minutes",
		1_200_016: "20:00 minutes", -5: "0 seconds",
	} {
		if got := lasting(ms); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
		}
	}
}

func TestProtocolNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, game, want string }{
		{"quake3", "", "Quake III"},
		{"quake3 68", "", "Quake III, protocol 68"},
		{"quake3 91", "", "Quake Live, protocol 91"},
		{"quake3 60", "rtcw", "Return to Castle Wolfenstein, protocol 60"},
		{"teeworlds ddnet", "", "DDNet (Teeworlds)"},
		{"gamestudio over enet", "", "GameStudio over ENet"},
	} {
		if got := protocolName(tt.name, tt.game); got != tt.want {
			t.Errorf("%s of %q: %q, want %q", tt.name, tt.game, got, tt.want)
		}
	}
}
