package browse_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// BenchmarkList makes the rows of captures of every family, as the page without a server does.
func BenchmarkList(b *testing.B) {
	for _, name := range []string{
		"quake3/68-natrebind.pcap", "quake3/71-ipv6-chat.pcap", "quake3/et-84-play.pcap", "teeworlds/ddnet-join.pcap",
		"teeworlds/07-ipv6-join.pcap", "gamestudio/enet-0ad.pcap",
	} {
		b.Run(strings.TrimSuffix(filepath.Base(name), ".pcap"), func(b *testing.B) {
			source := browse.File(filepath.Join("..", "..", "..", "samples", name))
			data, err := os.ReadFile(source.Path)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				s, err := browse.Open([]browse.Source{source}, browse.Options{Protocols: all.Protocols(), InMemory: true})
				if err != nil {
					b.Fatal(err)
				}
				s.Wait()
				rows += s.Status().Rows
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
