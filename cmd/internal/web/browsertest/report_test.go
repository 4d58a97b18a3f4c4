package browsertest

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// writeReport makes a report and gives its path.
func writeReport(t *testing.T, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	output(t, append([]string{"report", "-q", "-o", name}, args...)...)
	return name
}

// openReport opens a report from disk, with the network cut off.
func openReport(t *testing.T, l look, name string) *tab {
	t.Helper()
	b := newTab(t, l)
	chromedp.ListenTarget(b.ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			if scheme, _, _ := strings.Cut(e.Request.URL, ":"); scheme != "file" && scheme != "data" && scheme != "blob" {
				b.mu.Lock()
				b.wrong = append(b.wrong, "asks the network for "+e.Request.URL)
				b.mu.Unlock()
			}
		}
	})
	b.run(network.Enable(), network.EmulateNetworkConditions(true, 0, 0, 0), chromedp.Navigate("file://"+name))
	b.until(`document.documentElement.dataset.ready === "true"`)
	return b
}

// scrollTo shows a section and waits until its plots are drawn.
func (b *tab) scrollTo(id string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(`document.getElementById(`+strconv.Quote(id)+`).scrollIntoView({behavior: "instant"})`, nil))
	// pictures are drawn when they come near the window
	b.until(`(p => { p?.scrollIntoView({behavior: "instant"}); return !p; })([...document.querySelectorAll("#` + id + ` .paper")].find(p => !p.querySelector("canvas")))`)
	b.until(`[...document.querySelectorAll("#` + id + ` .stage canvas")].every(c => c.dataset.drawn)`)
}

// tablesOpen is true once all tables that were opened are there: a browser reports them one after the other.
const tablesOpen = `[...document.querySelectorAll("details.behind")].every(d => d.open && d.querySelector("table"))`

var reportSections = []string{
	"replay", "matches", "timeline", "map", "lagometer", "bits", "input", "queries", "chat", "evidence",
}

// A report of every family opens without a network, draws every section, and complains of nothing.
func TestReportsOfEveryFamily(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"quake3/68-kicked.dm_68", "quake3/oob.pcap", "quake3/et-84-play.pcap", "teeworlds/07-ctf.demo",
		"teeworlds/ddnet-join.pcap", "gamestudio/enet-0ad.pcap", "gamestudio/synthetic-directplay8-core.pcap",
	} {
		t.Run(name, func(t *testing.T) {
			page := writeReport(t, sample(name))
			if info, err := os.Stat(page); err != nil || info.Size() > 4e6 {
				t.Errorf("the page has %v bytes, %v", info.Size(), err)
			}
			b := openReport(t, desk, page)
			for _, id := range reportSections {
				b.scrollTo(id)
				if text := eval[string](b, `document.getElementById("`+id+`").innerText`); len(text) < 20 || strings.Contains(text, "undefined") || strings.Contains(text, "NaN") || strings.Contains(text, "[object") {
					t.Errorf("the section %s says %q", id, text)
				}
			}
			wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
			if wide > 0 {
				t.Errorf("the page is %d pixels too wide", wide)
			}
		})
	}
}

// A capture without packets has a report; every section states that there is nothing, and why.
func TestReportOfNothing(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "empty.pcap")
	if err := os.WriteFile(name, hostileCapture("")[:24], 0o600); err != nil { // the header of the file
		t.Fatal(err)
	}
	b := openReport(t, look{width: 400, height: 800, dark: true}, writeReport(t, name))
	for _, id := range reportSections {
		if empty := eval[bool](b, `document.querySelector("#`+id+` .nothing") !== null`); !empty {
			t.Errorf("the section %s does not say that it is empty", id)
		}
	}
}

