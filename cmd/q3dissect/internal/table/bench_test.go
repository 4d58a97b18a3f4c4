package table

import (
	"fmt"
	"runtime"
	"testing"
)

// manyRows is a table as -z conv makes it, of a number of rows.
func manyRows(n int) *Table {
	return &Table{
		Title: "conv", Indent: 2,
		Columns: []Column{
			{Name: "a"},
			{Name: "a_port", Right: true},
			{Name: "b"},
			{Name: "b_port", Right: true},
			{Name: "protocol"},
			{Name: "packets_to_b", Right: true, Place: BelowLine},
			{Name: "bytes_to_b", Right: true, Unit: "bytes", Place: BelowLine},
			{Name: "packets", Right: true},
			{Name: "bytes", Right: true, Unit: "bytes"},
			{Name: "start", Right: true, Unit: "s"},
		},
		Rows: func(yield func([]string) bool) {
			row := make([]string, 10)
			for i := range n {
				row[0], row[1] = fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), "27960"
				row[2], row[3], row[4] = "192.0.2.1", "27965", "quake3"
				row[5], row[6], row[7], row[8] = fmt.Sprint(i), fmt.Sprint(i*100), fmt.Sprint(i*2), fmt.Sprint(i*200)
				row[9] = fmt.Sprintf("%d.25", i/10)
				if !yield(row) {
					return
				}
			}
		},
	}
}

// The time of a row does not grow with their number, nor does the memory beside the output.
func BenchmarkText(b *testing.B) {
	for _, n := range []int{10, 1000, 200_000} {
		for _, width := range []int{0, 80} {
			b.Run(fmt.Sprintf("rows=%d/width=%d", n, width), func(b *testing.B) {
				t := manyRows(n)
				var out []byte
				for b.Loop() {
					out = t.AppendText(out[:0], Style{Width: width})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapSys>>20), "MB")
			})
		}
	}
}
