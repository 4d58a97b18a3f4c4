package command

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// writeReplayed writes a capture: a sample, with the first 44 datagrams of its first conversation repeated between its
// packets, from so many other addresses. It returns the endpoints of that conversation; false: there is none of two
// sides.
func writeReplayed(t *testing.T, to, sample string, clients int) (ends [2]netip.AddrPort, ok bool) {
	t.Helper()
	in, err := open.File(sample, open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var packets []dissect.Packet
	for p, err := range in.Packets() {
		if err != nil {
			break // some samples break off
		}
		if !p.UDP || p.Recorder != "" || p.Partial || p.Quote != nil {
			continue
		}
		if len(packets) == 0 {
			ends = [2]netip.AddrPort{p.Src, p.Dst}
		}
		if p.Src == ends[0] && p.Dst == ends[1] || p.Src == ends[1] && p.Dst == ends[0] {
			kept := *p
			kept.Payload, kept.Link, kept.Raw = bytes.Clone(p.Payload), nil, nil
			packets = append(packets, kept)
		}
	}
	if len(packets) < 9 {
		return ends, false
	}
	file, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := capture.NewPcapWriter(file)
	const begin = 44
	client, each := 0, (clients+len(packets)-1)/len(packets)
	for i := range packets {
		if err := w.Write(&packets[i]); err != nil {
			t.Fatal(err)
		}
		for range min(each, clients-client) {
			client++
			own := netip.AddrFrom4([4]byte{10, byte(client >> 16), byte(client >> 8), byte(client)})
			server := netip.AddrFrom4([4]byte{11, 0, 0, 1})
			for j := range min(begin, len(packets)) {
				p := packets[j]
				from, to := own, server
				if p.Src != ends[0] {
					from, to = server, own
				}
				p.Src, p.Dst = netip.AddrPortFrom(from, p.Src.Port()), netip.AddrPortFrom(to, p.Dst.Port())
				p.Time = packets[i].Time
				if err := w.Write(&p); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return ends, true
}

// outputOf runs the program and returns what it wrote.
func outputOf(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := exec.Command("q3dissect", args...).Output()
	if err != nil {
		t.Errorf("%q: %v", args, err)
	}
	return out
}

// peak runs the program and returns the memory that it had at most. Its output must not come here: the memory of this
// process at its beginning counts as its own.
func peak(t *testing.T, args ...string) (bytes int) {
	t.Helper()
	cmd := exec.Command("q3dissect", args...)
	err := cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code < 0 || code == 1 || code == 3 {
		t.Errorf("%q: %v", args, err)
	}
	return int(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
}

// inFile finds what is of the whole file: numbers of packets and matches, and what was forgotten.
var inFile = regexp.MustCompile(`(?m)^\{"incomplete".*\n|frames \[[\d ]*\]|` +
	`"([a-z_]*frames?|reassembled_from|match|time_delta)":([\d.]+|\[[^\]]*\]),?`)

// Whatever is asked about a capture in which a sample's beginning is replayed from many addresses: the program takes
// the memory that --memory allows and 150 MB, and says of the sample's own session what it says without the others. The
// verbs, forms and statistics are the program's own.
func TestReplayedSessions(t *testing.T) {
	samples, sizes, long := []string{"quake3/68-connect-play"}, []int{60}, os.Getenv("Q3DISSECT_LONG")
	switch long {
	case "":
	case "whole":
		sizes, samples = []int{1000, 10_000, 65_536}, nil
		names, _ := filepath.Glob("../../../samples/*/*.pcap")
		for _, name := range names {
			name, _ = filepath.Rel("../../../samples", name)
			samples = append(samples, strings.TrimSuffix(name, ".pcap"))
		}
	default:
		sizes = []int{1000}
		samples = append(samples, "quake3/jka-26-vehicle", "teeworlds/ddnet-join", "gamestudio/enet-godot3")
	}
	const memory, besides = 64, 150 // MB
	for _, sample := range samples {
		alone := filepath.Join(t.TempDir(), "alone.pcap")
		if _, ok := writeReplayed(t, alone, "../../../samples/"+sample+".pcap", 0); !ok {
			continue
		}
		for _, size := range sizes {
			dir := t.TempDir()
			in := filepath.Join(dir, "in.pcap")
			writeReplayed(t, in, "../../../samples/"+sample+".pcap", size)
			for _, verb := range [][]string{{"--json"}, {"events", "--json"}} {
				args := append(slices.Clone(verb), "-Y", "stream == 0", "--memory", fmt.Sprint(memory, "M"))
				want := outputOf(t, append(slices.Clone(args), alone)...)
				got := outputOf(t, append(slices.Clone(args), in)...)
				want, got = inFile.ReplaceAll(want, nil), inFile.ReplaceAll(got, nil)
				if len(want) == 0 && verb[0] == "--json" || !bytes.Equal(want, got) { // not all games have events
					t.Errorf("%s, %d addresses, %q: the sample's own session is read otherwise", sample, size, verb)
				}
			}
			for _, call := range lackingCalls(t, dir) {
				form := slices.ContainsFunc(call.args, func(arg string) bool { return arg == "--json" || arg == "-T" })
				if long == "" && (len(call.args) > 1 || call.records) || long != "whole" && form && sample != samples[0] {
					continue
				}
				args := slices.Clone(call.args)
				for i, arg := range args {
					if arg == "+" {
						args[i] = in
					}
				}
				if call.command.Flags().Lookup("memory") != nil {
					args = append(args, "--memory", fmt.Sprint(memory, "M"))
				}
				bytes := peak(t, append(args, in)...)
				t.Logf("%-24s %6d addresses, %4d MB: %q", sample, size, bytes>>20, call.args)
				if bytes>>20 > memory+besides {
					t.Errorf("%s, %d addresses, %q: %d MB, %d are allowed", sample, size, call.args, bytes>>20,
						memory+besides)
				}
			}
		}
	}
}
