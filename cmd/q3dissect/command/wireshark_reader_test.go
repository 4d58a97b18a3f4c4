package command

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The reader here follows docs/wireshark.md alone; it shares nothing with what writes the packets.

// pduPackets returns the packets of link type 252 of a pcapng file.
func pduPackets(t *testing.T, name string) (packets [][]byte) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	var links []uint16
	for len(b) > 0 {
		total := le.Uint32(b[4:])
		switch body := b[8 : total-4]; le.Uint32(b) {
		case 0x0a0d0d0a:
			links = nil
		case 1:
			links = append(links, le.Uint16(body))
		case 6:
			if links[le.Uint32(body)] == 252 {
				packets = append(packets, body[20:20+le.Uint32(body[12:])])
			}
		case 3:
			if links[0] == 252 {
				packets = append(packets, body[4:4+le.Uint32(body)])
			}
		}
		b = b[total:]
	}
	return packets
}

// pduPaths returns the paths of fields by their numbers.
func pduPaths(t *testing.T) map[uint32]string {
	t.Helper()
	list, _ := runMain(t, "--list-fields", "--json")
	paths := map[uint32]string{}
	add := func(path string) {
		for _, letter := range "nlbuUiIfs" {
			h := fnv.New32a()
			fmt.Fprintf(h, "%s:%c", path, letter)
			if other, ok := paths[h.Sum32()]; ok && other != path {
				t.Errorf("%s and %s have one number", path, other)
			}
			paths[h.Sum32()] = path
		}
	}
	for d := json.NewDecoder(bytes.NewReader(list)); d.More(); {
		var field struct{ Field string }
		if err := d.Decode(&field); err != nil {
			t.Fatal(err)
		}
		outer, sparse := strings.CutSuffix(field.Field, ".*")
		if !sparse {
			add(field.Field)
			continue
		}
		add(outer + ".pair")
		for i := range 64 {
			add(outer + "." + strconv.Itoa(i))
		}
	}
	return paths
}

// A pduReader reads one packet.
type pduReader struct {
	t        *testing.T
	b        []byte
	sections [12][]byte
	list     []leaf
}

func (r *pduReader) add(path string, value any) {
	r.list = append(r.list, leaf{path, fmt.Sprint(value)})
}

// readPDU returns the values of a packet in the order of a record of JSON.
func readPDU(t *testing.T, packet []byte, paths map[uint32]string) *pduReader {
	t.Helper()
	be, le := binary.BigEndian, binary.LittleEndian
	tags := map[uint16][]byte{}
	for {
		tag, n := be.Uint16(packet), be.Uint16(packet[2:])
		tags[tag], packet = packet[4:4+n], packet[4+n:]
		if tag == 0 {
			break
		}
	}
	if name := string(tags[12]); name != "q3dissect\x00\x00\x00" {
		t.Fatalf("the dissector is %q", name)
	}
	r := &pduReader{t: t, b: packet}
	if string(packet[:4]) != "q3pd" || le.Uint16(packet[4:]) != 1 || le.Uint16(packet[6:]) != 112 {
		t.Fatalf("the container begins with %q", packet[:8])
	}
	rest := packet[112:]
	for i := range r.sections {
		n := le.Uint32(packet[64+4*i:])
		r.sections[i], rest = rest[:n], rest[n:]
	}
	if len(rest) > 0 {
		t.Errorf("%d bytes after the sections", len(rest))
	}
	r.head(tags)
	r.nodes(paths)
	for x := r.sections[7]; len(x) > 0; x = x[32:] {
		text := func(at int) string { return r.text(uint64(le.Uint32(x[at:])), uint64(le.Uint32(x[at+4:]))) }
		r.add("expert.severity", [...]string{"", "note", "warning", "error"}[x[0]])
		r.add("expert.code", text(8))
		if field := text(16); field != "" {
			r.add("expert.field", field)
		}
		r.add("expert.bit_offset", int32(le.Uint32(x[4:])))
		r.add("expert.message", text(24))
	}
	return r
}

// head adds the common part of the record.
func (r *pduReader) head(tags map[uint16][]byte) {
	be, le, b := binary.BigEndian, binary.LittleEndian, r.b
	flags := le.Uint32(b[8:])
	frame, at, first := le.Uint64(b[16:]), int64(le.Uint64(b[24:])), int64(le.Uint64(b[32:]))
	if uint32(frame) != be.Uint32(tags[30]) {
		r.t.Errorf("packet %d has the tag %d", frame, be.Uint32(tags[30]))
	}
	if flags&2 != 0 {
		r.add("demo_message", frame-1)
	} else {
		r.add("frame", frame)
	}
	if flags&1 != 0 {
		r.add("time", time.Unix(0, at).UTC().Format("2006-01-02T15:04:05.000000000Z"))
		r.add("time_epoch", fmt.Sprintf("%d.%09d", at/1e9, at%1e9))
		r.add("time_relative", fmt.Sprintf("%d.%09d", (at-first)/1e9, (at-first)%1e9))
	}
	for i, key := range []string{"src", "dst"} {
		if address := string(r.sections[2+i]); address != "" {
			port := le.Uint16(b[52+2*i:])
			r.add(key, address)
			r.add(key+"_port", port)
			if be.Uint32(tags[uint16(25+i)]) != uint32(port) || be.Uint32(tags[24]) != 3 {
				r.t.Errorf("port %d has the tags %x and %x", port, tags[uint16(25+i)], tags[24])
			}
		}
	}
	r.add("length", le.Uint32(b[44:]))
	if captured := le.Uint32(b[48:]); captured < le.Uint32(b[44:]) {
		r.add("captured_length", captured)
	}
	for f := r.sections[6]; len(f) > 0; f = f[8:] {
		r.add("ip_fragments", le.Uint64(f))
	}
	r.add("protocol", string(r.sections[4]))
	if stream := int32(le.Uint32(b[40:])); stream >= 0 && flags&2 == 0 {
		r.add("stream", stream)
	}
	if d := b[56]; d != 0 {
		r.add("direction", [...]string{"", "client_to_server", "server_to_client"}[d])
	}
	r.add("info", string(r.sections[5]))
}

