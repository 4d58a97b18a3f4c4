package browsertest

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A spot is a place in a picture that is clicked on: an expression that gives [x, y] in the window.
type spot struct{ name, section, at string }

// inChart is the middle of the first grid of a chart, or so many pixels below a point of a series.
func inChart(section, title, point string, below int) spot {
	return spot{title, section, fmt.Sprintf(`(() => {
		const figure = [...document.querySelectorAll("#%s figure")].find(f => f.querySelector(".title").textContent.startsWith(%q));
		const paper = figure.querySelector(".paper");
		paper.scrollIntoView({ behavior: "instant", block: "center" });
		const chart = echarts.getInstanceByDom(paper);
		const box = paper.getBoundingClientRect();
		const grid = chart.getModel().getComponent("grid", 0).coordinateSystem.getRect();
		const point = %s;
		const [x, y] = point ? chart.convertToPixel({ gridIndex: 0 }, point) : [grid.x + grid.width / 2, grid.y + grid.height / 2];
		return [box.left + x, box.top + y + %d];
	})()`, section, title, point, below)}
}

// onMap is the middle of a place of the map over which the page has something to say: a kill, or a way.
func onMap(name, status string) spot {
	return spot{name, "map", `(() => {
		const stage = document.querySelector("#map .stage");
		stage.scrollIntoView({ behavior: "instant", block: "center" });
		const box = stage.getBoundingClientRect();
		const status = document.querySelector("#map [role=status]");
		const hits = [];
		for (let y = 2; y < box.height; y += 3) {
			for (let x = 2; x < box.width; x += 3) {
				const [clientX, clientY] = [box.left + x, box.top + y];
				stage.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
				if (stage.style.cursor === "pointer" && ` + status + `.test(status.textContent)) hits.push({ text: status.textContent, at: [clientX, clientY] });
			}
		}
		const most = hits.map(h => h.text).sort((a, b) => hits.filter(h => h.text === b).length - hits.filter(h => h.text === a).length)[0];
		const same = hits.filter(h => h.text === most); // far from its edge
		return same.length ? same[same.length >> 1].at : [];
	})()`}
}

// lossSpots are places in every picture of 68-loss.pcap whose points come from records.
var lossSpots = []spot{
	inChart("matches", "Kills less suicides over time", "null", 0),
	inChart("timeline", "What happened when", `chart.getOption().series.find(s => s.name === "deaths").data[0].value`, 9),
	onMap("a kill", "/frame \\d/"),
	onMap("a way", "/\\d: [A-Z]\\w+$|\\): [A-Z]\\w+$/"),
	inChart("lagometer", "How messages travelled: Server to", "null", 0),
	inChart("bits", "Bytes a second", "null", 0),
}

var oobSpots = []spot{inChart("queries", "Remote control (rcon) over time", `chart.getOption().series.find(s => s.name === "commands").data[0].value`, -6)}

var aimSpots = []spot{inChart("input", "How far the view turned", `chart.getOption().series[0].data[0].slice(0, 2)`, 0)}

// click clicks on a spot of the page.
func (b *tab) click(s spot) {
	b.t.Helper()
	b.scrollTo(s.section)
	b.run(chromedp.Evaluate(`document.querySelectorAll(".around button").forEach(b => b.textContent === "Close" && b.click())`, nil))
	at := steady[[]float64](b, s.at)
	if len(at) != 2 {
		b.t.Fatalf("%s: there is nothing to click on", s.name)
	}
	b.run(chromedp.MouseClickXY(at[0], at[1]))
}

// A click on any picture shows the record there with the line that the list has of it.
func TestEveryPictureLeadsToARecord(t *testing.T) {
	t.Parallel()
	for file, spots := range map[string][]spot{
		"quake3/68-loss.pcap": lossSpots, "quake3/68-natrebind.pcap": aimSpots,
		"quake3/oob.pcap": oobSpots,
	} {
		b := openReport(t, look{width: 1280, height: 1100}, writeReport(t, sample(file)))
		list := map[string]string{}
		for line := range strings.Lines(output(t, sample(file))) {
			if cells := strings.Fields(line); len(cells) > 0 {
				list[cells[0]] = line
			}
		}
		for _, s := range spots {
			b.click(s)
			now := `document.querySelector("#` + s.section + ` .around tr.now")`
			b.until(now + ` !== null`)
			cells := eval[[]string](b, `[...`+now+`.cells].map(c => c.innerText)`)
			if line := list[cells[0]]; line == "" || !strings.Contains(line, strings.TrimSuffix(cells[6], "...")) {
				t.Errorf("%s of %s: the page shows %q, the list %q", s.name, file, cells, line)
			}
		}
	}
}

