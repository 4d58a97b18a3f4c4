package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/tsharkprofile"
	"github.com/q3dissect/q3dissect/dissect/all"
)

func sample(game, name string) string { return filepath.Join("..", "..", "..", "samples", game, name) }

// frames returns the numbers of the records that a filter selects.
func frames(t *testing.T, file, filter string) string {
	t.Helper()
	out, _ := runMain(t, file, "-Y", filter, "-T", "fields", "-e", "frame")
	return string(out)
}

// A filter selects the same packets in tshark as in q3dissect, with q3dissect. before the names. go test has some
// filters.
func TestWiresharkFilters(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	const q = "q3dissect."
	tests := []struct{ file, own, other string }{
		{sample("quake3", "68-connect-play.pcap"), `quake3.server_message.ops.snapshot.server_time > 9000`, ""},
		{sample("quake3", "68-connect-play.pcap"), `quake3.server_message.ops.snapshot.entities.e_type == "event_obituary"`, q + `quake3.server_message.ops.snapshot.entities.e_type_name == "event_obituary"`},
		{sample("quake3", "68-connect-play.pcap"), `quake3.server_message.ops.snapshot.entities.pos.tr_base.x < -300`, ""},
		{sample("quake3", "68-connect-play.pcap"), `quake3.netchan.fragmented == true`, ""},
		{sample("quake3", "68-natrebind.pcap"), `quake3.client_message.ops.move.user_commands.buttons == "attack"`, q + `quake3.client_message.ops.move.user_commands.buttons_names == "attack"`},
		{sample("quake3", "68-connect-play.pcap"), `quake3.server_message.ops.snapshot.player_state.stats.0`, ""},
		{sample("quake3", "68-fragment-loss.pcap"), `expert.code == "fragment_lost"`, ""},
		{sample("quake3", "oob.pcap"), `quake3.oob.command == "rcon"`, ""},
		{sample("quake3", "oob.pcap"), `quake3.oob.info.mapname`, q + `quake3.oob.info.pair contains "mapname\\"`},
		{sample("quake3", "71-ipv6-chat.pcap"), `info contains "chat"`, ""},
		{sample("quake3", "71-ipv6-chat.pcap"), `direction == "client_to_server" and length > 60`, ""},
		{sample("quake3", "jka-26-vehicle.pcap"), `quake3.server_message.ops.snapshot.vehicle_state`, ""},
		{sample("teeworlds", "ddnet-join.pcap"), `teeworlds.chunks.snapshot.items.character.x`, ""},
		{sample("teeworlds", "07-made.pcap"), `expert.severity == "error"`, ""},
		{sample("gamestudio", "enet-0ad.pcap"), `enet.commands.send_reliable`, ""},
	}
	for i, test := range tests {
		if i%7 > 0 && !long() {
			continue // tshark takes half a second to load the plug-in
		}
		if test.other == "" {
			test.other = qualified(test.own)
		}
		want := frames(t, test.file, test.own)
		got := string(s.run(t, exportPDUs(t, test.file), "-Y", test.other, "-T", "fields", "-e", "q3dissect.frame"))
		if want != got {
			t.Errorf("%s %s:\n%s\ntshark has\n%s", test.file, test.own, strings.Fields(want), strings.Fields(got))
		}
		if want == "" {
			t.Errorf("%s %s: selects nothing", test.file, test.own)
		}
	}
}

// qualified puts q3dissect. before the names in a filter.
func qualified(filter string) string {
	words := strings.Fields(filter)
	for i, w := range words {
		if w[0] >= 'a' && w[0] <= 'z' && w != "and" && w != "or" && w != "contains" && w != "true" {
			words[i] = "q3dissect." + w
		}
	}
	return strings.Join(words, " ")
}

