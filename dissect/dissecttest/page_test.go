package dissecttest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/dissecttest/testdata/house/dissect/raknet"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// The example of docs/adding-a-protocol.md, a repository in small.
const (
	exampleHouse  = "testdata/house"
	exampleSample = exampleHouse + "/samples/raknet/ping.pcap"
)

func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The example gives what Wireshark's dissector read from the same capture.
func TestExampleTruth(t *testing.T) {
	t.Parallel()
	paths := []string{
		"raknet.id", "raknet.time", "raknet.client_guid", "raknet.server_guid", "raknet.magic",
		"raknet.text_length", "raknet.text",
	}
	bases := []int{0, 10, 16, 16, 0, 10, 0} // as tshark writes the numbers; 0: it is text
	var got []string
	for rec, err := range open.Records(exampleSample, []*dissect.Protocol{raknet.New()}, dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		values := []string{strconv.FormatUint(rec.Frame, 10)}
		for i, path := range paths {
			switch v := rec.Lookup(path); {
			case !v.Exists():
				values = append(values, "")
			case i == 0:
				values = append(values, fmt.Sprintf("0x%02x", v.Uint()))
			case bases[i] == 16:
				values = append(values, fmt.Sprintf("%016x", v.Uint()))
			default:
				values = append(values, v.String())
			}
		}
		got = append(got, strings.Join(values, "\t"))
	}
	want := strings.Split(strings.TrimSuffix(readText(t, exampleHouse+"/samples/raknet/truth/ping.tsv"), "\n"), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-tshark +example:\n%s", diff)
	}
}

// The example's script test and page of fields are what the program makes.
func TestExampleDocuments(t *testing.T) {
	t.Parallel()
	var list []byte
	var l render.List
	for rec, err := range open.Records(exampleSample, []*dissect.Protocol{raknet.New()}, dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		list = l.Append(list, rec)
	}
	_, golden, _ := strings.Cut(readText(t, exampleHouse+"/cmd/q3dissect/command/testdata/script/samples_raknet.txtar"),
		"-- list.txt --\n")
	if diff := cmp.Diff(golden, string(list)); diff != "" {
		t.Errorf("-script +list:\n%s", diff)
	}
	for _, page := range schema.Pages([]*dissect.Protocol{raknet.New()}) {
		if page.Name != "fields/raknet.md" {
			continue
		}
		if diff := cmp.Diff(readText(t, exampleHouse+"/docs/"+page.Name), string(page.Text)); diff != "" {
			t.Errorf("%s (-file +program):\n%s", page.Name, diff)
		}
		return
	}
	t.Error("no page of fields")
}

// A quotation is a block of code on the page; the paragraph before it begins with the name of the file.
var quotation = regexp.MustCompile("(?m)^`([^`\n]+)`[^\n]*(?:\n[^\n]+)*?:\n\n```[a-z]*\n((?s:.*?))```$")

// What the page shows as code of a file is in that file.
func TestPageQuotesTheExample(t *testing.T) {
	t.Parallel()
	page := readText(t, "../../docs/adding-a-protocol.md")
	quotations := quotation.FindAllStringSubmatch(page, -1)
	if blocks := strings.Count(page, "\n```go\n"); blocks < 6 || len(quotations) < blocks {
		t.Errorf("%d blocks of code, %d of them name their file", blocks, len(quotations))
	}
	for _, q := range quotations {
		name := exampleHouse + "/" + q[1]
		for _, ours := range []string{"dissect/dissecttest/", "cmd/q3dissect/command/testdata/module/"} {
			if strings.HasPrefix(q[1], ours) {
				name = "../../" + q[1]
			}
		}
		if !strings.Contains(readText(t, name), q[2]) {
			t.Errorf("%s does not have:\n%s", q[1], q[2])
		}
	}
}

// The page shows what the kit reports for the example before it has documents.
func TestPageShowsTheReports(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	s, err := Kit{Protocol: raknet.New(), Samples: []string{exampleSample}, Root: empty}.load()
	if err != nil {
		t.Fatal(err)
	}
	page := readText(t, "../../docs/adding-a-protocol.md")
	reports := s.check(rule{"documents", (*suite).documents})
	reports = append(reports, s.check(rule{"prefixes", (*suite).prefixes})[0])
	for _, report := range reports {
		if !strings.Contains(page, report+"\n") {
			t.Errorf("the page lacks %q", report)
		}
	}
}
