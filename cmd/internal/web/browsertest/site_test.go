package browsertest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var siteBuilt = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "q3dissect-site-*")
	if err != nil {
		return "", err
	}
	temporary = append(temporary, folder)
	build := exec.Command(filepath.Join(repository, ".ci", "site"), folder)
	build.Stderr = os.Stderr
	return folder, build.Run()
})

// site serves the static page, and gives its address and the requests that it had.
func site(t *testing.T) (address string, requests func() []string) {
	t.Helper()
	chromium(t)
	folder, err := siteBuilt()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var had []string
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		had = append(had, r.Method+" "+r.URL.String())
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/", func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, had...)
	}
}

// The page without a server has the records of the command, and sends nothing anywhere.
func TestSiteHasTheCommandsRecords(t *testing.T) {
	t.Parallel()
	address, requests := site(t)
	for _, name := range []string{"quake3/68-natrebind.pcap", "teeworlds/ddnet-join.pcap", "quake3/68-kicked.dm_68"} {
		file, err := filepath.Abs(sample(name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
		b := newTab(t, desk)
		b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"))
		before := len(requests())
		b.run(chromedp.SetUploadFiles("#files", []string{file}))
		b.until(`document.querySelectorAll(".tree .item").length > 0`)
		want := strings.Split(strings.TrimSpace(output(t, file, "--json")), "\n")
		got := eval[[]string](b, `(async () => {
			for (;;) {
				const status = await viewer.carrier.ask("status");
				if (!status.done) continue;
				const records = [];
				for (let row = 0; row < status.rows; row++) records.push(JSON.stringify(await viewer.carrier.ask("json", { row })));
				return records;
			}
		})()`)
		if len(got) != len(want) {
			t.Fatalf("%s: %d records, the command has %d", name, len(got), len(want))
		}
		for i := range want {
			if !sameJSON(t, got[i], want[i]) {
				t.Fatalf("%s: record %d\n%s\nthe command:\n%s", name, i, got[i], want[i])
			}
		}
		for _, r := range requests()[before:] {
			if r != "GET /q3dissect.wasm" && r != "GET /viewer/wasm_exec.js" && r != "GET /viewer/worker.js" {
				t.Errorf("%s: the page asked the server for %s after the file was chosen", name, r)
			}
		}
	}
}

// siteRecord is the record that the page shows of what it has open, in one line.
const siteRecord = `viewer.carrier.ask("json", { row: 0 }).then(JSON.stringify)`

// Pasted digits are read as a packet; the page reports what is wrong with other text.
func TestSiteDissectsPastedDigits(t *testing.T) {
	t.Parallel()
	address, _ := site(t)
	b := newTab(t, desk)
	const packet = "ff ff ff ff 67 65 74 73 74 61 74 75 73 20 61 62 63 0a"
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"), chromedp.Click("summary"))
	b.run(chromedp.SetValue("#hex", "neither hex nor a capture"), chromedp.Click("details button"))
	b.until(`!document.querySelector("[role=alert]").hidden && document.querySelector("[role=alert]").textContent.length > 10`)
	b.run(chromedp.SetValue("#hex", packet), chromedp.Click("details button"))
	b.until(`globalThis.viewer && viewer.record`)
	file := filepath.Join(t.TempDir(), "pasted.txt")
	if err := os.WriteFile(file, []byte(packet), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := eval[string](b, siteRecord), output(t, file, "--json"); !sameJSON(t, got, want) {
		t.Errorf("the record is %s, the command's %s", got, want)
	}
}

// The page plots a sample without asking anybody but its own server.
func TestSiteAsksItsServerAlone(t *testing.T) {
	t.Parallel()
	address, requests := site(t)
	b := newTab(t, look{width: 400, height: 800})
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"))
	b.run(chromedp.Click(`[data-sample="middle"]`))
	b.until(siteViewer("68-midsession.pcap"))
	b.run(chromedp.Evaluate(`viewer.panels.open("plot", "length")`, nil))
	b.until(plotDrawn)
	checkNames(t, b, "the page with a file")
	for _, r := range requests() {
		if !strings.HasPrefix(r, "GET /") || strings.Contains(r, "?") {
			t.Errorf("the page asked for %s", r)
		}
	}
}

// Another file replaces the one that is shown; one that cannot be read is reported.
func TestSiteOpensAnotherFile(t *testing.T) {
	t.Parallel()
	address, _ := site(t)
	b := newTab(t, desk)
	drop := func(name, base64 string) {
		b.run(chromedp.Evaluate(fmt.Sprintf(`(() => {
			const transfer = new DataTransfer();
			transfer.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
			document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
		})()`, base64, name), nil))
	}
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"))
	for _, name := range []string{"quake3/68-kicked.dm_68", "teeworlds/ddnet-join.pcap"} {
		data, err := os.ReadFile(sample(name))
		if err != nil {
			t.Fatal(err)
		}
		drop(filepath.Base(name), base64.StdEncoding.EncodeToString(data))
		b.until(fmt.Sprintf(`globalThis.viewer && document.title.startsWith(%q) && viewer.status.done && viewer.record && viewer.row && viewer.record.row === viewer.row.row`, filepath.Base(name)))
		want := len(strings.Split(strings.TrimSpace(output(t, sample(name), "--json")), "\n"))
		if many := eval[int](b, `viewer.list.many`); many != want {
			t.Errorf("%s: %d rows, the command has %d", name, many, want)
		}
		if shown := eval[int](b, `document.querySelectorAll("#row").length`); shown != 1 {
			t.Errorf("%s: there are %d lists", name, shown)
		}
	}
	drop("nothing.bin", base64.StdEncoding.EncodeToString([]byte("this is no capture")))
	b.until(`document.querySelector(".drop") && !document.querySelector("[role=alert]").hidden && document.querySelector("[role=alert]").textContent.length > 10`)
}

// siteListed is how long the page may take to list 20 MB, docs/viewer.md.
const siteListed = 3 * time.Second

// mostProgram is how many bytes the program of the page may take, packed with gzip. It takes 6.2 MB: nothing is linked
// that only the command needs (no Parquet, jq, terminal or tables of text), and the library of plots is beside it. The
// largest parts are gopacket's layers with their port names, the runtime, statistics, and the games' tables. The rest
// is room for games and views.
const mostProgram = 6_500_000

// The program is not larger than a page can load.
func TestSiteIsSmall(t *testing.T) {
	t.Parallel()
	folder, err := siteBuilt()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join(folder, "q3dissect.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	packed := len(gzipped(t, program))
	if packed > mostProgram {
		t.Errorf("q3dissect.wasm takes %d bytes, %d packed: want %d at most", len(program), packed, mostProgram)
	}
	t.Logf("q3dissect.wasm takes %d bytes, %d packed", len(program), packed)
}

// gzipped packs bytes.
func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// A capture of 20 MB is listed within seconds: SITE_CAPTURE names it.
func TestSiteListsALargeCapture(t *testing.T) {
	file := os.Getenv("SITE_CAPTURE")
	if file == "" {
		t.Skip("SITE_CAPTURE names no capture")
	}
	address, _ := site(t)
	b := newTab(t, desk)
	// the program is loaded meanwhile
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"), chromedp.Sleep(3*time.Second))
	b.run(chromedp.SetUploadFiles("#files", []string{file}))
	b.until(milestone("all rows") + " > 0")
	since := func(name string) time.Duration {
		ms := eval[float64](b, milestone(name)+" - "+milestone("files chosen"))
		return time.Duration(ms * float64(time.Millisecond))
	}
	t.Logf("first rows after %v, all %d after %v", since("first rows"), eval[int](b, `viewer.status.rows`), since("all rows"))
	if took := since("all rows"); took > siteListed {
		t.Errorf("want them after %v", siteListed)
	}
}
