package browsertest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	stdlog "log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var update = flag.Bool("update", false, "write the pictures in docs/ again")

// repository is the root of the repository.
const repository = "../../../.."

// chromium returns the path of the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no browser: install chromium, or name one with CHROMIUM")
	return ""
}

// temporary are folders to be removed at the end.
var temporary []string

var built = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "q3dissect-browsertest-*")
	if err != nil {
		return "", err
	}
	temporary = append(temporary, folder)
	program := filepath.Join(folder, "q3dissect")
	build := exec.Command("go", "build", "-o", program, "./cmd/q3dissect")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return program, nil
})

// program returns the path of the command, built once.
func program(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	for _, folder := range temporary {
		os.RemoveAll(folder) // nothing can be done about a fault here
	}
	os.Exit(status)
}

// A tab is a page of the browser, and what it complained about.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	wrong  []string
	expect []string // parts of complaints that are right
}

// look is how a page is looked at.
type look struct {
	width, height int64
	dark          bool
}

var desk = look{width: 1280, height: 800}

// newTab opens an empty page in a browser of its own. When the test ends, it must not have complained.
func newTab(t *testing.T, l look) *tab {
	t.Helper()
	folder, err := os.MkdirTemp("", "q3dissect-browser-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) }) // the browser may still write into it
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options,
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(folder),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(int(l.width), int(l.height)))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(complain))
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.wrong = append(b.wrong, "exception: "+e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError {
				b.wrong = append(b.wrong, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	b.run(log.Enable(), runtime.Enable(),
		emulation.SetDeviceMetricsOverride(l.width, l.height, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		}))
	b.run(underPressure()...)
	t.Cleanup(b.calm)
	return b
}

// complain prints what the library reports, without events that are newer than it and that no test needs.
func complain(format string, args ...any) {
	if len(args) == 1 {
		if _, ok := args[0].(*dom.EventTopLayerElementsUpdated); ok {
			return
		}
	}
	stdlog.Printf("chromedp: "+format, args...)
}

// calm fails the test if the page threw, or broke its own policy.
func (b *tab) calm() {
	for _, w := range b.complaints() {
		if !slices.ContainsFunc(b.expect, func(part string) bool { return strings.Contains(w, part) }) {
			b.t.Errorf("the page complained: %s", w)
		}
	}
}

// complaints returns what the page complained about so far.
func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.wrong)
}

// complains waits until the page complains of something, which is right, however often it does.
func (b *tab) complains(part string) {
	b.t.Helper()
	b.expect = append(b.expect, part)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if slices.ContainsFunc(b.complaints(), func(w string) bool { return strings.Contains(w, part) }) {
			return
		}
	}
	b.t.Errorf("the page does not complain of %s", part)
}

// run does things in the page.
func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	// The browser lives as long as the context of the first Run: that must not be the one with the limit.
	if chromedp.FromContext(b.ctx).Browser == nil {
		if err := chromedp.Run(b.ctx); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatalf("%v; the page complained: %v", err, b.complaints())
	}
}

// press presses a key that the page takes. The browser sends no character then; chromedp sends one all the same, which
// chooses an entry of a menu that the key has opened.
func press(key string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for _, r := range key {
			for _, event := range kb.Encode(r) {
				if event.Type == input.KeyChar {
					continue
				}
				if err := event.Do(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// eval evaluates an expression, which may be a promise.
func eval[T any](b *tab, expression string) (value T) {
	b.t.Helper()
	b.run(chromedp.Evaluate(expression, &value,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value
}

// steady evaluates an expression until it has the same value in three pictures one after the other: the place of a
// click moves as long as something is laid out.
func steady[T any](b *tab, expression string) T {
	b.t.Helper()
	return eval[T](b, `(async () => {
		const drawn = async () => { for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); };
		for (let before, same = 0; ;) {
			const now = await (`+expression+`);
			const text = JSON.stringify(now);
			same = text === before ? same + 1 : 0;
			if (same === 2) return now;
			before = text;
			await drawn();
		}
	})()`)
}

// until waits until an expression is true. Parts of it may be missing until then.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	patient := `(() => { try { return ` + expression + `; } catch (e) { if (e instanceof TypeError) return false; throw e; } })()`
	poll := chromedp.Poll(patient, nil, chromedp.WithPollingInterval(30*time.Millisecond),
		chromedp.WithPollingTimeout(0))
	err := chromedp.Run(ctx, poll)
	for navigated(err) && ctx.Err() == nil {
		err = chromedp.Run(ctx, poll) // the page was loaded again while it was asked
	}
	if err != nil {
		var picture []byte
		shot, end := context.WithTimeout(b.ctx, patience)
		defer end()
		if chromedp.Run(shot, chromedp.CaptureScreenshot(&picture)) == nil {
			if f, err := os.CreateTemp("", "browsertest-*.png"); err == nil {
				f.Write(picture) // it helps, no more
				f.Close()
				b.t.Logf("the page looks like %s", f.Name())
			}
		}
		b.t.Fatalf("%s does not become true: %v; the page complained: %v", expression, err, b.complaints())
	}
}

// picture takes a picture of what is seen.
func (b *tab) picture(name string) []byte {
	b.t.Helper()
	var png []byte
	b.run(chromedp.CaptureScreenshot(&png))
	return b.keep(name, png)
}

// pictureOf takes a picture of one element.
func (b *tab) pictureOf(selector, name string) []byte {
	b.t.Helper()
	var png []byte
	b.run(chromedp.Screenshot(selector, &png, chromedp.ByQuery))
	return b.keep(name, png)
}

// keep checks that a picture is one; with -update it is kept in docs/.
func (b *tab) keep(name string, png []byte) []byte {
	b.t.Helper()
	if !bytes.HasPrefix(png, []byte("\x89PNG")) || len(png) < 10_000 {
		b.t.Errorf("the picture %s is empty: %d bytes", name, len(png))
	}
	if *update {
		if err := os.WriteFile(filepath.Join(repository, "docs", name), png, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	return png
}

// sample returns the path of a sample.
func sample(name string) string {
	return filepath.Join(repository, "samples", filepath.FromSlash(name))
}

// output returns what the command prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaint strings.Builder
	c := exec.Command(program(t), args...)
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, complaint.String())
	}
	return out.String()
}