// Sections are drawn one after the other. Who chooses inputs faster has those of the last one, each once, and who
// prints earlier has all of them, with their plots.
func TestReportIsUsedEarly(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/71-duel.dm_71"), sample("teeworlds/07-ctf.demo")))
	const choose = `const choose = n => {
		const select = document.querySelector("header select");
		select.selectedIndex = n;
		select.dispatchEvent(new Event("change"));
	};`
	const filled = `[...document.querySelectorAll("section")].filter(s => s.children.length > 1).map(s => s.id)`
	ready := eval[string](b, `(() => { `+choose+`
		choose(1);
		choose(0);
		choose(1);
		return document.documentElement.dataset.ready;
	})()`)
	if ready != "false" {
		t.Errorf("it is ready (%s) before its sections are there", ready)
	}
	b.until(`document.documentElement.dataset.ready === "true"`)
	const tables = `[...document.querySelectorAll("section")].map(s => s.querySelectorAll("h2, h3").length)`
	fast, title := eval[[]int](b, tables), eval[string](b, `document.querySelector("h1").textContent`)
	if title != "07-ctf.demo" || !slices.Equal(eval[[]string](b, filled), reportSections) {
		t.Errorf("it shows %s with the sections %v", title, eval[[]string](b, filled))
	}
	slowly := openReport(t, desk, writeReport(t, sample("teeworlds/07-ctf.demo")))
	if want := eval[[]int](slowly, tables); !slices.Equal(fast, want) {
		t.Errorf("heads in the sections: %v, want %v", fast, want)
	}
	type print struct {
		Filled []string
		Empty  int // plots and maps
	}
	printed := eval[print](b, `(() => { `+choose+`
		choose(0);
		dispatchEvent(new Event("beforeprint"));
		const empty = [...document.querySelectorAll(".paper, .stage")].filter(p => !p.querySelector("canvas") ||
			p.matches(".stage") && !p.querySelector("canvas").dataset.drawn);
		return { Filled: `+filled+`, Empty: empty.length };
	})()`)
	if !slices.Equal(printed.Filled, reportSections) || printed.Empty > 0 {
		t.Errorf("printed early: %+v", printed)
	}
	b.until(`document.documentElement.dataset.ready === "true"`)
}

// On a narrow screen nothing but tables scrolls sideways, and buttons have names.
func TestReportIsNarrow(t *testing.T) {
	t.Parallel()
	b := openReport(t, look{width: 400, height: 800}, writeReport(t, sample("quake3/71-ipv6-chat.pcap")))
	for _, id := range reportSections {
		b.scrollTo(id)
	}
	if wide := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("the page is %d pixels too wide", wide)
	}
	if nameless := eval[[]string](b, `[...document.querySelectorAll("button, input, select")].filter(e => !e.textContent.trim() && !e.labels?.length && !e.getAttribute("aria-label")).map(e => e.outerHTML)`); len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}
}

// The window that is set on the time line applies to the other sections, and is part of the address.
func TestReportWindow(t *testing.T) {
	t.Parallel()
	page := writeReport(t, sample("quake3/71-ipv6-chat.pcap"))
	b := openReport(t, desk, page)
	b.scrollTo("timeline")
	b.scrollTo("lagometer")
	all := eval[int](b, `document.querySelectorAll("#chat li").length`)
	b.run(chromedp.Evaluate(`echarts.getInstanceByDom(document.querySelector("#timeline .paper")).dispatchAction({type: "dataZoom", dataZoomIndex: 0, startValue: 10, endValue: 20})`, nil))
	b.until(`location.hash === "#t=10.0-20.0"`)
	b.until(`(z => z.startValue === 10 && z.endValue === 20)(echarts.getInstanceByDom(document.querySelector("#lagometer .paper")).getOption().dataZoom[0])`)
	b.until(fmt.Sprintf(`document.querySelectorAll("#chat li").length < %d`, all))
	again := openReport(t, desk, page+"#t=10.0-20.0")
	again.scrollTo("timeline")
	again.until(`(z => z.startValue === 10 && z.endValue === 20)(echarts.getInstanceByDom(document.querySelector("#timeline .paper")).getOption().dataZoom[0])`)
	again.run(chromedp.Evaluate(`[...document.querySelectorAll("#timeline button")].find(b => b.textContent === "Events as lines").click()`, nil))
	if lines := eval[int](again, `document.querySelectorAll("#timeline .around li").length`); lines == 0 {
		t.Error("no events are listed")
	}
}

