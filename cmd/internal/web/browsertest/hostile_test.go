package browsertest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// attack is text that does harm where it is taken for markup.
const attack = `<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>"'>&lt;`

// capture makes a capture of UDP datagrams between a client and a server, by turns, without a link layer.
func capture(t *testing.T, payloads ...string) string {
	t.Helper()
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	b = append(b, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 101, 0, 0, 0) // LINKTYPE_RAW
	for i, payload := range payloads {
		client, server := []byte{10, 0, 0, 1, 0x6d, 0x3d}, []byte{10, 0, 0, 2, 0x6d, 0x38} // 27965 and 27960
		from, to := client, server
		if i%2 == 1 {
			from, to = server, client
		}
		packet := []byte{0x45, 0}
		packet = binary.BigEndian.AppendUint16(packet, uint16(28+len(payload)))
		packet = append(packet, 0, 0, 0, 0, 64, 17, 0, 0)
		packet = append(append(packet, from[:4]...), to[:4]...)
		packet = append(append(packet, from[4:]...), to[4:]...)
		packet = binary.BigEndian.AppendUint16(packet, uint16(8+len(payload)))
		packet = append(append(packet, 0, 0), payload...)
		for _, n := range []int{1_700_000_000 + i, 0, len(packet), len(packet)} {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		b = append(b, packet...)
	}
	name := filepath.Join(t.TempDir(), "hostile.pcap")
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// Text of the wire is text wherever it is shown.
func TestViewerHarmlessText(t *testing.T) {
	t.Parallel()
	const oob = "\xff\xff\xff\xff"
	file := capture(t,
		oob+"getstatus "+attack,
		oob+"statusResponse\n\\sv_hostname\\"+attack+"\\"+attack+"\\1\n5 50 \""+attack+"\"\n",
		oob+"getchallenge "+attack+"\u202eevil",
		oob+"print\n"+attack+"\x1b[2J\u202e\n",
		oob+"rcon secret "+attack,
		oob+attack,
	)
	b := openViewer(t, desk, file)
	for frame := 1; frame <= 6; frame++ {
		b.run(chromedp.Evaluate(`location.hash = "#frame="+`+string(rune('0'+frame)), nil))
		b.until(`viewer.record.number === ` + string(rune('0'+frame)))
		b.run(chromedp.Evaluate(`viewer.record.fields.forEach(f => viewer.tree.reveal(f.path))`, nil))
	}
	for panel, done := range map[string]string{
		"events":     `viewer.panels.note.textContent && !viewer.panels.note.textContent.includes("so far")`,
		"follow":     linesListed,
		"statistics": `viewer.panels.body.querySelector(".tables")`,
	} {
		b.run(chromedp.Evaluate(`viewer.panels.open("`+panel+`")`, nil))
		b.until(done)
	}
	b.run(chromedp.Evaluate(`viewer.columns.set("info,quake3.oob.command,quake3.oob.arguments,quake3.oob.text")`, nil))
	b.until(`viewer.list.shown.length === 6 && viewer.columns.missing(viewer.list.shown).length === 0`)
	if seen := eval[string](b, `document.querySelector("#row").textContent`); strings.Contains(seen, "rcon secret") {
		t.Errorf("the password of rcon stands in a column: %s", seen)
	}
	b.run(chromedp.Evaluate(`viewer.panels.open("plot", "length")`, nil))
	b.until(plotDrawn)
	b.run(chromedp.Evaluate(`location.hash = "#filter=" + encodeURIComponent("info contains "+JSON.stringify("<img"))`, nil))
	b.until(`viewer.filter !== "" && viewer.filterDone && viewer.list.item(0)`)
	if many := eval[int](b, `viewer.list.many`); many < 3 {
		t.Errorf("%d rows contain the attack", many)
	}
	b.run(chromedp.Evaluate(`viewer.filterBar.write("quake3.oob.<img src=x onerror=1> == 3")`, nil))
	b.until(`!document.getElementById("filter-fault").hidden`)
	if made := eval[int](b, `document.querySelectorAll("body img, body script").length`); made > 0 {
		t.Errorf("text became %d elements", made)
	}
	if eval[bool](b, `globalThis.harmed === 1`) {
		t.Error("a script of the wire ran")
	}
	if !strings.Contains(eval[string](b, `document.querySelector("#row .info").textContent`), "<img src=x onerror=") {
		t.Error("the text is not shown as it is")
	}
	if eval[bool](b, `/[\u202e\u001b]/.test(document.body.textContent)`) {
		t.Error("control characters stand in the page")
	}
}

// A list of ten million lines is scrolled to its end by the bar, and by lines with the wheel.
func TestViewerTenMillionRows(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	b.run(chromedp.Evaluate(`(async () => {
		const { VirtualList } = await import("./virtual.js");
		const list = new VirtualList({
			id: "many", height: 22, label: "many", choose() {},
			make: () => Object.assign(document.createElement("div"), { className: "line" }),
			draw: (line, item) => { line.textContent = item ?? "…"; },
			fetch: async (from, count) => ({ many: 10_000_000, items: Array.from({ length: count }, (_, i) => "line " + (from + i)) }),
		});
		list.element.style.cssText = "position:fixed;inset:0;height:600px;z-index:9;background:white";
		document.body.append(list.element);
		list.reset();
		globalThis.many = list;
	})()`, nil))
	seen := `many.lines.map(l => [l.getBoundingClientRect().top, l.textContent]).filter(([top]) => top > -22 && top < 600).sort((a, b) => a[0] - b[0]).map(([, text]) => text)`
	b.until(`globalThis.many && many.many === 10_000_000 && many.lines.length > 20 && many.lines[0].textContent === "line 0"`)
	b.run(chromedp.Evaluate(`many.element.scrollTop = many.element.scrollHeight`, nil))
	b.until(`many.lines.some(l => l.textContent === "line 9999999" && l.getBoundingClientRect().bottom <= 600.5)`)
	b.run(chromedp.Evaluate(`many.moveTo(5_000_000)`, nil))
	b.until(`many.item(5_000_000) === "line 5000000"`)
	if lines := eval[[]string](b, seen); lines[0] != "line 5000000" && lines[0] != "line 4999999" ||
		lines[len(lines)-1] < "line 5000025" {
		t.Errorf("seen are %q", lines)
	}
	b.run(chromedp.Evaluate(`many.element.dispatchEvent(new WheelEvent("wheel", { deltaY: 66, cancelable: true }))`, nil))
	b.until(`many.first === 5_000_003`)
	b.run(chromedp.Evaluate(`many.select(9_999_998)`, nil))
	b.until(`many.lines.some(l => l.textContent === "line 9999998" && l.classList.contains("selected"))`)
	if tall := eval[int](b, `many.element.scrollHeight`); tall > 8_000_100 {
		t.Errorf("the element is %d pixels tall", tall)
	}
}

// The commands of the documents that begin the viewer work.
func TestDocumentedViewCommands(t *testing.T) {
	t.Parallel()
	found := 0
	for _, name := range []string{"README.md", "docs/guide.md", "docs/viewer.md"} {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^q3dissect view (samples/\S+)(?: +#.*)?$`).FindAllStringSubmatch(string(text), -1) {
			found++
			if address := view(t, filepath.Join(repository, m[1])); !strings.HasPrefix(address, "http://127.0.0.1:") {
				t.Errorf("%s: %s prints %q", name, m[0], address)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d commands are documented", found)
	}
}
