package reassembly

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// truth is what the engine's own code found in a capture: one line of
// NAME.truth.jsonl.gz, the fields that matter here.
type truth struct {
	Frame  uint64   `json:"frame"`
	Frames []uint64 `json:"frames"`
	Seq    uint32   `json:"seq"`
	Len    int      `json:"len"`
	Dir    string   `json:"dir"`
	Frag   bool     `json:"frag"`
	Sport  uint16   `json:"sport"`
	Cport  uint16   `json:"cport"`
}

// The fragmented messages of real servers, against what the engine's own code
// makes of the same captures. A capture of damaged order is among them
// (q3-68-loss), and one whose datagrams are fragmented by IP too, where the UDP
// checksums cover the bytes.
func TestReferenceCaptures(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("Q3DISSECT_REFERENCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	dir = filepath.Join(dir, "captures", "quake3")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the reference captures are not here")
	}
	for _, tt := range []struct {
		name        string
		header      int // bytes before the fragment fields, server to client
		ipFragments bool
	}{
		{name: "q3-68-connect-play", header: 4},
		{name: "q3-68-download", header: 4},
		{name: "q3-68-ipfrag-mtu576", header: 4, ipFragments: true},
		{name: "q3-68-loss-clientside", header: 4},
		{name: "q3-68-loss-serverside", header: 4},
		{name: "q3-71-connect-play", header: 8},
		{name: "q3-71-ipv6", header: 8},
		{name: "q3-71-voip", header: 8},
		{name: "q3-oa-wrapper-71legacy", header: 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := readTruth(t, filepath.Join(dir, tt.name+".truth.jsonl.gz"))
			if len(want) == 0 {
				t.Fatal("no fragmented message in the truth file")
			}
			server := want[0].Sport
			var got []truth
			channels := make(map[uint16]*Messages) // by client port
			reassembled := readUDP(t, filepath.Join(dir, tt.name+".pcap"), func(u udp) {
				if u.src != server {
					return
				}
				m := channels[u.dst]
				if m == nil || bytes.HasPrefix(u.payload, []byte("\xff\xff\xff\xffconnectResponse")) {
					m = new(Messages)
					channels[u.dst] = m
				}
				if r, sequence := addPacket(t, m, u, tt.header); r.Message != nil {
					got = append(got, truth{
						Frame: u.frame, Frames: slices.Clone(r.Frames), Seq: sequence, Len: len(r.Message),
						Dir: "s2c", Frag: true, Sport: u.src, Cport: u.dst,
					})
					if r.ReceiverDropped {
						t.Errorf("frame %d: the client did not get what its server sent", u.frame)
					}
				}
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (reassembled > 0) != tt.ipFragments {
				t.Errorf("%d datagrams reassembled from IP fragments", reassembled)
			}
		})
	}
}

// addPacket reads the sequence header of a server's packet.
func addPacket(t *testing.T, m *Messages, u udp, header int) (Result, uint32) {
	const fragmentBit = 1 << 31
	if len(u.payload) < header {
		return Result{}, 0
	}
	sequence := binary.LittleEndian.Uint32(u.payload)
	switch {
	case sequence == 0xffffffff:
		return Result{}, 0
	case sequence&fragmentBit == 0:
		m.Advance(sequence)
		return Result{}, 0
	}
	sequence &^= fragmentBit
	r, err := m.Add(Fragment{
		Sequence: sequence,
		Start:    int(binary.LittleEndian.Uint16(u.payload[header:])),
		Length:   int(binary.LittleEndian.Uint16(u.payload[header+2:])),
		Data:     u.payload[header+4:],
		Frame:    u.frame,
	})
	if err != nil {
		t.Errorf("frame %d: %v", u.frame, err)
	}
	return r, sequence
}

func readTruth(t *testing.T, name string) []truth {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []truth
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var line truth
		if err := d.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if line.Frag {
			out = append(out, line)
		}
	}
	return out
}

type udp struct {
	frame    uint64
	src, dst uint16
	payload  []byte
}

// readUDP calls f with the datagrams of a little-endian Ethernet capture, and
// returns how many of them came in several IP fragments.
func readUDP(t *testing.T, name string, f func(udp)) (reassembled int) {
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	if le.Uint32(file) != 0xa1b2c3d4 || le.Uint32(file[20:]) != 1 {
		t.Fatalf("%s is not what this test reads", name)
	}
	var ip IPFragments
	frame := uint64(0)
	for file = file[24:]; len(file) > 0; {
		frame++
		when := time.Unix(int64(le.Uint32(file)), int64(le.Uint32(file[4:]))*1000)
		n := int(le.Uint32(file[8:]))
		packet := file[16+14 : 16+n]
		file = file[16+n:]
		switch packet[0] >> 4 {
		case 6:
			if packet[6] == 17 {
				f(readPorts(frame, packet[40:]))
			}
			continue
		case 4:
		default:
			continue
		}
		fragment := readIPv4(frame, when, packet)
		if fragment.Proto != 17 {
			continue
		}
		r, err := ip.Add(fragment)
		if err != nil {
			t.Errorf("frame %d: %v", frame, err)
		}
		if r.Datagram == nil {
			continue
		}
		if len(r.Frames) > 1 {
			reassembled++
			if sum := checksum(fragment.Src, fragment.Dst, r.Datagram); sum != 0xffff {
				t.Errorf("frame %d: checksum %#x, want 0xffff", frame, sum)
			}
		}
		f(readPorts(frame, r.Datagram))
	}
	return reassembled
}

// readIPv4 reads a header of RFC 791, section 3.1.
func readIPv4(frame uint64, when time.Time, packet []byte) IPFragment {
	be := binary.BigEndian
	header := int(packet[0]&15) * 4
	flags := be.Uint16(packet[6:])
	return IPFragment{
		IPKey: IPKey{
			Src: netip.AddrFrom4([4]byte(packet[12:])), Dst: netip.AddrFrom4([4]byte(packet[16:])),
			ID: uint32(be.Uint16(packet[4:])), Proto: packet[9],
		},
		Offset: int(flags&0x1fff) * 8, More: flags&0x2000 != 0,
		Length: int(be.Uint16(packet[2:])) - header, Data: packet[header:],
		Frame: frame, Time: when,
	}
}

func readPorts(frame uint64, datagram []byte) udp {
	be := binary.BigEndian
	return udp{
		frame: frame, src: be.Uint16(datagram), dst: be.Uint16(datagram[2:]),
		payload: datagram[8:be.Uint16(datagram[4:])],
	}
}

// checksum returns the sum of RFC 768 over a datagram with its own checksum: all
// ones if it is right.
func checksum(src, dst netip.Addr, datagram []byte) uint16 {
	pseudo := append(src.AsSlice(), dst.AsSlice()...)
	pseudo = append(pseudo, 0, 17, byte(len(datagram)>>8), byte(len(datagram)))
	pseudo = append(pseudo, datagram...)
	if len(pseudo)%2 == 1 {
		pseudo = append(pseudo, 0)
	}
	sum := uint32(0)
	for ; len(pseudo) > 0; pseudo = pseudo[2:] {
		sum += uint32(binary.BigEndian.Uint16(pseudo))
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}
