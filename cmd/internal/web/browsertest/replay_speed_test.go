package browsertest

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// Measures the replay of the page that REPLAY_PAGE names, for REPLAY_SECONDS: bench-replay.sh. REPLAY_PROFILE asks for
// the functions that took the most.
func TestReplaySpeed(t *testing.T) {
	page := os.Getenv("REPLAY_PAGE")
	if page == "" {
		t.Skip("REPLAY_PAGE names no page: see bench-replay.sh")
	}
	profiles := os.Getenv("REPLAY_PROFILE") != ""
	b := newTab(t, desk)
	b.run(emulation.SetEmulatedMedia().WithFeatures(nil),
		performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks))
	trace(b)
	before := processor(b)
	if profiles {
		profile(b)
	}
	b.run(chromedp.Navigate("file://" + page))
	b.until(`document.documentElement.dataset.ready === "true"`)
	if profiles {
		t.Logf("until all is there:%s", profiled(b, 25))
	}
	first := eval[float64](b, `performance.getEntriesByName("replay")[0].startTime`)
	t.Logf("first picture after %.0f ms, %.0f ms of the processor; the whole page takes %.0f",
		first, threadTime(b, "replay")-before, processor(b)-before)
	if profiles {
		profile(b)
	}
	before = processor(b)
	frames := eval[[]float64](b, `(async () => {
		const seconds = `+os.Getenv("REPLAY_SECONDS")+`;
		document.querySelector("#replay").scrollIntoView();
		document.querySelector("#replay .replay-play").click();
		const waits = [];
		for (let last = await new Promise(requestAnimationFrame), end = last + seconds * 1000; last < end; ) {
			const now = await new Promise(requestAnimationFrame);
			waits.push(now - last);
			last = now;
		}
		return waits;
	})()`)
	took := processor(b) - before
	if profiles {
		t.Logf("while it plays:%s", profiled(b, 25))
	}
	sum := 0.0
	for _, wait := range frames {
		sum += wait
	}
	slices.Sort(frames)
	n := len(frames)
	t.Logf("%.1f pictures a second, %.1f ms of the processor for each", float64(n)/sum*1000, took/float64(n))
	t.Logf("between two pictures: median %.1f ms, 95 %% %.1f, 99 %% %.1f, longest %.0f",
		frames[n/2], frames[n*95/100], frames[n*99/100], frames[n-1])
}

// processor is how long the page's thread used the processor, in milliseconds: on a busy machine the other times say
// little.
func processor(b *tab) (ms float64) {
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		list, err := performance.GetMetrics().Do(ctx)
		for _, m := range list {
			if m.Name == "TaskDuration" {
				ms = m.Value * 1000
			}
		}
		return err
	}))
	return ms
}
