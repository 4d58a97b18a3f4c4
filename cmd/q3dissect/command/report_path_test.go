package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A reportPath is a path in the document of a report.
type reportPath struct {
	Between         [2]string
	Direction       string
	Words           []string
	Seconds         float64
	Times           []float64
	Sent, Lost      []int
	Min             []*float64 `json:"delay_min"`
	Median          []*float64 `json:"delay_median"`
	Max             []*float64 `json:"delay_max"`
	Client, Server  string
	Clock, Protocol string
	Files           [2]string
	Reordered       []int
}

// TestReportPath compares the section of the report with what compare --json --seconds prints of the same captures, for
// two places and for three.
func TestReportPath(t *testing.T) {
	t.Parallel()
	files, _ := makePath(t, 11, []hop{
		{loss: 0.03, delay: [2]float64{0.01, 0.01}, jitter: 0.004, offset: 5},
		{loss: 0.01, delay: [2]float64{0.02, 0.03}, jitter: 0.004, client: "203.0.113.77:61042"},
	})
	for n := 2; n <= len(files); n++ {
		page := filepath.Join(t.TempDir(), "report.html")
		runMain(t, append([]string{"report", "-q", "--compare", "-o", page}, files[:n]...)...)
		paths := reportPaths(t, page)
		out, _ := runMain(t, append([]string{"compare", "--json", "--seconds"}, files[:n]...)...)
		type second struct {
			Compare, Direction string
			Time               time.Time
			Sent, Lost         int
			Min                *float64 `json:"delay_min_ms"`
			Median             *float64 `json:"delay_median_ms"`
			Max                *float64 `json:"delay_max_ms"`
		}
		at, compared := -1, 0
		var first time.Time
		for line := range strings.Lines(string(out)) {
			var s second
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatal(err)
			}
			switch s.Compare {
			case "path":
				at++
				first = time.Time{}
				if paths[at].Direction != s.Direction || len(paths[at].Words) < 3 || paths[at].Seconds != 1 {
					t.Errorf("path %d: %+v", at, paths[at])
				}
			case "second":
				if first.IsZero() {
					first = s.Time
				}
				i, p := int(s.Time.Sub(first).Seconds()), paths[at]
				if p.Times[i] != float64(i) || p.Sent[i] != s.Sent || p.Lost[i] != s.Lost ||
					!nearly(p.Min[i], s.Min) || !nearly(p.Median[i], s.Median) || !nearly(p.Max[i], s.Max) {
					t.Errorf("path %d, second %d: not as in %s", at, i, line)
				}
				compared++
			}
		}
		if at+1 != len(paths) || len(paths) != 2*(n-1) || compared < 2*(n-1)*590 {
			t.Errorf("%d paths in the report, %d compared, %d seconds", len(paths), at+1, compared)
		}
	}
}

// nearly compares milliseconds, which may be rounded in different ways.
func nearly(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) < 0.0015
}

// reportPaths returns the paths in the document of a page.
func reportPaths(t *testing.T, page string) []reportPath {
	t.Helper()
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(html, []byte(`<script id="data" type="application/json">`))
	data, _, _ := bytes.Cut(rest, []byte("</script>"))
	var packed struct{ Data []byte }
	if err := json.Unmarshal(data, &packed); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed.Data))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Compared bool
		Paths    []reportPath
	}
	if err := json.NewDecoder(z).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if !d.Compared {
		t.Error("the report says nothing of a comparison")
	}
	return d.Paths
}
