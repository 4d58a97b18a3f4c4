package browsertest

import (
	"path/filepath"
	"slices"
	"testing"
)

// A player has one colour in tables, on the map, under Input and in the plots of the match, and no other player has it.
func TestOnePlayerHasOneColour(t *testing.T) {
	t.Parallel()
	files := []string{sample("quake3/68-kicked.dm_68")}
	if name := filepath.Join(reference(), "demos/matches/dm_90__ctf.dm_90"); exists(name) {
		files = append(files, name)
	}
	for _, file := range files {
		b := openReport(t, tall, writeReport(t, file))
		b.until(`[...document.querySelectorAll("#matches .paper, #input .paper")].every(p => p.querySelector("canvas"))`)
		colours := eval[map[string][]string](b, `(() => {
			const found = {};
			const pen = document.createElement("canvas").getContext("2d");
			const take = (name, colour) => { pen.fillStyle = colour; (found[name] ??= new Set()).add(pen.fillStyle); };
			for (const e of document.querySelectorAll(".who")) take(e.querySelector("bdi").textContent, e.querySelector(".sign").style.color);
			for (const paper of document.querySelectorAll("#input .paper")) {
				const option = echarts.getInstanceByDom(paper).getOption();
				const labels = option.yAxis[0].data ?? [];
				option.series[0].data.forEach((d, i) => d?.itemStyle && labels[i] && take(labels[i].replace(/ \(.*/, ""), d.itemStyle.color));
				if (!labels.length) option.series.forEach((s) => take(s.name.replace(/ \(.*/, ""), s.color));
			}
			for (const paper of document.querySelectorAll("#matches .paper")) {
				for (const s of echarts.getInstanceByDom(paper).getOption().series) {
					if (s.name in found) take(s.name, s.color ?? s.lineStyle.color);
				}
			}
			return Object.fromEntries(Object.entries(found).map(([name, set]) => [name, [...set]]));
		})()`)
		var all []string
		for name, list := range colours {
			if len(list) != 1 {
				t.Errorf("%s: %s has the colours %v", file, name, list)
			}
			if len(colours) <= 16 && slices.Contains(all, list[0]) {
				t.Errorf("%s: %s has the colour of another, %s", file, name, list[0])
			}
			all = append(all, list...)
		}
		if len(colours) < 2 {
			t.Errorf("%s: the page has %d players", file, len(colours))
		}
	}
}

// The table of who killed whom has the kills of each player, and those of team mates.
func TestWhoKilledWhomAddsUp(t *testing.T) {
	t.Parallel()
	file := filepath.Join(reference(), "demos/matches/dm_90__ctf.dm_90")
	if !exists(file) {
		t.Skip("the reference recordings are not here")
	}
	b := openReport(t, tall, writeReport(t, file))
	sums := eval[map[string]float64](b, `Object.fromEntries([...document.querySelectorAll(".matrix tbody tr")].map(row =>
		[row.querySelector("bdi").textContent, [...row.querySelectorAll("td:not(.self)")].reduce((sum, cell) => sum + (Number(cell.textContent) || 0), 0)]))`)
	players := 0
	for _, r := range printedOf(t, file).rows["match"] {
		players++
		if want := r.number("kills") + r.number("team_kills"); sums[r["name"]] != want {
			t.Errorf("%s: %v in the table, %v kills", r["name"], sums[r["name"]], want)
		}
	}
	if players != len(sums) || players < 15 {
		t.Errorf("%d players are in the table, -z match has %d", len(sums), players)
	}
}
