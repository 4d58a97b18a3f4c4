package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/internal/web"
	"github.com/q3dissect/q3dissect/dissect/view/timeline"
)

// The page of an hour of eight players is smaller than four megabytes. Their paths are random, which packs worse
// than any player walks.
func TestAnHourOfEightPlayers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it packs an hour of numbers")
	}
	const players, seconds, perSecond = 8, 3600, 10
	lot := rand.New(rand.NewPCG(1, 2))
	g := &timeline.Game{Server: "10.0.0.1:27960", Protocol: "quake3", View: "above", Maps: []timeline.Map{{Name: "q3dm6"}}}
	d := &timeline.Data{Clock: timeline.Clock{Kind: "capture", Length: seconds}, Games: []*timeline.Game{g}}
	for n := range players {
		g.Players = append(g.Players, &timeline.Player{Client: int64(n), Name: fmt.Sprintf("^%dplayer", n), Clean: "player"})
		track := timeline.Track{Player: n, Step: 1.0 / perSecond}
		step := func() int32 { return int32(lot.NormFloat64() * 32) } // 320 units a second
		for range seconds * perSecond {
			track.Times = append(track.Times, 1)
			track.X, track.Y, track.Z = append(track.X, step()), append(track.Y, step()), append(track.Z, step()/4)
		}
		g.Tracks = append(g.Tracks, track)
		for _, direction := range []string{"client_to_server", "server_to_client"} {
			c := timeline.Course{Stream: n, Direction: direction, Step: 4}
			for i := range 900 {
				value := lot.Float64() * 100
				c.Frames = append(c.Frames, uint64(i*1000))
				c.Times, c.Messages, c.Lost, c.Behind = append(c.Times, float64(4*i)), append(c.Messages, lot.Uint32N(200)),
					append(c.Lost, lot.Uint32N(3)), append(c.Behind, lot.Uint32N(3))
				for _, list := range []*[]*float64{&c.Interval, &c.IntervalMax, &c.BaseAge, &c.RoundTrip} {
					*list = append(*list, &value)
				}
			}
			d.Lagometer = append(d.Lagometer, c)
		}
	}
	for i := range 20_000 {
		p, q := lot.IntN(players), lot.IntN(players)
		at := []int32{lot.Int32N(4000), lot.Int32N(4000), lot.Int32N(500)}
		g.Events = append(g.Events, timeline.Event{
			Time: float64(i) * 0.18, Frame: uint64(i * 100), Kind: "kill",
			Info: "somebody killed another (rocket_splash)", Player: &p, Other: &q, Place: at, From: at,
		})
	}
	for i := range 5000 {
		d.Excerpt = append(d.Excerpt, timeline.Line{
			Frame: uint64(i * 400), Time: float64(i) * 0.72, Stream: lot.IntN(players), Direction: "server_to_client",
			Length: lot.IntN(900), Protocol: "quake3 68", Info: fmt.Sprintf("snapshot %d Δ%d: %d entities; print \"player %d "+
				"was railed by player %d\"", lot.IntN(3_600_000), lot.IntN(4), lot.IntN(60), lot.IntN(players), lot.IntN(players)),
		})
	}
	for n := range players {
		a := timeline.Aim{Stream: n, Kind: "view", Client: n, Count: 1500, Step: 25, Reach: 300}
		for range 24 {
			v := lot.Float64() * 200
			a.Mean = append(a.Mean, &v)
		}
		for i := range 1500 {
			a.Times, a.Frames, a.Turns = append(a.Times, float64(i)*2.4), append(a.Frames, uint64(i*900)), append(a.Turns,
				float64(lot.IntN(1800))/10)
		}
		d.Aim = append(d.Aim, a)
	}
	r := &Report{document: document{SchemaVersion: schemaVersion, Files: []*file{{Name: "hour.pcap", Pictures: d}}}}
	var page bytes.Buffer
	if err := r.Write(&page); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, of which ECharts are %d", page.Len(), len(web.Echarts()))
	if page.Len() > 4e6 {
		t.Errorf("the page has %d bytes", page.Len())
	}
}

// A page has a content security policy, and its texts cannot end a script.
func TestPage(t *testing.T) {
	t.Parallel()
	const markup = `</script><script>alert(1)</script>`
	r := &Report{document: document{
		SchemaVersion: schemaVersion,
		Files:         []*file{{Name: markup, Words: []string{markup}, Pictures: &timeline.Data{}}},
	}}
	var page bytes.Buffer
	if err := r.Write(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, want := range []string{`default-src 'none'; script-src 'sha256-`, "<title>script&gt; · q3dissect</title>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	for _, never := range []string{"alert(1)", "unsafe-inline", "unsafe-eval", "http://localhost", " src="} {
		if strings.Contains(strings.Replace(text, string(web.Echarts()), "", 1), never) {
			t.Errorf("%q is in the page", never)
		}
	}
	if n := strings.Count(text, "</script>"); n != 3 {
		t.Errorf("scripts end %d times, want 3", n)
	}
}
