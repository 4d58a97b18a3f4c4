package browsertest

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Pressure finds steps that act before the page has what they need. Q3DISSECT_SLOW=8 gives the page an eighth of the
// processor; Q3DISSECT_LATE=400 lets every answer of the program take up to so many milliseconds more, so that answers
// overtake each other.
var (
	slow = pressure("Q3DISSECT_SLOW")
	late = pressure("Q3DISSECT_LATE")
)

// patience is how long one step in the browser may take.
var patience = 3 * time.Minute

func init() {
	if slow > 0 || late > 0 {
		patience = 15 * time.Minute
	}
}

// pressure returns the number in an environment variable, 0 if there is none.
func pressure(name string) float64 {
	text := os.Getenv(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 {
		panic(fmt.Sprintf("%s=%s is not a number from 0 on", name, text))
	}
	return n
}

// delays makes questions of the page reach the program late, and their answers reach the page late. A worker is asked
// much more often: its answers take a twentieth.
const delays = `(() => {
	const wait = (most) => new Promise((done) => setTimeout(done, Math.random() * most));
	const before = globalThis.fetch;
	globalThis.fetch = async (...question) => {
		await wait(%[1]v / 2);
		const answer = await before(...question);
		await wait(%[1]v / 2);
		return answer;
	};
	const listen = Worker.prototype.addEventListener;
	Worker.prototype.addEventListener = function (kind, heard, ...options) {
		if (kind === "message" && !heard.late) {
			const now = heard;
			heard.late = (e) => e.data.part ? now.call(this, e) : void wait(%[1]v / 20).then(() => now.call(this, e));
		}
		return listen.call(this, kind, heard.late ?? heard, ...options);
	};
	const forget = Worker.prototype.removeEventListener;
	Worker.prototype.removeEventListener = function (kind, heard, ...options) {
		return forget.call(this, kind, heard.late ?? heard, ...options);
	};
})()`

// underPressure puts a page under the pressure that was asked for.
func underPressure() (actions []chromedp.Action) {
	if slow > 1 {
		actions = append(actions, emulation.SetCPUThrottlingRate(slow))
	}
	if late > 0 {
		actions = append(actions, chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(fmt.Sprintf(delays, late)).Do(ctx)
			return err
		}))
	}
	return actions
}

// navigated reports whether an expression was not evaluated to its end because another document came.
func navigated(err error) bool {
	for _, text := range []string{
		"context with specified id", "Execution context was destroyed", "Inspected target navigated or closed",
		"Promise was collected", "Cannot find default execution context",
	} {
		if err != nil && strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// The helpers wait where a page is late: until for what is not there yet, steady for what still moves.
func TestHelpersWait(t *testing.T) {
	t.Parallel()
	b := newTab(t, desk)
	b.run(chromedp.Navigate("data:text/html,<p>a page"))
	b.run(chromedp.Evaluate(`setTimeout(() => { globalThis.later = { here: true }; }, 200)`, nil))
	b.until(`globalThis.later.here`) // there is nothing that could be here
	b.run(chromedp.Evaluate(`globalThis.at = 0; (function move() { if (++at < 20) requestAnimationFrame(move); })()`, nil))
	if at := steady[int](b, `at`); at != 20 {
		t.Errorf("a thing that moves is taken for one that rests at %d", at)
	}
}
