package browsertest

import (
	"maps"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A player looks in the viewer as in the report: in the signs of events and in the plot of his stream.
func TestPlayersLookAlike(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/71-ipv6-chat.pcap"))
	b.run(chromedp.Evaluate(`viewer.panels.open("events")`, nil))
	b.until(linesListed)
	b.until(`document.querySelectorAll("#line .sign").length > 4`)
	const look = `(signs, name) => Object.fromEntries(signs.map(s => [name(s), s.textContent + " " + s.style.color]))`
	events := eval[map[string]string](b, `(`+look+`)([...document.querySelectorAll("#line .sign")], s => s.ariaLabel)`)
	checkNames(t, b, "events with signs")
	if len(events) != 4 {
		t.Fatalf("players in events: %v", events)
	}
	b.run(chromedp.Evaluate(`viewer.panels.open("plot", "length")`, nil))
	b.until(plotDrawn)
	plot := eval[[]string](b, `echarts.getInstanceByDom(document.querySelector(".panel .paper")).getOption().series.map(s => {
		const box = document.createElement("i");
		box.style.color = s.itemStyle.color;
		return s.name + " " + s.symbol + " " + box.style.color;
	})`)
	_, colour, _ := strings.Cut(events["LabBeta"], " ")
	want := []string{
		"LabBeta, stream 0, client to server circle " + colour, "LabBeta, stream 0, server to client emptyCircle " + colour,
	}
	if len(plot) != 2 || plot[0] != want[0] || plot[1] != want[1] {
		t.Errorf("series are %q, want %q", plot, want)
	}
	b.run(chromedp.Navigate(eval[string](b, `document.querySelector("header a.report").href`)))
	b.until(`document.documentElement.dataset.ready === "true"`)
	for _, id := range reportSections {
		b.scrollTo(id)
	}
	b.until(`document.querySelectorAll(".who .sign").length > 3`)
	report := eval[map[string]string](b, `(`+look+`)([...document.querySelectorAll(".who .sign")], s => s.nextElementSibling.textContent)`)
	maps.DeleteFunc(report, func(name, _ string) bool { _, ok := events[name]; return !ok })
	if !maps.Equal(report, events) {
		t.Errorf("the report has %v, the viewer %v", report, events)
	}
}