// Play moves the slider of the map; a player that is switched off, a layer and a floor change the picture.
func TestReportMap(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/71-ipv6-chat.pcap")))
	b.scrollTo("map")
	const picture = `document.querySelector("#map canvas").toDataURL()`
	before := eval[string](b, picture)
	for _, change := range []string{
		`document.querySelector("#map .players button").click()`,
		`[...document.querySelectorAll("#map input[type=checkbox]")].at(-1).click()`,
		`(i => { i.value = 100; i.dispatchEvent(new Event("input")) })(document.querySelector("#map input[aria-label='Lowest height shown']"))`,
		`(i => { i.value = 20; i.dispatchEvent(new Event("input")) })(document.querySelector("#map input[aria-label=Time]"))`,
	} {
		b.run(chromedp.Evaluate(change, nil))
		b.until(picture + " !== " + strconv.Quote(before))
		before = eval[string](b, picture)
	}
	b.run(chromedp.Evaluate(`[...document.querySelectorAll("#map button")].find(b => b.textContent.includes("Play")).click()`, nil))
	b.until(`Number(document.querySelector("#map input[aria-label=Time]").value) > 21`)
}

// Tables open, sort, and are the same as CSV; plots are saved as PNG and SVG.
func TestReportSaves(t *testing.T) {
	t.Parallel()
	b := openReport(t, desk, writeReport(t, sample("quake3/68-loss.pcap")))
	b.scrollTo("bits")
	b.run(chromedp.Evaluate(`
		globalThis.saved = [];
		URL.createObjectURL = (blob) => { saved.push(blob); return "data:,"; };
		HTMLAnchorElement.prototype.click = function () {};
		const figure = document.querySelectorAll("#bits figure")[2];
		for (const label of ["PNG", "SVG", "Save CSV"]) [...figure.querySelectorAll("button")].find(b => b.textContent === label).click();
		document.querySelector("#map").scrollIntoView();
		[...document.querySelectorAll("#map button")].find(b => b.textContent === "SVG").click();
	`, nil))
	b.until(`saved.length === 4`)
	heads := eval[[]string](b, `Promise.all(saved.map(async b => b.type + " " + (await b.text()).slice(0, 40)))`)
	want := []string{
		"image/png \ufffdPNG", "image/svg+xml <svg", "text/csv;charset=utf-8 field,count,bits",
		"image/svg+xml <svg",
	}
	if len(heads) != len(want) {
		t.Fatalf("saved %q", heads)
	}
	for i := range want {
		if !strings.HasPrefix(heads[i], want[i]) {
			t.Errorf("saved %q, want %q", heads[i], want[i])
		}
	}
	rows := eval[int](b, `saved[2].text().then(t => t.trimEnd().split("\r\n").length - 1)`)
	if fields := strings.Count(output(t, sample("quake3/68-loss.pcap"), "-q", "-z", "fields", "--json"),
		"\n"); rows != fields {
		t.Errorf("the CSV has %d rows, -z fields %d", rows, fields)
	}
}

// A capture full of markup is text in the page.
func TestReportOfHostileCapture(t *testing.T) {
	t.Parallel()
	const markup = `</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>`
	name := filepath.Join(t.TempDir(), "<img src=x onerror=window.pwned=1>.pcap")
	if err := os.WriteFile(name, hostileCapture(markup), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, secrets := range []string{"--show-secrets=false", "--show-secrets"} {
		page := writeReport(t, secrets, name)
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "pwned") &&
			!strings.Contains(string(text), "&lt;img src=x onerror=window.pwned=1&gt;.pcap") {
			t.Error("what came from the capture stands in the page as it is")
		}
		b := openReport(t, desk, page)
		for _, id := range reportSections {
			b.scrollTo(id)
		}
		b.run(chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => { d.open = true; });
			[...document.querySelectorAll("button")].find(b => b.textContent === "Events as lines").click()`, nil))
		b.until(`document.body.innerText.includes("onerror=window.pwned=1") && ` + tablesOpen)
		if eval[bool](b, `"pwned" in window || document.querySelector("img, #page script, iframe, object, embed") !== null`) {
			t.Error("markup from the wire became markup")
		}
		if eval[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`) {
			t.Error("the page has characters that turn the direction of writing")
		}
		if shown := eval[bool](b, `document.body.innerText.includes("hunter2secret")`); shown != (secrets == "--show-secrets") {
			t.Errorf("%s: the password is shown: %v", secrets, shown)
		}
	}
}