// In the report that the viewer's server makes, the record below a picture leads to the viewer, and a field to the list
// of its records.
func TestEveryPictureLeadsToTheViewer(t *testing.T) {
	t.Parallel()
	b := openViewer(t, look{width: 1280, height: 1100}, sample("quake3/68-loss.pcap"))
	b.run(chromedp.Navigate(eval[string](b, `document.querySelector("header a.report").href`)))
	b.until(`document.documentElement.dataset.ready === "true"`)
	var links []string
	for _, s := range lossSpots {
		b.click(s)
		link := `document.querySelector("#` + s.section + ` .around tr.now a")`
		b.until(link + ` !== null`)
		links = append(links, eval[string](b, link+`.href + " " + `+link+`.textContent`))
	}
	b.scrollTo("bits")
	b.click(inChart("bits", "The fields with the most bits", `[chart.getOption().series[0].data[0].value / 2, 0]`, 0))
	b.until(`document.querySelector("#bits .around a") !== null`)
	filter := eval[string](b, `document.querySelector("#bits .around a").href`)
	for _, link := range links[:2] { // one page serves them all
		address, number, _ := strings.Cut(link, " ")
		b.run(chromedp.Navigate(address))
		b.until(fmt.Sprintf(`globalThis.viewer && viewer.record && viewer.record.number === %s`, number))
	}
	for _, link := range links {
		if address, number, _ := strings.Cut(link, " "); !strings.HasSuffix(address, "view.html#frame="+number) {
			t.Errorf("a picture leads to %s for the record %s", address, number)
		}
	}
	_, field, _ := strings.Cut(filter, "#filter=")
	if field, _ = url.QueryUnescape(field); field == "" {
		t.Fatalf("the field leads to %s", filter)
	}
	rows := strings.Count(output(t, sample("quake3/68-loss.pcap"), "-Y", field), "\n")
	b.run(chromedp.Navigate(filter))
	b.until(fmt.Sprintf(`globalThis.viewer && viewer.status.done && viewer.list.many === %d`, rows))
}

// Every picture is saved as PNG and SVG, and has its numbers below it: a table with the rows and values of the CSV.
func TestEveryPictureIsSaved(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"quake3/68-loss.pcap": 8, "quake3/oob.pcap": 4, "teeworlds/07-ctf.demo": 6} {
		b := openReport(t, desk, writeReport(t, sample(file)))
		for _, id := range reportSections {
			b.scrollTo(id)
		}
		saved := 0
		for _, f := range eval[[]struct{ Title, Wrong, SVG string }](b, savedFigures) {
			if f.Wrong != "" {
				t.Errorf("%s, %s: %s", file, f.Title, f.Wrong)
			}
			if f.SVG == "" { // a note says why there is nothing to draw
				continue
			}
			saved++
			if shapes, err := shapesOf(f.SVG); err != nil || shapes < 5 {
				t.Errorf("%s, %s: the SVG has %d shapes, %v", file, f.Title, shapes, err)
			}
		}
		if saved < least {
			t.Errorf("%s: %d pictures are saved, want at least %d", file, saved, least)
		}
	}
}

// shapesOf counts the elements of a drawing.
func shapesOf(svg string) (n int, err error) {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if e, ok := token.(xml.StartElement); ok {
			if n == 0 && e.Name.Local != "svg" {
				return 0, fmt.Errorf("a drawing begins with %s", e.Name.Local)
			}
			n++
		}
	}
}

// savedFigures saves every picture with its numbers and returns what is wrong with each.
const savedFigures = `(async () => {
	let saved = [];
	URL.createObjectURL = (blob) => { saved.push(blob); return "data:,"; };
	HTMLAnchorElement.prototype.click = function () {};
	const wait = async (count) => { while (saved.length < count) await new Promise(requestAnimationFrame); };
	const parse = (text) => {
		const rows = [[""]];
		let quoted = false;
		for (let i = 0; i < text.length; i++) {
			const [row, c] = [rows.at(-1), text[i]];
			if (quoted && c === '"' && text[i + 1] === '"') { row[row.length - 1] += '"'; i++; }
			else if (c === '"') quoted = !quoted;
			else if (c === "," && !quoted) row.push("");
			else if (c === "\r" && !quoted) { i++; rows.push([""]); }
			else row[row.length - 1] += c;
		}
		rows.pop();
		return rows;
	};
	let svg = "";
	const inspect = async (figure) => {
		svg = "";
		if (!figure.querySelector("canvas")) return figure.querySelector(".nothing, p") ? "" : "is empty and does not say why";
		saved = [];
		const press = (label) => [...figure.querySelectorAll("button")].find(b => b.textContent === label).click();
		press("PNG");
		await wait(1);
		press("SVG");
		press("Save CSV");
		await wait(3);
		const picture = await createImageBitmap(saved[0]);
		if (picture.width < 300 || picture.height < 60) return "the PNG is " + picture.width + " by " + picture.height;
		svg = await saved[1].text();
		const [heads, ...rows] = parse(await saved[2].text());
		const details = figure.querySelector("details.behind");
		details.open = true;
		while (!details.querySelector("table")) await new Promise(requestAnimationFrame);
		details.querySelector("button.more")?.click();
		const used = heads.map((_, i) => i).filter(i => rows.some(r => r[i] !== ""));
		const body = [...details.querySelector("tbody").rows];
		details.open = false;
		if (!rows.length || body.length !== rows.length) return "the table has " + body.length + " rows, the CSV " + rows.length;
		for (const at of [0, rows.length >> 1, rows.length - 1]) {
			const shown = [...body[at].cells].map(c => c.textContent);
			const want = used.map(i => rows[at][i]);
			const same = shown.length === want.length && want.every((w, i) => {
				if (w === shown[i] || w === "'" + shown[i]) return true;
				const [a, b] = [Number(w), Number(shown[i].replaceAll(",", ""))];
				return w !== "" && shown[i] !== "" && Math.abs(a - b) <= 0.0005000001;
			});
			if (!same) return "row " + at + " of the table is " + JSON.stringify(shown) + ", of the CSV " + JSON.stringify(want);
		}
		return "";
	};
	const out = [];
	for (const figure of document.querySelectorAll("figure.plot")) {
		const wrong = await inspect(figure);
		out.push({ title: figure.querySelector(".title").textContent, wrong, svg });
	}
	return out;
})()`
