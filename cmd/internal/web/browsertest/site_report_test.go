package browsertest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// The page without a server makes the report of the command: the same data but for which program read what.
func TestSiteMakesTheReport(t *testing.T) {
	t.Parallel()
	address, _ := site(t)
	file, err := filepath.Abs(sample("quake3/68-loss.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, desk)
	b.run(chromedp.Navigate(address), chromedp.WaitVisible(".drop"), chromedp.SetUploadFiles("#files", []string{file}))
	b.until(`document.querySelectorAll(".tree .item").length > 0`)
	r, _ := openSiteReport(b, chromedp.Evaluate(`[...document.querySelectorAll("button")].find(b => b.textContent === "report").click()`, nil))
	for _, id := range reportSections {
		r.scrollTo(id)
	}
	got := eval[string](r, `(async () => {
		const blobs = [];
		URL.createObjectURL = (blob) => { blobs.push(blob); return "data:,"; };
		HTMLAnchorElement.prototype.click = function () {};
		[...document.querySelectorAll("button")].find(b => b.textContent === "Save as one file").click();
		return blobs[0].text();
	})()`)
	wanted, err := os.ReadFile(writeReport(t, file))
	if err != nil {
		t.Fatal(err)
	}
	want, have := contents(t, string(wanted)), contents(t, got)
	if at := difference(want, have, "document"); at != "" {
		t.Errorf("the site's report is not that of the command: %s", at)
	}
}

// openSiteReport does what opens a report in a tab of its own, and waits until the report is there. stop closes the
// tab.
func openSiteReport(b *tab, open chromedp.Action) (r *tab, stop func()) {
	b.t.Helper()
	return openReportTab(b, "/report.html", open)
}

// openReportTab is openSiteReport for a report at an address with some part.
func openReportTab(b *tab, part string, open chromedp.Action) (r *tab, stop func()) {
	b.t.Helper()
	opened := chromedp.WaitNewTarget(b.ctx, func(i *target.Info) bool { return strings.Contains(i.URL, part) })
	b.run(open)
	var id target.ID
	select {
	case id = <-opened:
	case <-time.After(patience):
		b.t.Fatal("no tab is opened for the report")
	}
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
	if err := chromedp.Run(ctx); err != nil { // the tab lives as long as the context of the first Run
		b.t.Fatal(err)
	}
	b.t.Cleanup(end)
	r = &tab{t: b.t, ctx: ctx}
	r.until(`document.documentElement.dataset.ready === "true"`)
	return r, func() {
		b.t.Helper()
		end()
		gone := func(list []*target.Info) bool {
			return !slices.ContainsFunc(list, func(i *target.Info) bool { return i.TargetID == id })
		}
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
			// The page uses a tab of that name again as long as there is one.
			if list, err := chromedp.Targets(b.ctx); err != nil || gone(list) {
				return
			}
		}
		b.t.Error("the tab of the report does not close")
	}
}

// contents are the data of a report without what differs between runs.
func contents(t *testing.T, page string) map[string]any {
	t.Helper()
	_, data, _ := strings.Cut(page, `<script id="data" type="application/json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var packed struct{ Data []byte }
	if err := json.Unmarshal([]byte(data), &packed); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	z, err := gzip.NewReader(bytes.NewReader(packed.Data))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	delete(doc, "title")
	inputs := doc["evidence"].(map[string]any)["inputs"].([]any)
	for _, i := range inputs {
		doc["sha256"] = i.(map[string]any)["sha256"]
	}
	delete(doc, "evidence")
	for _, f := range doc["files"].([]any) {
		delete(f.(map[string]any), "name")
		for _, m := range f.(map[string]any)["matches"].([]any) {
			delete(m.(map[string]any), "file") // with its folder
		}
	}
	return doc
}

// difference names the first place at which two values of JSON differ.
func difference(want, have any, path string) string {
	switch w := want.(type) {
	case map[string]any:
		h, _ := have.(map[string]any)
		for key := range w {
			if at := difference(w[key], h[key], path+"."+key); at != "" {
				return at
			}
		}
		if len(h) != len(w) {
			return fmt.Sprintf("%s has %d members, want %d", path, len(h), len(w))
		}
	case []any:
		h, _ := have.([]any)
		if len(h) != len(w) {
			return fmt.Sprintf("%s has %d entries, want %d", path, len(h), len(w))
		}
		for i := range w {
			if at := difference(w[i], h[i], fmt.Sprintf("%s[%d]", path, i)); at != "" {
				return at
			}
		}
	default:
		if !reflect.DeepEqual(want, have) {
			return fmt.Sprintf("%s is %v, want %v", path, have, want)
		}
	}
	return ""
}
