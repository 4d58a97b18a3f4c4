package browsertest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// clickPoint clicks on a point of a chart, given by its value on both axes.
func (b *tab) clickPoint(paper, x, y string) {
	b.t.Helper()
	at := steady[[]float64](b, fmt.Sprintf(`(paper => {
		const chart = echarts.getInstanceByDom(paper);
		const box = paper.getBoundingClientRect();
		const [x, y] = chart.convertToPixel({ gridIndex: 0 }, [%s, %s]);
		return [box.left + x, box.top + y];
	})(%s)`, x, y, paper))
	b.run(chromedp.MouseClickXY(at[0], at[1]))
}

// A click on a point shows the record that it comes from, as the list of the command has it, with its number.
func TestReportPointsLeadToFrames(t *testing.T) {
	t.Parallel()
	file := sample("quake3/68-loss.pcap")
	b := openReport(t, desk, writeReport(t, file))
	list := strings.Split(output(t, file), "\n")
	info := func(frame int) string {
		for _, line := range list {
			if cells := strings.Fields(line); len(cells) > 0 && cells[0] == fmt.Sprint(frame) {
				return line
			}
		}
		return ""
	}
	check := func(section string, frame int) {
		t.Helper()
		b.until(`document.querySelector("#` + section + ` .around tr.now") !== null`)
		cells := eval[[]string](b, `[...document.querySelector("#`+section+` .around tr.now").cells].map(c => c.innerText)`)
		if line := info(frame); cells[0] != fmt.Sprint(frame) || line == "" ||
			!strings.Contains(line, strings.TrimSuffix(cells[6], "...")) {
			t.Errorf("%s: the page shows %q, the list %q", section, cells, line)
		}
		text := eval[string](b, `document.querySelector("#`+section+` .around").innerText`)
		if want := fmt.Sprintf("#frame=%d", frame); !strings.Contains(text, want) ||
			!strings.Contains(text, fmt.Sprintf("--frames %d 68-loss.pcap", frame)) {
			t.Errorf("%s: neither the viewer's address nor the command: %q", section, text)
		}
	}

	b.scrollTo("timeline")
	const signs = `echarts.getInstanceByDom(document.querySelector("#timeline .paper")).getOption().series.find(s => s.name === "deaths").data`
	frame := eval[int](b, signs+`[0].e.frame`)
	const offset = 9 // pixels below the middle of the lane
	at := steady[[]float64](b, `(paper => {
		const [x, y] = echarts.getInstanceByDom(paper).convertToPixel({ gridIndex: 0 }, `+signs+`[0].value);
		const box = paper.getBoundingClientRect();
		return [box.left + x, box.top + y];
	})(document.querySelector("#timeline .paper"))`)
	b.run(chromedp.MouseClickXY(at[0], at[1]+offset))
	check("timeline", frame)

	b.scrollTo("lagometer")
	const second = `document.querySelectorAll("#lagometer .paper")[0]`
	point := eval[[]float64](b, `(s => s.data.find(d => d[0] > 3 && d[1] > 0))(echarts.getInstanceByDom(`+second+`).getOption().series[0])`)
	b.clickPoint(second, fmt.Sprint(point[0]+0.05), fmt.Sprint(point[1]))
	b.until(`document.querySelector("#lagometer .around tr.now") !== null`)
	check("lagometer", eval[int](b, `Number(document.querySelector("#lagometer .around tr.now").cells[0].innerText)`))
}

// Times of loss are shades on the time line and the lagometer, as many messages as the statistic counts.
func TestReportShadesLoss(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/68-loss.pcap")))
	b.scrollTo("timeline")
	b.scrollTo("lagometer")
	shown := eval[int](b, `echarts.getInstanceByDom(document.querySelector("#timeline .paper")).getOption().series.find(s => s.name === "loss").data.reduce((sum, d) => sum + d[3], 0)`)
	counted := 0
	for line := range strings.Lines(output(t, sample("quake3/68-loss.pcap"), "-q", "-z", "loss", "--json")) {
		var lost, behind int
		for _, field := range strings.Split(line, ",") {
			_, _ = fmt.Sscanf(field, `"lost":%d`, &lost) // other fields
			_, _ = fmt.Sscanf(field, `"lost_behind":%d`, &behind)
		}
		counted += lost + behind
	}
	if shown != counted || counted == 0 {
		t.Errorf("%d lost messages are shaded, the statistic counts %d", shown, counted)
	}
	if areas := eval[int](b, `echarts.getInstanceByDom(document.querySelector("#lagometer .paper")).getOption().series[0].markArea.data.length`); areas == 0 {
		t.Error("the lagometer has no shades")
	}
}

// The map that a demo carries is drawn without being asked for, and can be switched off; so is a BSP in the pk3 file
// that a client loads.
func TestReportDrawsTheMap(t *testing.T) {
	t.Parallel()
	files := map[string]string{sample("teeworlds/07-ctf.demo"): "ctflab.map"}
	if download := filepath.Join(reference(), "captures", "quake3", "q3-68-download.pcap"); exists(download) {
		files[download] = "labmap.bsp"
	}
	for file, name := range files {
		b := openReport(t, desk, writeReport(t, file))
		b.scrollTo("map")
		if text := eval[string](b, `document.getElementById("map").innerText`); !strings.Contains(text, "from "+name) {
			t.Errorf("%s: the page does not say that it draws %s: %q", file, name, text)
		}
		const picture = `document.querySelector("#map canvas").toDataURL()`
		before := eval[string](b, picture)
		b.run(chromedp.Evaluate(`[...document.querySelectorAll("#map label")].find(l => l.innerText.trim() === "Map").querySelector("input").click()`, nil))
		b.until(picture + " !== " + fmt.Sprintf("%q", before))
	}
}
