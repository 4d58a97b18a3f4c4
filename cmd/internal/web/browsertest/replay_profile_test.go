package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// profile begins to sample what the page's scripts do.
func profile(b *tab) {
	b.run(profiler.Enable(), profiler.SetSamplingInterval(500), profiler.Start())
}

// profiled ends the sampling, and gives the functions that took the most, in milliseconds.
func profiled(b *tab, most int) string {
	self := map[string]float64{}
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		p, err := profiler.Stop().Do(ctx)
		if err != nil {
			return err
		}
		names := map[int64]string{}
		for _, n := range p.Nodes {
			names[n.ID] = fmt.Sprintf("%s:%d", cmp.Or(n.CallFrame.FunctionName, "?"), n.CallFrame.LineNumber+1)
		}
		for i, id := range p.Samples {
			self[names[id]] += float64(p.TimeDeltas[i]) / 1000
		}
		return nil
	}))
	list := slices.SortedFunc(maps.Keys(self), func(a, b string) int { return cmp.Compare(self[b], self[a]) })
	var out strings.Builder
	for _, name := range list[:min(most, len(list))] {
		fmt.Fprintf(&out, "\n%8.1f ms %s", self[name], name)
	}
	return out.String()
}

// trace begins to note when the page's thread makes a mark.
func trace(b *tab) {
	b.run(tracing.Start().WithTraceConfig(&tracing.TraceConfig{IncludedCategories: []string{"blink.user_timing"}}))
}

// threadTime ends the notes, and gives how long the page's thread had used the processor at a mark, in milliseconds: on
// a busy machine the time of day says little.
func threadTime(b *tab, mark string) (ms float64) {
	done := make(chan bool)
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, raw := range e.Value {
				var note struct {
					Name string
					TTS  float64
				}
				if json.Unmarshal(raw, &note) == nil && note.Name == mark {
					ms = note.TTS / 1000
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	b.run(tracing.End())
	<-done
	return ms
}
