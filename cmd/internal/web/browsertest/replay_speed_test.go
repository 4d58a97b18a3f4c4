package browsertest

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// Measures the replay of the page that REPLAY_PAGE names, for REPLAY_SECONDS: bench-replay.sh.
func TestReplaySpeed(t *testing.T) {
	page := os.Getenv("REPLAY_PAGE")
	if page == "" {
		t.Skip("REPLAY_PAGE names no page: see bench-replay.sh")
	}
	b := newTab(t, desk)
	b.run(emulation.SetEmulatedMedia().WithFeatures(nil),
		performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks), chromedp.Navigate("file://"+page))
	b.until(`document.querySelector("#replay canvas")?.dataset.drawn !== undefined`)
	first := eval[float64](b, `performance.getEntriesByName("replay")[0]?.startTime ?? performance.now()`)
	before := processor(b)
	frames := eval[[]float64](b, `(async () => {
		const seconds = `+os.Getenv("REPLAY_SECONDS")+`;
		document.querySelector("#replay").scrollIntoView();
		document.querySelector("#replay .replay-play").click();
		const times = [];
		const end = performance.now() + seconds * 1000;
		while (performance.now() < end) {
			await new Promise(requestAnimationFrame);
			times.push(performance.now());
		}
		return times;
	})()`)
	longest := 0.0
	for i := 1; i < len(frames); i++ {
		longest = max(longest, frames[i]-frames[i-1])
	}
	t.Logf("first picture after %.0f ms, %.0f ms of the processor; %.1f pictures a second, the longest wait %.0f ms, "+
		"%.1f ms of the processor for each", first, before,
		float64(len(frames)-1)/(frames[len(frames)-1]-frames[0])*1000, longest,
		(processor(b)-before)/float64(len(frames)))
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
