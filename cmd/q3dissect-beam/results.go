package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
)

func endpoint(addr string, port int64) string {
	if addr == "" {
		return ""
	}
	return net.JoinHostPort(addr, strconv.FormatInt(port, 10))
}

// mergeFn combines the parts of an input to one line.
type mergeFn struct{}

// ProcessElement emits the line of the manifest. An input with a missing part has none: the dead letters have
// the reason.
func (mergeFn) ProcessElement(input string, next func(*Done) bool, emit func(string)) error {
	sum := Done{Input: input, Files: []string{}}
	parts := 0
	for d := (Done{}); next(&d); d = (Done{}) {
		parts++
		sum.Parts, sum.Packets = d.Parts, d.Packets // each part reads all packets
		sum.Game, sum.Messages, sum.Damaged = sum.Game+d.Game, sum.Messages+d.Messages, sum.Damaged+d.Damaged
		sum.Files = append(sum.Files, d.Files...)
		if d.Broken != "" {
			sum.Broken = d.Broken
		}
	}
	if parts != sum.Parts {
		return nil
	}
	slices.Sort(sum.Files)
	return emitJSON(sum, emit)
}

// linesFn writes a file.
type linesFn struct{ Name string }

// ProcessElement writes all lines, sorted.
func (f *linesFn) ProcessElement(ctx context.Context, _ int, next func(*string) bool) error {
	var lines []string
	for line := ""; next(&line); {
		if line != "" {
			lines = append(lines, line+"\n")
		}
	}
	slices.Sort(lines)
	return publishBytes(ctx, []byte(strings.Join(lines, "")), f.Name)
}

// totals are the counters of a job.
type totals struct{ tasks, dead, packets, game, messages, damaged, files int64 }

func (t totals) String() string {
	return fmt.Sprintf("%d packets, %d game datagrams, %d messages, %d damaged; %d tasks, %d files, %d dead letters",
		t.packets, t.game, t.messages, t.damaged, t.tasks, t.files, t.dead)
}

// counted returns the counters of a job that ended.
func counted(result beam.PipelineResult) totals {
	sum := map[string]int64{}
	if result != nil {
		all := result.Metrics().Query(func(m metrics.SingleResult) bool { return m.Namespace() == countersNamespace })
		for _, c := range all.Counters() {
			sum[c.Name()] += c.Result()
		}
	}
	return totals{
		sum["tasks"], sum["dead_letters"], sum["packets"], sum["game_datagrams"], sum["messages"],
		sum["damaged"], sum["files"],
	}
}
