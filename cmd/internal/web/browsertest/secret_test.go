package browsertest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// What a browser with an open viewer sends to another server of the same host has nothing that opens the viewer, and
// the page of that server gets no answer. Nor does a tab that has the viewer's address without its secrets.
func TestViewerOtherPort(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, fmt.Sprintf("%s %v", r.URL, r.Header))
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><link rel=icon href=data:,><title>another</title>")
	}))
	defer other.Close()
	address := view(t, sample("quake3/68-connect-play.pcap"))
	viewer, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, desk)
	b.run(chromedp.Navigate(address))
	b.until(`globalThis.viewer && viewer.record && viewer.status.done`)
	secrets := eval[[]string](b, `Object.values(sessionStorage).filter(s => /^[A-Z2-7]{26}$/.test(s))`)
	if len(secrets) != 2 || eval[string](b, `document.cookie`) != "" {
		t.Fatalf("the tab keeps %q", secrets)
	}
	if eval[bool](b, `location.href.includes("token") || localStorage.length > 0 && `+
		`Object.values(localStorage).some(v => v.includes(`+"`"+secrets[0]+"`"+`))`) {
		t.Error("the address or the storage of all tabs has a secret")
	}
	b.run(chromedp.Reload())
	b.until(`globalThis.viewer && viewer.record && viewer.status.done`)

	// The same browser, another tab.
	ctx, stop := chromedp.NewContext(b.ctx)
	defer stop()
	ctx, stop = context.WithTimeout(ctx, patience)
	defer stop()
	ask := "http://" + viewer.Host + "/ask/status"
	fetch := func(mode string) string {
		return `fetch("` + ask + `", { credentials: "include", mode: "` + mode + `" }).then(` +
			`async a => a.type + " " + a.status + " " + await a.text(), e => "refused")`
	}
	var foreign [2]string
	var own, page string
	if err := chromedp.Run(ctx,
		chromedp.Navigate(other.URL+"/page"),
		chromedp.Evaluate(fetch("cors"), &foreign[0], awaited),
		chromedp.Evaluate(fetch("no-cors"), &foreign[1], awaited),
		chromedp.Navigate("http://"+viewer.Host+"/viewer/view.html"),
		chromedp.Evaluate(fetch("cors"), &own, awaited),
		chromedp.Navigate("http://"+viewer.Host+"/"),
		chromedp.Text("#closed", &page, chromedp.ByQuery),
	); err != nil {
		t.Fatal(err)
	}
	if foreign[0] != "refused" || foreign[1] != "refused" && foreign[1] != "opaque 0 " {
		t.Errorf("the page of another port gets %q", foreign)
	}
	if !strings.Contains(own, " 403 ") {
		t.Errorf("a tab without the secrets gets %q", own)
	}
	if !strings.Contains(page, "used already") {
		t.Errorf("the address without a token shows %q", page)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(got) == 0 {
		t.Error("the other server was not asked")
	}
	for _, request := range got {
		for _, secret := range secrets {
			if strings.Contains(request, secret) || strings.Contains(request, "Cookie") {
				t.Errorf("the other server is sent %s", request)
			}
		}
	}
}

// The report opens in its own tab, stays when it is loaded again, and leads back to the viewer.
func TestViewerReportTab(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	report, stop := openReportTab(b, "/report?viewer", chromedp.Click("a.report", chromedp.ByQuery))
	defer stop()
	const ready = `document.documentElement.dataset.ready === "true"`
	report.run(chromedp.Reload())
	report.until(ready)
	link := eval[string](report, `document.querySelector('a[href^="viewer/view.html#"]')?.href ?? ""`)
	if link == "" {
		t.Fatal("the report does not lead to the viewer")
	}
	report.run(chromedp.Navigate(link)) // as where the viewer's tab is closed
	report.until(`globalThis.viewer && viewer.record`)
}

// A browser that is started is given the name of a file: the command, which every user of the machine sees, has no
// token. The file leads a real browser to the viewer and is gone then.
func TestViewerStartsBrowser(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	given := filepath.Join(folder, "given")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + given + ".part' && mv '" + given + ".part' '" + given + "'\n"
	if err := os.WriteFile(filepath.Join(folder, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close() // for the program
	c := exec.Command(program(t), "view", "--port", port, sample("quake3/68-connect-play.pcap"))
	c.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "DISPLAY=:99")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait() // by the signal
	}()
	var words []byte
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if words, err = os.ReadFile(given); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	door := strings.TrimSpace(string(words))
	if strings.Contains(door, "token") || strings.Contains(door, port) {
		t.Fatalf("the browser's command has %q", door)
	}
	b := newTab(t, desk)
	b.run(chromedp.Navigate("file://" + door))
	b.until(`globalThis.viewer && viewer.record && viewer.status.done`)
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Dir(door)); os.IsNotExist(err) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the file stays")
		}
	}
}

// Text that reaches the page in any way has its control characters visible.
func TestPageShowsControlCharacters(t *testing.T) {
	t.Parallel()
	b := openViewer(t, desk, sample("quake3/68-connect-play.pcap"))
	b.run(chromedp.Evaluate(`(async () => {
		const [t, dom, plot] = await Promise.all(["table", "dom", "plot"].map(m => import("../assets/" + m + ".js")));
		const bad = "a\u202eb\u001b[2J\u2066\u0085c";
		const rows = [[bad, 1]], columns = [{ key: bad, type: "string", doc: bad, unit: bad }, { key: "n", type: "integer" }];
		const box = dom.el("div", { id: "bad", title: bad, "aria-label": bad }, bad, [dom.el("p", { text: bad })]);
		for (const bare of [true, false]) {
			const details = t.tableBehind(bad, columns, () => rows, { bare });
			box.append(details);
			(details.matches("details") ? details : details.querySelector("details")).open = true;
		}
		box.append(t.table(columns, rows, { caption: bad, csv: { title: bad } }), dom.button(bad, () => {}));
		document.body.append(box);
	})()`, nil, awaited))
	b.until(`document.querySelectorAll("#bad table").length === 3`)
	if raw := eval[[]string](b, `[...document.querySelectorAll("#bad, #bad *")].flatMap(e => [...e.attributes].map(a =>
		e.tagName + " " + a.name + " " + a.value).concat(e.tagName + " " + e.textContent)).filter(
		s => /[\u202e\u001b\u2066\u0085]/.test(s))`); len(raw) > 0 {
		t.Errorf("raw in the page: %q", raw)
	}
	if !eval[bool](b, `document.querySelector("#bad details caption, #bad .title").textContent.includes("\\u202e")`) {
		t.Error("a caption lacks its character")
	}
}

// awaited waits for the value of a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
