package browse_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/convert"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

// export gives an exported file.
func export(t *testing.T, s *browse.Session, query string) string {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.ExportQuery(context.Background(), &b, values); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return b.String()
}

// Records are those of the command, of all packets and of those that match a filter.
func TestExportJSON(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quake3/68-connect-play.pcap", "teeworlds/07-ctf.demo", "gamestudio/enet-0ad.pcap"} {
		file := "../../../samples/" + name
		s := begin(t, browse.Options{Workers: 2}, file)
		for _, text := range []string{"", "length > 60"} {
			o := convert.Options{Protocols: all.Protocols(), Name: file}
			if text != "" {
				f, err := filter.Records(o.Protocols).Compile(text)
				if err != nil {
					t.Fatal(err)
				}
				o.Filter = f
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if _, err := convert.Run(bytes.NewReader(b), convert.Outputs{Records: &want}, o); err != nil {
				t.Fatal(err)
			}
			got := export(t, s, "form=json&filter="+url.QueryEscape(text))
			if got != want.String() || want.Len() == 0 {
				t.Errorf("%s, filter %q: %d bytes, want %d", name, text, len(got), want.Len())
			}
		}
	}
}

// Records of a sorted list come in its order, each line that of its row; packets stay in the order of the capture.
func TestExportSortedJSON(t *testing.T) {
	t.Parallel()
	files := []string{"../../../samples/quake3/oob.pcap", "../../../samples/quake3/71-ipv6-chat.pcap"}
	for _, o := range []browse.Options{{Workers: 2}, {InMemory: true}} {
		s := begin(t, o, files...)
		for _, text := range []string{"", "length > 60"} {
			unsorted := strings.SplitAfter(export(t, s, "form=json&filter="+url.QueryEscape(text)), "\n")
			rows := sorted(t, s, text, "number").Rows
			if len(unsorted) != len(rows)+1 {
				t.Fatalf("filter %q: %d lines, %d rows", text, len(unsorted)-1, len(rows))
			}
			lines := map[int]string{}
			for i, r := range rows {
				lines[r.Row] = unsorted[i]
			}
			for _, column := range []string{"-length", "info", "quake3.netchan.sequence"} {
				var want strings.Builder
				for _, r := range sorted(t, s, text, column).Rows {
					want.WriteString(lines[r.Row])
				}
				got := export(t, s, "form=json&filter="+url.QueryEscape(text)+"&sort="+column)
				if got != want.String() || got == strings.Join(unsorted, "") {
					t.Errorf("%q by %s: %d bytes, want %d in the order of the list", text, column, len(got), want.Len())
				}
			}
			if export(t, s, "form=pcapng&sort=-length") != export(t, s, "form=pcapng") {
				t.Errorf("packets of a sorted list are not in the order of the capture")
			}
		}
	}
}

// Packets are those of the capture, with their times and bytes.
func TestExportPackets(t *testing.T) {
	t.Parallel()
	const file = "../../../samples/quake3/68-connect-play.pcap"
	s := begin(t, browse.Options{Application: "q3dissect test"}, file)
	packets := func(in io.Reader, keep func(n uint64) bool) (list []string) {
		r, err := capture.NewReader(in, capture.Options{Raw: true, All: true})
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); ; n++ {
			p, err := r.Next()
			if errors.Is(err, io.EOF) {
				return list
			} else if err != nil {
				t.Fatal(err)
			}
			if keep(n) {
				list = append(list, strconv.FormatInt(p.Time, 10)+string(p.Raw.Data))
			}
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	everything := func(uint64) bool { return true }
	for filter, keep := range map[string]func(uint64) bool{
		"":                          everything,
		"frame in {3, 7, 100..110}": func(n uint64) bool { return n == 3 || n == 7 || n >= 100 && n <= 110 },
	} {
		got := packets(strings.NewReader(export(t, s, "form=pcapng&filter="+url.QueryEscape(filter))), everything)
		if want := packets(bytes.NewReader(b), keep); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("filter %q: %d packets, want %d", filter, len(got), len(want))
		}
	}
	demo := begin(t, browse.Options{}, "../../../samples/teeworlds/07-ctf.demo")
	var nothing bytes.Buffer
	err = demo.Export(context.Background(), &nothing, &browse.Export{Form: "pcapng"})
	if err == nil || nothing.Len() > 0 {
		t.Errorf("a demo: %v, %d bytes", err, nothing.Len())
	}
}

