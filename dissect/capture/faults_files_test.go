package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/pcapgo"
)

const (
	pcapHex   = "d4c3b2a1" + "02000400" + "0000000000000000" + "00000400" + "01000000"
	recordHex = "0000000000000000" + "01000000" + "01000000" + "ff"
)

// ngHex makes a pcapng file in hex.
func ngHex(bigEndian bool, add func(w *pcapngWriter)) string {
	w := newPcapNG(bigEndian)
	add(w)
	return hex.EncodeToString(w.b)
}

var onePacket = []byte{0xff, 0, 0, 0}

// ngPacket makes a file of one interface and one packet.
func ngPacket(bigEndian bool, ticks uint64, interfaceOption, packetOption func(w *pcapngWriter) []byte) string {
	return ngHex(bigEndian, func(w *pcapngWriter) {
		w.iface(1, 0, interfaceOption(w))
		w.packet(0, ticks, onePacket, packetOption(w))
	})
}

func none(*pcapngWriter) []byte { return nil }

func option(code uint16, value any) func(*pcapngWriter) []byte {
	return func(w *pcapngWriter) []byte { return w.option(code, value) }
}

// readNG reads a pcapng file to its end with the library. At a fault of the file it stops.
func readNG(b []byte) (times []time.Time, options []pcapgo.NgPacketOptions, r *pcapgo.NgReader, err error) {
	r, err = pcapgo.NewNgReader(bytes.NewReader(b), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	for err == nil {
		var ci gopacket.CaptureInfo
		var o pcapgo.NgPacketOptions
		if _, ci, o, err = r.ReadPacketDataWithOptions(); err == nil {
			times, options = append(times, ci.Timestamp), append(options, o)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return times, options, r, err
}

// readPcap reads a pcap file to its end with the library.
func readPcap(b []byte) (packets int, err error) {
	r, err := pcapgo.NewReader(bytes.NewReader(b))
	for err == nil {
		if _, _, err = r.ReadPacketData(); err == nil {
			packets++
		}
	}
	if err == io.EOF {
		err = nil
	}
	return packets, err
}

func pcapRefused(b []byte) bool    { _, err := readPcap(b); return err != nil }
func pcapLooksWhole(b []byte) bool { n, err := readPcap(b); return n == 0 && err == nil }
func ngRefused(b []byte) bool      { _, _, _, err := readNG(b); return err != nil }
func ngTaken(b []byte) bool        { _, _, _, err := readNG(b); return err == nil }

// notAt makes a check of a file with one packet: it is not from that time.
func notAt(sec, nsec int64) func([]byte) bool {
	return func(b []byte) bool {
		times, _, _, err := readNG(b)
		return err != nil || len(times) != 1 || !times[0].Equal(time.Unix(sec, nsec))
	}
}

// pcapWrongTime checks a pcap file with one packet: its time is not that of its seconds and microseconds.
func pcapWrongTime(b []byte) bool {
	r, err := pcapgo.NewReader(bytes.NewReader(b))
	if err != nil {
		return true
	}
	_, ci, err := r.ReadPacketData()
	stamp := b[pcapHeaderLen:]
	return err != nil || ci.Timestamp.UnixNano() != int64(u32(stamp, false))*1e9+int64(u32(stamp[4:], false))*1e3
}

// notDropped makes a check of a file with one packet: it does not say that three were lost before it.
func notDropped(b []byte) bool {
	_, options, _, err := readNG(b)
	return err != nil || len(options) != 1 || options[0].DropCount == nil || *options[0].DropCount != 3
}

// allocatesNG repeats the last block.
func allocatesNG(b []byte) bool {
	n := int(binary.LittleEndian.Uint32(b[len(b)-4:]))
	b = append(bytes.Clone(b), bytes.Repeat(b[len(b)-n:], 200)...)
	r, err := pcapgo.NewNgReader(bytes.NewReader(b), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		panic(err)
	}
	return testing.AllocsPerRun(100, func() {
		if _, _, err := r.ZeroCopyReadPacketData(); err != nil {
			panic(err)
		}
	}) > 0
}

var fileFaults = []fault{
	{"pcap: the modified format is refused", "34cd" + pcapHex[4:], pcapHex, pcapRefused},
	{"pcap: version 2.3 is refused", pcapHex[:12] + "0300" + pcapHex[16:], pcapHex, pcapRefused},
	{"pcap: a packet without its length on the wire costs the rest", pcapHex + recordHex[:24] + "00000000" + "ff", pcapHex + recordHex, pcapRefused},
	{"pcap: microseconds of 4.3 s or more overflow", pcapHex + "01000000" + "38894100" + "0000000000000000", pcapHex + "01000000" + "37894100" + "0000000000000000", pcapWrongTime},
	{"pcap: a cut after a record's header looks like the end", pcapHex + recordHex[:32], pcapHex + recordHex, pcapLooksWhole},
	{"snoop: a packet of more than 4,096 bytes costs the rest", snoopHex(4097), snoopHex(4096), snoopRefused},
	{"pcapng: the length after a block is not looked at", ngHex(false, func(w *pcapngWriter) { w.iface(1, 0); w.b[len(w.b)-4]++ }), "", ngTaken},
	{"pcapng: the length after a block is taken for part of its packet", ngHex(false, func(w *pcapngWriter) { w.iface(1, 0); w.simple(8, onePacket) }), "", ngTaken},
	{"pcapng: a damaged option costs the rest", ngPacket(false, 0, none, func(*pcapngWriter) []byte { return []byte{1, 0, 9, 0} }), ngPacket(false, 0, none, option(1, "")), ngRefused},
	{"pcapng: version 1.2 of a section is refused", ngHex(false, func(w *pcapngWriter) { w.b[14] = 2 }), ngHex(false, func(*pcapngWriter) {}), ngRefused},
	{"pcapng: stamps of whole seconds are taken for microseconds", ngPacket(false, 7, option(9, uint8(0)), none), ngPacket(false, 7_000_000, option(9, uint8(6)), none), notAt(7, 0)},
	{"pcapng: stamps of 2^-10 seconds are rounded twice", ngPacket(false, 512, option(9, uint8(0x80|10)), none), ngPacket(false, 500_000, none, none), notAt(0, 5e8)},
	{"pcapng: stamps of 10^-20 seconds overflow", ngPacket(false, 1<<63, option(9, uint8(20)), none), ngPacket(false, 92_233, none, none), notAt(0, 92_233_000)},
	{"pcapng: stamps of 2^-64 seconds cost the rest", ngPacket(false, 0, option(9, uint8(0x80|64)), none), ngPacket(false, 0, option(9, uint8(0x80|63)), none), ngRefused},
	{"pcapng: drop counts of big-endian files are little-endian", ngPacket(true, 0, none, option(4, uint64(3))), ngPacket(false, 0, none, option(4, uint64(3))), notDropped},
	{"pcapng: drop counts of obsolete packet blocks are lost", ngHex(false, func(w *pcapngWriter) { w.iface(1, 0); w.obsolete(0, 3, 0, onePacket) }), "", notDropped},
	{"pcapng: packets that the system dropped are lost", ngHex(false, func(w *pcapngWriter) { w.iface(1, 0); w.statistics(0, w.option(7, uint64(3))) }), ngHex(false, func(w *pcapngWriter) { w.iface(1, 0); w.statistics(0, w.option(5, uint64(3))) }), func(b []byte) bool {
		_, _, r, err := readNG(b)
		i, _ := r.Interface(0)
		return err != nil || i.Statistics.PacketsDropped != 3
	}},
	{"pcapng: the zero byte after a name is kept", ngPacket(false, 0, option(2, "a\x00"), none), ngPacket(false, 0, option(2, "a"), none), func(b []byte) bool {
		_, _, r, err := readNG(b)
		i, _ := r.Interface(0)
		return err != nil || i.Name != "a"
	}},
	{"pcapng: of several comments of a section the last is kept", ngHex(false, func(w *pcapngWriter) { w.b = nil; w.section(false, w.option(1, "one"), w.option(1, "two")) }), "", func(b []byte) bool {
		_, _, r, err := readNG(b)
		return err == nil && r.SectionInfo().Comment == "two"
	}},
	{"pcapng: names of addresses are kept without limit", ngHex(false, func(w *pcapngWriter) { w.block(4, []byte{1, 0, 6, 0, 10, 0, 0, 1, 'a', 0, 0, 0, 0, 0, 0, 0}) }), "", func(b []byte) bool {
		_, _, r, err := readNG(b)
		return err == nil && r.NNames() == 1
	}},
	{"pcapng: options of packets are allocated", ngPacket(false, 0, none, option(4, uint64(3))), ngPacket(false, 0, none, none), allocatesNG},
	{"pcapng: packets of a link type above 255 allocate", ngHex(false, func(w *pcapngWriter) { w.iface(276, 0); w.packet(0, 0, onePacket) }), ngPacket(false, 0, none, none), allocatesNG},
}

// snoopHex makes a snoop file of one packet of zero bytes.
func snoopHex(n int) string {
	return hex.EncodeToString(append(snoopHeader(2, 4), snoopRecord(n, make([]byte, n))...))
}

func snoopRefused(b []byte) bool {
	r, err := pcapgo.NewSnoopReader(bytes.NewReader(b))
	if err != nil {
		return true
	}
	_, _, err = r.ReadPacketData()
	return err != nil
}
