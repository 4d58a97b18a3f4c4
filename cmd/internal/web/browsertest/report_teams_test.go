package browsertest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A standing is a player in the panel of the replay.
type standing struct {
	Name, Sign string
	Drawn      bool // the picture has his colour
}

// standings goes to a second and reads the panel.
func (b *tab) standings(second float64) map[string]standing {
	b.t.Helper()
	hash := fmt.Sprintf("#replay=%.2f", second)
	b.run(chromedp.Evaluate(`location.hash = "`+hash+`"`, nil))
	b.until(fmt.Sprintf(`document.querySelector("#replay canvas")?.dataset.drawn === "%.2f"`, second))
	byName := map[string]standing{}
	for _, s := range eval[[]standing](b, `(() => {
		const canvas = document.querySelector("#replay canvas");
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const inks = new Set();
		for (let i = 0; i < data.length; i += 4) inks.add("rgb(" + data.slice(i, i + 3).join(", ") + ")");
		return [...document.querySelectorAll("#replay .replay-players li")].map(li => ({
			Name: li.querySelector("bdi, .who").textContent.replace(/^[●■◆▲]/u, ""),
			Sign: li.querySelector(".sign").textContent,
			Drawn: inks.has(getComputedStyle(li.querySelector(".sign")).color),
		}));
	})()`) {
		byName[strings.TrimSpace(s.Name)] = s
	}
	return byName
}

const (
	redSigns  = "◆▲"
	blueSigns = "●■"
)

// Nobody takes the flag of his own team: whoever has one is drawn in the colour of the other team at that time, however
// often teams are changed.
func TestReplayHasTheTeamsOfTheMoment(t *testing.T) {
	t.Parallel()
	capture := filepath.Join(reference(), "captures", "teeworlds", "tw07-ctf3.pcap")
	if !exists(capture) {
		t.Skip("the reference captures are not here")
	}
	b := openReport(t, desk, writeReport(t, capture))
	const enough = 6
	taken, checked := map[string]bool{}, 0
	for line := range strings.Lines(output(t, "events", "--merge", capture, "--json")) {
		var e struct {
			Event, Action, Flag string
			Time                float64 `json:"time_relative"`
			Client              struct{ Name string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event != "flag" || e.Action != "taken" {
			continue
		}
		taken[e.Flag] = true
		want := map[string]string{"red": blueSigns, "blue": redSigns}[e.Flag]
		s := b.standings(float64(int(e.Time*10)+3) / 10)[e.Client.Name]
		if s.Sign == "" || !strings.Contains(want, s.Sign) || !s.Drawn {
			t.Errorf("%.1f s: %s has taken the %s flag and is %+v, want one of %s", e.Time, e.Client.Name, e.Flag, s, want)
		}
		if checked++; checked == enough {
			break
		}
	}
	if len(taken) != 2 {
		t.Errorf("flags taken: %v, want both", taken)
	}
}

// Axis and allies are called so beside the picture, too, and who joins the others gets their sign.
func TestReplayOfAxisAndAllies(t *testing.T) {
	t.Parallel()
	capture := filepath.Join(reference(), "captures", "mohaa", "mohaa-8-play.pcap")
	if !exists(capture) {
		t.Skip("the reference captures are not here")
	}
	b := openReport(t, desk, writeReport(t, capture))
	const joins = 17.2 // seconds until Söldner joins axis
	for second, want := range map[float64]string{joins - 0.5: blueSigns, joins + 0.5: redSigns} {
		s := b.standings(second)["Söldner"]
		if s.Sign == "" || !strings.Contains(want, s.Sign) {
			t.Errorf("%.1f s: %+v, want one of %s", second, s, want)
		}
	}
	score := eval[string](b, `document.querySelector("#replay .replay-score").textContent`)
	if !strings.Contains(score, "axis") || !strings.Contains(score, "allies") || strings.Contains(score, "red") {
		t.Errorf("the panel says %q", score)
	}
}