// hostileCapture is a capture of a server and a client whose every text is markup, with a direction override after it.
func hostileCapture(markup string) []byte {
	const client, server = "\x0a\x00\x00\x02", "\x0a\x00\x00\x01"
	b := []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x65\x00\x00\x00")
	seconds := uint32(1_700_000_000)
	add := func(fromClient bool, payload string) {
		payload = "\xff\xff\xff\xff" + payload
		src, dst, ports := server, client, []uint16{27960, 27961}
		if fromClient {
			src, dst, ports = client, server, []uint16{27961, 27960}
		}
		size := uint32(28 + len(payload))
		seconds++
		for _, n := range []uint32{seconds, 0, size, size} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		b = append(b, 0x45, 0)
		b = binary.BigEndian.AppendUint16(b, uint16(size))
		b = append(b, "\x00\x01\x00\x00\x40\x11\x00\x00"+src+dst...)
		b = binary.BigEndian.AppendUint16(b, ports[0])
		b = binary.BigEndian.AppendUint16(b, ports[1])
		b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
		b = append(append(b, 0, 0), payload...)
	}
	text := markup + "\u202egnp."
	add(true, "getstatus xyz")
	add(false, "statusResponse\n\\sv_hostname\\"+text+"\\mapname\\<b>m</b>\\protocol\\68\n1 2 \""+text+"\"\n")
	add(true, "getchallenge")
	add(false, "challengeResponse 12345")
	add(true, `connect "\protocol\43\qport\1234\challenge\12345\name\`+text+`"`)
	add(false, "print\n"+text+"\n")
	add(true, "rcon hunter2secret say "+text)
	add(false, "print\nBad rconpassword.\n")
	return b
}

// Pictures for the documents, of samples, and of a demo of the reference folder where it is at hand; each is looked at
// by who changes the page.
func TestReportPictures(t *testing.T) {
	t.Parallel()
	const duel = "demos/matches/36_kills_2_suicides.dm_68"
	const bots = "captures/quake3/q3-71-ipv6.pcap" // on aggressor, a map of OpenArena
	for _, p := range []struct {
		name, file, section string
		look
	}{
		{"report.png", duel, "", look{width: 1280, height: 1060}},
		{"report-map.png", duel, "timeline", look{width: 1280, height: 1240}},
		{"report-input.png", duel, "input", look{width: 1280, height: 1140}},
		{"report-lagometer.png", "quake3/68-loss.pcap", "lagometer", look{width: 1280, height: 780}},
		{"report-teeworlds-dark.png", "teeworlds/07-ctf.demo", "timeline", look{width: 1280, height: 1260, dark: true}},
		{"report-narrow.png", duel, "timeline", look{width: 400, height: 800}},
		{"report-map-bsp.png", bots, "map", look{width: 1280, height: 1000}},
		{"site-map.png", "quake3/71-duel.dm_71", "map", look{width: 624, height: 900}},
		{"site-map-dark.png", "quake3/71-duel.dm_71", "map", look{width: 624, height: 900, dark: true}},
	} {
		args := []string{sample(p.file)}
		if p.file == duel || p.file == bots {
			args[0] = filepath.Join(reference(), filepath.FromSlash(p.file))
			if !exists(args[0]) {
				continue
			}
		}
		if p.file == bots {
			args = append(args, "--map", aggressor(t))
		}
		b := openReport(t, p.look, writeReport(t, args...))
		if p.section != "" {
			b.scrollTo(p.section)
		} else {
			b.until(`document.querySelector("#matches canvas")`)
		}
		if strings.HasPrefix(p.name, "site-") { // of the map alone, for the page without a server
			b.pictureOf("#map .stage", p.name)
			continue
		}
		b.picture(p.name)
	}
}

// aggressor writes the map of that name, which the archive of a recorded download has under another one, and gives its
// path.
func aggressor(t *testing.T) string {
	t.Helper()
	archive, err := zip.OpenReader(filepath.Join(reference(), "captures", "quake3",
		"q3-68-download.zz-q3-68-download.pk3"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	content, err := fs.ReadFile(archive, "maps/labmap.bsp")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "aggressor.bsp")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// reference is the folder of reference captures and demos.
func reference() string {
	if dir := os.Getenv("Q3DISSECT_REFERENCE"); dir != "" {
		return dir
	}
	return filepath.Join(repository, "..", "shared")
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