// CSV has the columns of the list with those that were chosen, in its order.
func TestExportCSV(t *testing.T) {
	t.Parallel()
	s := begin(t, browse.Options{}, "../../../samples/quake3/68-connect-play.pcap")
	const field = "quake3.server_message.ops.snapshot.server_time"
	lines, err := csv.NewReader(strings.NewReader(export(t, s,
		"form=csv&filter=frame+%3E+20&sort=-length&columns=stream,"+field))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := []string{"number", "time", "source", "destination", "protocol", "length", "info", "stream", field}
	if len(lines) != 481 || !slices.Equal(lines[0], head) {
		t.Fatalf("%d lines, the first is %q", len(lines), lines[0])
	}
	shown := sorted(t, s, "frame > 20", "-length")
	for i, r := range shown.Rows {
		want := []string{
			strconv.FormatUint(r.Number, 10), r.Time, r.Source, r.Destination, r.Protocol, strconv.Itoa(r.Length), r.Info,
		}
		if !slices.Equal(lines[i+1][:7], want) {
			t.Fatalf("line %d is %q, want %q", i+1, lines[i+1], want)
		}
		values, err := s.Column(field, []int{r.Row})
		if err != nil || lines[i+1][8] != values.Values[0] || lines[i+1][7] != strconv.Itoa(r.Stream) {
			t.Fatalf("line %d is %q, want the time %q", i+1, lines[i+1], values.Values)
		}
	}
	several := begin(t, browse.Options{}, "../../../samples/quake3/oob.pcap",
		"../../../samples/quake3/68-connect-play.pcap")
	first, _, _ := strings.Cut(export(t, several, "form=csv"), "\r\n")
	if first != "file,number,time,source,destination,protocol,length,info" {
		t.Errorf("of several files the head is %q", first)
	}
}

// Texts of a capture are no formulas of a spreadsheet; numbers below zero stay numbers.
func TestExportCSVHasNoFormulas(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "+x": "'+x", "-x": "'-x", "-12.5": "-12.5", "\tx": "'\tx", "say": "say",
		"": "",
	} {
		if got := browse.CSVCell(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

// What is wrong with an export is reported before anything is written; one that nobody waits for ends.
func TestExportRefuses(t *testing.T) {
	t.Parallel()
	s := begin(t, browse.SortingBytes(browse.Options{}, 10_000), "../../../samples/quake3/68-connect-play.pcap")
	for _, e := range []browse.Export{
		{},
		{Form: "xml"},
		{Form: "json", Filter: "lenght > 4"},
		{Form: "pcapng", Filter: "("},
		{Form: "csv", Fields: []string{"colour"}},
		{Form: "csv", Sort: "colour"},
		{Form: "json", Sort: "colour"},
		{Form: "json", Sort: "length"}, // too much to sort
	} {
		var b bytes.Buffer
		if err := s.Export(context.Background(), &b, &e); err == nil || b.Len() > 0 {
			t.Errorf("%+v: %v, %d bytes", e, err, b.Len())
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, form := range browse.ExportForms() {
		for _, column := range []string{"", "length"} {
			e := browse.Export{Form: form, Sort: column}
			if err := s.Export(ctx, io.Discard, &e); !errors.Is(err, context.Canceled) {
				t.Errorf("%s by %q, stopped: %v", form, column, err)
			}
		}
	}
}