// Exported PDUs are read like the capture, whatever was selected; with the packets beside them nothing is read twice.
func TestWiresharkBack(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		sample("quake3", "68-connect-play.pcap"), sample("quake3", "71-ipv6-chat.pcap"),
		sample("teeworlds", "ddnet-join.pcap"), sample("gamestudio", "enet-0ad.pcap"),
		sample("quake3", "68-fragment-loss.pcap"),
	} {
		want, _ := runMain(t, file, "--json")
		got, _ := runMain(t, exportPDUs(t, file), "--json")
		if !bytes.Equal(want, got) {
			t.Errorf("%s: other records", file)
		}
		both := filepath.Join(t.TempDir(), "both.pcapng")
		runMain(t, file, "-q", "-w", both, "--pdu=both")
		want, _ = runMain(t, file, "-T", "fields", "-e", "time", "-e", "length", "-e", "info")
		if got, _ = runMain(t, both, "-T", "fields", "-e", "time", "-e", "length", "-e", "info"); !bytes.Equal(want, got) {
			t.Errorf("%s with both: other records", file)
		}
	}

	file := sample("quake3", "68-connect-play.pcap")
	want, _ := runMain(t, file, "-T", "fields", "-e", "info", "-Y", "frame == 350")
	for _, args := range [][]string{{"frame == 350", "--with-context"}, {"frame == 350", "--with-context", "-c", "400"}} {
		got, _ := runMain(t, exportPDUs(t, file, args...), "-T", "fields", "-e", "info")
		if !bytes.HasSuffix(got, want) || len(want) == 0 || bytes.Count(got, []byte("\n")) > 60 {
			t.Errorf("%v: %q is not the end of\n%s", args, want, got)
		}
	}
	// The packet of a message in three datagrams is read as these three.
	three := filepath.Join(t.TempDir(), "three.pcapng")
	runMain(t, file, "-q", "-w", three, "--frames", "6-8")
	options := []string{
		"-d", "udp.port==27960,quake3", "-T", "fields", "-e", "length", "-e",
		"quake3.netchan.fragment.start", "-e", "time", "-e", "info",
	}
	want, _ = runMain(t, append([]string{three}, options...)...)
	got, _ := runMain(t, append([]string{exportPDUs(t, file, "frame == 8")}, options...)...)
	if !bytes.Equal(want, got) || bytes.Count(want, []byte("\n")) != 3 {
		t.Errorf("of\n%sthere is\n%s", want, got)
	}
}

// The packets of --pdu=both are in the order of their times, each before what was read in it, and tshark reads them
// all.
func TestWiresharkBoth(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	both := filepath.Join(t.TempDir(), "both.pcapng")
	runMain(t, sample("quake3", "68-connect-play.pcap"), "-q", "-w", both, "--pdu=both")
	lines := strings.Split(strings.TrimSpace(string(s.run(t, both, "-T", "fields", "-e", "frame.interface_id", "-e",
		"frame.time_delta", "-e", "udp.length", "-e", "q3dissect.length"))), "\n")
	if len(lines) != 1000 {
		t.Fatalf("%d packets", len(lines))
	}
	for i, line := range lines {
		var number int
		var delta float64
		var length int
		if _, err := fmt.Sscan(strings.ReplaceAll(line, "\t\t", "\t"), &number, &delta, &length); err != nil ||
			number != i%2 || delta < 0 {
			t.Fatalf("packet %d: %q %v", i+1, line, err)
		}
	}
}

