package command

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

// A pdmlElement is a proto or a field of PDML.
type pdmlElement struct {
	Name   string        `xml:"name,attr"`
	Show   string        `xml:"show,attr"`
	Fields []pdmlElement `xml:"field"`
}

// leaves calls found for the elements without others inside.
func (e *pdmlElement) leaves(found func(name, show string)) {
	if len(e.Fields) == 0 {
		found(e.Name, e.Show)
	}
	for i := range e.Fields {
		e.Fields[i].leaves(found)
	}
}

// The forms that tools for tshark read have the packets and values of the other forms, for every sample.
func TestTsharkForms(t *testing.T) {
	t.Parallel()
	for _, file := range comparedFiles(t) {
		list, _ := runMain(t, file, "--show-secrets", "-T", "fields", "-E", "separator=|",
			"-e", "frame", "-e", "demo_message", "-e", "info")
		var want []string
		for line := range strings.Lines(string(list)) {
			number, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
			message, info, _ := strings.Cut(rest, "|")
			want = append(want, number+message+" "+info)
		}
		var psml struct {
			Packets []struct {
				Section []string `xml:"section"`
			} `xml:"packet"`
		}
		decodeXML(t, file, "psml", &psml)
		tabs, _ := runMain(t, file, "-T", "tabs", "--show-secrets")
		lines := strings.Split(strings.TrimSuffix(string(tabs), "\n"), "\n")
		if len(want) > 0 && (len(psml.Packets) != len(want) || len(lines) != len(want)) {
			t.Fatalf("%s: %d packets in PSML, %d between tabs, want %d", file, len(psml.Packets), len(lines), len(want))
		}
		for i := range want {
			cells, columns := psml.Packets[i].Section, strings.Split(lines[i], "\t")
			if len(cells) != 7 || len(columns) != 8 || cells[0]+" "+cells[6] != want[i] ||
				columns[0]+" "+columns[7] != want[i] || columns[3] != "→" || cells[2] != columns[2] || cells[5] != columns[6] {
				t.Fatalf("%s: %q and %q, want %q", file, cells, columns, want[i])
			}
		}
		checkPDML(t, file, len(want))
		checkBulk(t, file)
	}
}

func decodeXML(t *testing.T, file, form string, to any) {
	t.Helper()
	text, _ := runMain(t, file, "-T", form, "--show-secrets")
	if err := xml.Unmarshal(text, to); err != nil {
		t.Fatalf("%s as %s: %v", file, form, err)
	}
}

// checkPDML compares the numbers in PDML with those of JSON.
func checkPDML(t *testing.T, file string, packets int) {
	var pdml struct {
		Packets []struct {
			Protos []pdmlElement `xml:"proto"`
		} `xml:"packet"`
	}
	decodeXML(t, file, "pdml", &pdml)
	if len(pdml.Packets) != packets {
		t.Fatalf("%s: %d packets in PDML, want %d", file, len(pdml.Packets), packets)
	}
	records, _ := runMain(t, file, "--show-secrets", "--json", "--no-names")
	d := json.NewDecoder(bytes.NewReader(records))
	for i := range pdml.Packets {
		var record map[string]json.RawMessage
		if err := d.Decode(&record); err != nil {
			t.Fatal(err)
		}
		protos := pdml.Packets[i].Protos
		var got []string
		for p := range protos {
			if protos[p].Name != "geninfo" && record[protos[p].Name] != nil {
				protos[p].leaves(func(name, show string) { got = append(got, name+"="+show) })
			}
		}
		// Every number of the record is the value of some element with its path. Order and the texts differ.
		have := make(map[string]int)
		for _, leaf := range got {
			have[leaf]++
		}
		for key, value := range record {
			if len(value) == 0 || value[0] != '{' || key == "link" {
				continue
			}
			dec := json.NewDecoder(bytes.NewReader(value))
			dec.UseNumber()
			var tree any
			if err := dec.Decode(&tree); err != nil {
				t.Fatal(err)
			}
			numbers(tree, key, func(path, number string) {
				if have[path+"="+number] == 0 {
					t.Fatalf("%s, packet %d: PDML has no %s=%s", file, i+1, path, number)
				}
				have[path+"="+number]--
			})
		}
	}
}

// numbers calls found for the numbers of a JSON value, with the paths that filters have.
func numbers(v any, path string, found func(path, number string)) {
	switch v := v.(type) {
	case json.Number:
		found(path, v.String())
	case []any:
		for _, e := range v {
			numbers(e, path, found)
		}
	case map[string]any:
		for key, e := range v {
			numbers(e, path+"."+key, found)
		}
	}
}

// checkBulk compares the bulk lines with JSON.
func checkBulk(t *testing.T, file string) {
	records, _ := runMain(t, file, "--show-secrets", "--json")
	bulk, _ := runMain(t, file, "-T", "ek", "--show-secrets")
	lines := bytes.SplitAfter(bulk, []byte("\n"))
	i := 0
	for record := range bytes.Lines(records) {
		if bytes.HasPrefix(record, []byte(`{"file_error"`)) {
			continue
		}
		var index struct{ Index map[string]string }
		var document struct {
			Timestamp string
			Layers    json.RawMessage
		}
		var head struct {
			Time       string
			Time_epoch json.Number
		}
		for at, to := range []any{&index, &document} {
			if err := json.Unmarshal(lines[2*i+at], to); err != nil {
				t.Fatal(err)
			}
		}
		if err := json.Unmarshal(record, &head); err != nil {
			t.Fatal(err)
		}
		day, millis := "packets", ""
		if head.Time != "" {
			whole, fraction, _ := strings.Cut(head.Time_epoch.String(), ".")
			day, millis = fmt.Sprintf("packets-%.10s", head.Time), whole+fraction[:3]
		}
		if index.Index["_index"] != day || document.Timestamp != millis ||
			!bytes.Equal(document.Layers, bytes.TrimSpace(record)) {
			t.Fatalf("%s: %s%s", file, lines[2*i], lines[2*i+1])
		}
		i++
	}
	if len(lines) != 2*i+1 {
		t.Errorf("%s: %d bulk lines for %d records", file, len(lines)-1, i)
	}
}
