package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Columns and filters under Wireshark's names have the values that tshark prints.
func TestTsharkNames(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	names := []string{
		"frame.number", "frame.time_epoch", "frame.time_relative", "frame.time_delta", "frame.len", "frame.cap_len",
		"frame.comment", "udp", "udp.srcport", "udp.dstport", "udp.port", "udp.length", "udp.payload", "eth.src", "eth.dst",
		"ip", "ipv6", "_ws.col.Length",
	}
	for _, sample := range []struct {
		file  string
		names []string // of its version of IP
	}{
		{sample("quake3", "71-ipv6-chat.pcap"), []string{"ipv6.src", "ipv6.dst", "ipv6.hlim"}},
		{sample("quake3", "68-connect-play.pcap"), []string{"ip.src", "ip.dst", "ip.addr", "ip.ttl"}},
		{sample("quake3", "oob.pcap"), nil}, // both versions
		{sample("teeworlds", "ddnet-join.pcap"), []string{"ip.src", "ip.dst", "ip.addr", "ip.ttl"}},
	} {
		args := []string{"-T", "fields", "-E", "header=y"}
		for _, name := range append(names, sample.names...) {
			args = append(args, "-e", name)
		}
		want := strings.Split(strings.TrimSpace(string(s.plain(t, sample.file, args...))), "\n")
		own, _ := runMain(t, append([]string{sample.file, "--all"}, args...)...)
		got := strings.Split(strings.TrimSpace(string(own)), "\n")
		if len(want) != len(got) || len(want) < 10 {
			t.Fatalf("%s: %d lines, tshark has %d", filepath.Base(sample.file), len(got), len(want))
		}
		for i := range want {
			if want[i] != got[i] {
				t.Errorf("%s, line %d:\n%s\ntshark:\n%s", filepath.Base(sample.file), i+1, got[i], want[i])
				break
			}
		}
		filters := []string{
			"frame.len > 120", "udp.length == 47", "frame.time_delta > 0.02", "udp.payload contains 67:65:74", "ip", "ipv6",
			"udp and frame.cap_len < 90", "eth.src == 00:00:00:00:00:00", "max(udp.srcport, udp.dstport) == 27965",
			`string(frame.number) matches "^1[0-9]$"`,
		}
		for i, want := range s.selected(t, sample.file, filters) {
			got, _ := runMain(t, sample.file, "--all", "-T", "fields", "-e", "frame.number", "-Y", filters[i])
			if string(got) != want {
				t.Errorf("%s, %s: frames %.60q, tshark has %.60q", filepath.Base(sample.file), filters[i], got, want)
			}
		}
	}
}

// selected returns the numbers of the frames that each of the filters selects in tshark, a line for each. A script
// listens for all of them, so that tshark starts once.
func (s *tshark) selected(t *testing.T, file string, filters []string) []string {
	t.Helper()
	var script strings.Builder
	for i, filter := range filters {
		fmt.Fprintf(&script, "function listen(tap) tap.packet = function(p) print(%d, p.number) end end\n"+
			"listen(Listener.new(\"frame\", %q))\n", i, filter)
	}
	name := filepath.Join(t.TempDir(), "listen.lua")
	if err := os.WriteFile(name, []byte(script.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	list := make([]string, len(filters))
	for line := range strings.Lines(string(s.plain(t, file, "-q", "-X", "lua_script:"+name))) {
		index, number, _ := strings.Cut(line, "\t")
		i, err := strconv.Atoi(index)
		if err != nil || i >= len(list) {
			t.Fatalf("tshark printed %q", line)
		}
		list[i] += number
	}
	return list
}