// What --anonymize replaces is nowhere in the packets: fields, texts, the clear message, datagrams, tags.
func TestWiresharkAnonymize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file    string
		secrets []string
		forms   []string // deriving the key takes a quarter of a second each time
	}{
		{sample("quake3", "71-ipv6-chat.pcap"), []string{"LabAlpha", "NatNadia"}, []string{"--pdu", "--pdu=both"}},
		{sample("quake3", "68-connect-play.pcap"), []string{"LabAlpha"}, []string{"--pdu"}},
		{sample("quake3", "oob.pcap"), []string{"wrong secret", "right secret"}, []string{"--pdu"}},
		{sample("teeworlds", "ddnet-join.pcap"), []string{"127.0.0.1"}, []string{"--pdu", "--pdu=both"}},
	} {
		open, _ := os.ReadFile(exportPDUs(t, test.file))
		for _, form := range test.forms {
			out := filepath.Join(t.TempDir(), "out.pcapng")
			runMain(t, test.file, "-q", "-w", out, form, "--anonymize", "a passphrase that is long")
			hidden, err := os.ReadFile(out)
			if err != nil || len(hidden) < 10_000 {
				t.Fatalf("%s: %d bytes, %v", test.file, len(hidden), err)
			}
			found := 0
			for _, secret := range test.secrets {
				if bytes.Contains(open, []byte(secret)) {
					found++
				}
				if bytes.Contains(hidden, []byte(secret)) {
					t.Errorf("%s %s: has %s", test.file, form, secret)
				}
			}
			if found == 0 {
				t.Errorf("%s: has none of the texts without --anonymize", test.file)
			}
			shown, _ := runMain(t, out, "--json")
			if form != "--pdu" {
				continue
			}
			plain, _ := runMain(t, test.file, "--json") // anonymized it has as many
			if bytes.Count(shown, []byte("\n")) != bytes.Count(plain, []byte("\n")) {
				t.Errorf("%s: %d records come back of %d", test.file, bytes.Count(shown, []byte("\n")),
					bytes.Count(plain, []byte("\n")))
			}
		}
	}
}

// Every filter and column of the profile is one that tshark takes, and the rules colour what they are about.
func TestWiresharkProfile(t *testing.T) {
	t.Parallel()
	s := newTshark(t)
	for name, file := range map[string]string{
		"q3dissect: damage": sample("teeworlds", "07-made.pcap"), "q3dissect: rcon": sample("quake3", "oob.pcap"),
		"q3dissect: kills":    sample("quake3", "68-connect-play.pcap"),
		"q3dissect: connect":  sample("teeworlds", "ddnet-join.pcap"),
		"q3dissect: warnings": sample("quake3", "68-fragment-loss.pcap"),
	} {
		for _, rule := range tsharkprofile.Rules {
			if rule.Name != name || name != "q3dissect: kills" && !long() {
				continue
			}
			if len(s.run(t, exportPDUs(t, file), "-Y", rule.Filter)) == 0 {
				t.Errorf("%s: selects nothing of %s", name, file)
			}
		}
	}
	var every []string
	for _, rule := range tsharkprofile.Rules {
		every = append(every, "("+rule.Filter+")")
	}
	if len(s.run(t, exportPDUs(t, sample("teeworlds", "07-made.pcap")), "-Y", strings.Join(every, " || "))) == 0 {
		t.Error("the rules select nothing of a damaged sample")
	}
	home := t.TempDir()
	p := &console.Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if err := tsharkprofile.Install(p, tsharkprofile.Profile(filepath.Join(home, ".config", "wireshark"))); err != nil {
		t.Fatal(err)
	}
	out := s.runAt(t, home, exportPDUs(t, sample("quake3", "68-connect-play.pcap"), "--frames", "9"),
		"-C", tsharkprofile.ProfileName)
	if fields := strings.Fields(string(out)); len(fields) < 8 || fields[2] != "0" || fields[3] != "server_to_client" ||
		fields[5] != "2" {
		t.Errorf("the columns are %q", out)
	}
}

// install replaces what it wrote itself, and no other file.
func TestWiresharkInstall(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	args := []string{"wireshark", "install", "--with-profile", "--dir", dir}
	out, _ := runMain(t, args...)
	files := strings.Fields(string(out))
	if len(files) != 3 {
		t.Fatalf("%q", out)
	}
	if again, _ := runMain(t, args...); !bytes.Equal(out, again) {
		t.Errorf("the second time: %q", again)
	}
	p := &program{
		Console:   &console.Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr},
		protocols: all.Protocols(),
	}
	for _, name := range files {
		original, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"# mine\n", "", string(original) + "# and a line of mine\n"} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if status := p.main(args); status != exit.Unreadable {
				t.Errorf("%s with %d bytes: status %d", name, len(text), status)
			}
			if left, _ := os.ReadFile(name); string(left) != text {
				t.Errorf("%s was replaced", name)
			}
			for _, other := range files {
				if other != name {
					if b, _ := os.ReadFile(other); len(b) == 0 {
						t.Errorf("%s is gone", other)
					}
				}
			}
		}
		if err := os.WriteFile(name, original, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
