package command

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The dumps of -z follow are tshark's, but for the filter's name and carriage returns.
func TestTsharkFollow(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	for _, file := range []string{sample("quake3", "68-connect-play.pcap"), sample("quake3", "71-ipv6-chat.pcap")} {
		for _, form := range []string{"ascii", "hex"} {
			want := string(s.plain(t, file, "-q", "-z", "follow,udp,"+form+",0"))
			want = strings.Replace(want, "udp.stream eq 0", "stream == 0", 1)
			if form == "ascii" {
				want = strings.ReplaceAll(want, "\r", ".")
			}
			got, _ := runMain(t, file, "-q", "-z", "follow,udp,"+form+",0")
			if string(got) != want || len(want) < 10_000 {
				t.Errorf("%s as %s: %d bytes, tshark has %d", file, form, len(got), len(want))
			}
		}
	}
	// Two endpoints choose the same datagrams.
	file := sample("quake3", "68-connect-play.pcap")
	want, _ := runMain(t, file, "-q", "-z", "follow,udp,hex,0")
	got, _ := runMain(t, file, "-q", "-z", "follow,udp,hex,127.0.0.1:27960,127.0.0.1:27965")
	if !bytes.Equal(got, want) {
		t.Errorf("by endpoints: %d bytes, by stream %d", len(got), len(want))
	}
}

// What a conversation counts between its lines is all there is.
func TestFollowCounts(t *testing.T) {
	t.Parallel()
	for _, file := range []string{sample("quake3", "68-connect-play.pcap"), sample("quake3", "71-ipv6-chat.pcap")} {
		text, _ := runMain(t, file, "-q", "-z", "follow,0")
		for word, field := range map[string]string{
			"move":     "(quake3.client_message.ops.move or quake3.client_message.ops.move_no_delta)",
			"snapshot": "quake3.server_message.ops.snapshot",
		} {
			records, _ := runMain(t, file, "-T", "fields", "-e", "frame", "-Y", field+" and stream == 0")
			sum := 0
			for _, found := range regexp.MustCompile(`([0-9]+) × `+word).FindAllSubmatch(text, -1) {
				n, err := strconv.Atoi(string(found[1]))
				if err != nil {
					t.Fatal(err)
				}
				sum += n
			}
			if want := bytes.Count(records, []byte("\n")); sum != want || want < 100 {
				t.Errorf("%s: %d times %s, want %d", file, sum, word, want)
			}
		}
	}
}

// The calculations of -z io,stat are tshark's. go test has those of one sample. One run of tshark makes all tables.
func TestTsharkIO(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	for i, file := range []string{sample("teeworlds", "ddnet-join.pcap"), sample("quake3", "68-connect-play.pcap")} {
		if i > 0 && !long() {
			break
		}
		asked := []string{"-q"}
		calculations := []string{
			"SUM(frame.len)frame.len", "MIN(udp.length)udp.length && udp.length > 20", "MAX(udp.length)udp.length",
			"COUNT(udp.srcport)udp.srcport", "MAX(frame.time_delta)frame.time_delta", "SUM(udp.port)udp.port",
		}
		for _, about := range calculations {
			asked = append(asked, "-z", "io,stat,1,"+about)
		}
		printed := strings.Split(string(s.plain(t, file, asked...)), "| IO Statistics")[1:]
		for _, about := range calculations {
			at := slices.IndexFunc(printed, func(table string) bool { return strings.Contains(table, "Col 1: "+about+" ") })
			if at < 0 {
				t.Fatalf("%s: tshark has no table of %s", file, about)
			}
			text := printed[at]
			var want []string
			for _, row := range regexp.MustCompile(`(?m)^\|\s*\d+ <> \s*(?:\d+|Dur) *\|\s*([0-9.]+) \|`).FindAllStringSubmatch(text, -1) {
				want = append(want, number(t, row[1]))
			}
			rows, _ := runMain(t, file, "--all", "-q", "-z", "io,stat,1,"+about, "--json")
			var got []string
			for line := range bytes.Lines(rows) {
				var row struct{ Value json.Number }
				if err := json.Unmarshal(line, &row); err != nil {
					t.Fatal(err)
				}
				got = append(got, number(t, row.Value.String()))
			}
			if !slices.Equal(got, want) || len(want) < 3 {
				t.Errorf("%s, %s: %q, tshark has %q\n%s", file, about, got, want, text)
			}
		}
	}
}

// number returns a decimal without noughts at its end; 0 for an interval without a value.
func number(t *testing.T, s string) string {
	if s == "" {
		return "0"
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