// nodes adds the tree.
func (r *pduReader) nodes(paths map[uint32]string) {
	le := binary.LittleEndian
	depth := 0
	for n := r.sections[8]; len(n) > 0; n = n[22:] {
		path, ok := paths[le.Uint32(n)]
		if !ok {
			r.t.Errorf("no field has the number %08x", le.Uint32(n))
		}
		if int(n[4]) > depth {
			r.t.Errorf("%s is too deep", path)
		}
		depth = int(n[4])
		low, high := le.Uint32(n[14:]), le.Uint32(n[18:])
		switch kind := n[5] & 15; kind {
		case 0:
			depth++
		case 1:
			r.add(path, low != 0)
		case 2:
			r.add(path, le.Uint64(n[14:]))
		case 3:
			r.add(path, int64(le.Uint64(n[14:])))
		case 4:
			v := math.Float32frombits(low)
			switch {
			case v != v:
				r.add(path, "nan")
			case math.IsInf(float64(v), 1):
				r.add(path, "inf")
			case math.IsInf(float64(v), -1):
				r.add(path, "-inf")
			default:
				r.add(path, v)
			}
		case 5:
			r.add(path, r.text(uint64(low), uint64(high)))
		default:
			r.t.Errorf("%s has the kind %d", path, kind)
		}
		r.place(path, n)
	}
}

// place checks that the bits of a node are in the bytes that they are counted in.
func (r *pduReader) place(path string, n []byte) {
	bit, bits := binary.LittleEndian.Uint32(n[6:]), binary.LittleEndian.Uint32(n[10:])
	if bits == 0 {
		return
	}
	in := r.sections[10]
	if n[5]&32 != 0 || len(in) == 0 {
		in = r.datagrams()[len(r.datagrams())-1]
	}
	if end := (int(bit) + int(bits) + 7) / 8; end > len(in) {
		r.t.Errorf("%s ends at byte %d of %d", path, end, len(in))
	}
}

// datagrams returns the bytes of the datagrams.
func (r *pduReader) datagrams() (list [][]byte) {
	for d := r.sections[11]; len(d) > 0; {
		n := 24 + binary.LittleEndian.Uint32(d[20:])
		list, d = append(list, d[24:n]), d[n:]
	}
	return list
}

func (r *pduReader) text(at, size uint64) string {
	s := string(r.sections[9][at : at+size])
	if !utf8.ValidString(s) {
		r.t.Errorf("%q is not UTF-8", s)
	}
	return s
}

// A reader that knows docs/wireshark.md alone finds the same values as --json, in the same order.
func TestWiresharkReader(t *testing.T) {
	t.Parallel()
	infos, _ := paths(t)
	numbers := pduPaths(t)
	total, fragments := 0, 0
	for _, file := range comparedFiles(t) {
		records, _ := runMain(t, file, "--json", "-Y", "!quoted_by") // these are not exported
		want := ownLeaves(t, records, infos)
		packets := pduPackets(t, exportPDUs(t, file))
		if len(packets) != len(want) {
			t.Errorf("%s: %d records, %d packets", file, len(want), len(packets))
			continue
		}
		for i, packet := range packets {
			r := readPDU(t, packet, numbers)
			if len(r.datagrams()) > 1 {
				fragments++
			}
			total += compareLeaves(t, fmt.Sprintf("%s, record %d", filepath.Base(file), i+1), want[i], r.list)
		}
	}
	if total < 50_000 || fragments < 2 || long() && fragments < 8 {
		t.Errorf("%d values and %d messages of several datagrams were compared", total, fragments)
	}
}

// A message of several datagrams has all of them, as they were captured.
func TestWiresharkFragments(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "..", "samples", "quake3", "68-connect-play.pcap")
	every := pduPackets(t, exportPDUs(t, file, "--frames", "6-8"))
	for name, args := range map[string][]string{"filter": {`info contains "gamestate"`}, "frames": {"--frames", "8"}} {
		packets := pduPackets(t, exportPDUs(t, file, args...))
		if len(packets) != 1 || len(every) != 3 {
			t.Fatalf("%s: %d packets, and %d", name, len(packets), len(every))
		}
		parts := readPDU(t, packets[0], pduPaths(t)).datagrams()
		if len(parts) != 3 {
			t.Fatalf("%s: %d datagrams", name, len(parts))
		}
		for i, part := range parts {
			own := readPDU(t, every[i], pduPaths(t)).datagrams()
			if !bytes.Equal(part, own[len(own)-1]) || len(part) < 100 {
				t.Errorf("%s: datagram %d is another one", name, i+1)
			}
		}
	}
}
