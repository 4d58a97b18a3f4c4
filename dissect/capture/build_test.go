package capture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/netip"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// What the tests read is put together here from the formats' descriptions, byte by byte, and not with
// the constants and readers under test where that would hide a mistake in them.

// A pcapWriter makes a pcap file.
type pcapWriter struct {
	b        []byte
	order    binary.AppendByteOrder
	tick     int64 // nanoseconds
	modified bool
}

func newPcap(linkType uint16) *pcapWriter {
	return pcapHeader(binary.LittleEndian, 0xa1b2c3d4, 2, 4, uint32(linkType))
}

func pcapHeader(order binary.AppendByteOrder, magic uint32, major, minor uint16, linkType uint32) *pcapWriter {
	w := &pcapWriter{order: order, tick: 1000, modified: magic == 0xa1b2cd34}
	if magic == 0xa1b23c4d {
		w.tick = 1
	}
	w.b = order.AppendUint32(w.b, magic)
	w.b = order.AppendUint16(w.b, major)
	w.b = order.AppendUint16(w.b, minor)
	w.b = append(w.b, make([]byte, 8)...)
	w.b = order.AppendUint32(w.b, 65535)
	w.b = order.AppendUint32(w.b, linkType)
	return w
}

// packet adds a packet that was captured whole.
func (w *pcapWriter) packet(ns int64, data []byte) { w.record(ns, len(data), len(data), data) }

// cut adds the first n bytes of a packet.
func (w *pcapWriter) cut(ns int64, n int, data []byte) { w.record(ns, n, len(data), data[:n]) }

func (w *pcapWriter) record(ns int64, captured, wire int, data []byte) {
	w.b = w.order.AppendUint32(w.b, uint32(ns/1e9))
	w.b = w.order.AppendUint32(w.b, uint32(ns%1e9/w.tick))
	w.b = w.order.AppendUint32(w.b, uint32(captured))
	w.b = w.order.AppendUint32(w.b, uint32(wire))
	if w.modified {
		w.b = w.order.AppendUint32(w.b, 2)      // interface
		w.b = w.order.AppendUint16(w.b, 0x0800) // protocol
		w.b = append(w.b, 0, 0xee)              // packet type, padding
	}
	w.b = append(w.b, data...)
}

// A pcapngWriter makes a pcapng file.
type pcapngWriter struct {
	b     []byte
	order binary.AppendByteOrder
}

func newPcapNG(bigEndian bool) *pcapngWriter {
	w := &pcapngWriter{}
	w.section(bigEndian)
	return w
}

func (w *pcapngWriter) section(bigEndian bool, options ...[]byte) {
	w.order = binary.LittleEndian
	if bigEndian {
		w.order = binary.BigEndian
	}
	body := w.order.AppendUint32(nil, 0x1a2b3c4d)
	body = w.order.AppendUint16(body, 1)
	body = w.order.AppendUint16(body, 0)
	body = w.order.AppendUint64(body, 1<<64-1)
	w.block(0x0a0d0d0a, append(body, bytes.Join(options, nil)...))
}

func (w *pcapngWriter) block(kind uint32, body []byte) {
	body = append(body, make([]byte, -len(body)&3)...)
	w.b = w.order.AppendUint32(w.b, kind)
	w.b = w.order.AppendUint32(w.b, uint32(12+len(body)))
	w.b = append(w.b, body...)
	w.b = w.order.AppendUint32(w.b, uint32(12+len(body)))
}

// option makes an option; n is a string, or a number of the width of its type.
func (w *pcapngWriter) option(code uint16, n any) []byte {
	var value []byte
	switch n := n.(type) {
	case string:
		value = []byte(n)
	case uint8:
		value = []byte{n}
	case uint64:
		value = w.order.AppendUint64(nil, n)
	case int64:
		value = w.order.AppendUint64(nil, uint64(n))
	}
	o := w.order.AppendUint16(nil, code)
	o = w.order.AppendUint16(o, uint16(len(value)))
	o = append(o, value...)
	return append(o, make([]byte, -len(o)&3)...)
}

func (w *pcapngWriter) iface(linkType uint16, snapLen uint32, options ...[]byte) {
	body := w.order.AppendUint16(nil, linkType)
	body = w.order.AppendUint16(body, 0)
	body = w.order.AppendUint32(body, snapLen)
	w.block(1, append(body, bytes.Join(options, nil)...))
}

func (w *pcapngWriter) packet(iface uint32, ticks uint64, data []byte, options ...[]byte) {
	w.packetBlock(6, w.order.AppendUint32(nil, iface), ticks, len(data), data, options...)
}

// obsolete adds a packet block of type 2.
func (w *pcapngWriter) obsolete(iface, drops uint16, ticks uint64, data []byte, options ...[]byte) {
	w.packetBlock(2, w.order.AppendUint16(w.order.AppendUint16(nil, iface), drops), ticks, len(data), data, options...)
}

func (w *pcapngWriter) packetBlock(kind uint32, iface []byte, ticks uint64, wire int, data []byte, options ...[]byte) {
	body := w.order.AppendUint32(iface, uint32(ticks>>32))
	body = w.order.AppendUint32(body, uint32(ticks))
	body = w.order.AppendUint32(body, uint32(len(data)))
	body = w.order.AppendUint32(body, uint32(wire))
	body = append(body, data...)
	body = append(body, make([]byte, -len(data)&3)...)
	w.block(kind, append(body, bytes.Join(options, nil)...))
}

func (w *pcapngWriter) simple(wire int, data []byte) {
	w.block(3, append(w.order.AppendUint32(nil, uint32(wire)), data...))
}

func (w *pcapngWriter) statistics(iface uint32, options ...[]byte) {
	body := w.order.AppendUint32(nil, iface)
	w.block(5, append(append(body, make([]byte, 8)...), bytes.Join(options, nil)...))
}

// Headers, from the inside out.

func be16(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func udp(src, dst int, payload []byte) []byte {
	return join(be16(src), be16(dst), be16(8+len(payload)), []byte{0xba, 0xd0}, payload)
}

var (
	addr4A, addr4B = []byte{10, 0, 0, 1}, []byte{10, 0, 0, 2}
	addr6A         = []byte{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}
	addr6B         = []byte{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}
)

func ip4(proto byte, payload []byte) []byte { return ip4Fragment(proto, 0x1234, 0, payload) }

// ip4Fragment has the flags and the offset in units of 8 bytes in field.
func ip4Fragment(proto byte, id, field int, payload []byte) []byte {
	return join([]byte{0x45, 0}, be16(20+len(payload)), be16(id), be16(field), []byte{64, proto, 0, 0},
		addr4A, addr4B, payload)
}

func ip6(next byte, payload []byte) []byte {
	return join([]byte{0x60, 0, 0, 0}, be16(len(payload)), []byte{next, 63}, addr6A, addr6B, payload)
}

// ip6Fragment makes what follows the IPv6 header: field has the offset in bytes and the flag.
func ip6Fragment(next byte, id uint32, field int, payload []byte) []byte {
	return join([]byte{next, 0}, be16(field), binary.BigEndian.AppendUint32(nil, id), payload)
}

func eth(number int, payload []byte) []byte {
	return join([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}, be16(number), payload)
}

func sll(hardware, protocol int, payload []byte) []byte {
	return join(be16(0), be16(hardware), be16(6), make([]byte, 8), be16(protocol), payload)
}

func sll2(protocol int, payload []byte) []byte {
	return join(be16(protocol), be16(0), []byte{0, 0, 0, 3}, be16(1), []byte{0, 6}, make([]byte, 8), payload)
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zstandard(b []byte, options ...zstd.EOption) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, options...)
	if err != nil {
		panic(err)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// xzStored packs a file as xz, without compressing it.
func xzStored(b []byte) []byte { return xzWithDictionary(b, 0) }

// xzWithDictionary writes one stream of one block. The code of the dictionary's size is section 5.3.1 of The .xz File
// Format; the block holds chunks of LZMA2 that are not compressed.
func xzWithDictionary(b []byte, dictionary byte) []byte {
	sum := func(b []byte) []byte { return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) }
	pad := func(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }
	varint := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	flags := []byte{0, 1} // the check is a CRC-32

	header := []byte{2, 0, 0x21, 1, dictionary, 0, 0, 0} // 12 bytes with its sum, no sizes; filter LZMA2
	block := join(header, sum(header))
	for rest, control := b, byte(1); len(rest) > 0; control = 2 {
		n := min(len(rest), 1<<16)
		block = join(block, []byte{control, byte((n - 1) >> 8), byte(n - 1)}, rest[:n])
		rest = rest[n:]
	}
	block = append(block, 0)
	unpadded := len(block) + 4
	block = join(pad(block), sum(b))

	index := pad(join([]byte{0, 1}, varint(unpadded), varint(len(b))))
	index = join(index, sum(index))
	tail := join(binary.LittleEndian.AppendUint32(nil, uint32(len(index)/4-1)), flags)
	return join([]byte(magicXZ), flags, sum(flags), block, index, sum(tail), tail, []byte("YZ"))
}

// got is a packet as the tests compare it.
type got struct {
	Frame    uint64
	Time     int64
	Src, Dst string
	Payload  string
	Length   int
}

// readAll returns the UDP datagrams of a file and the error that ended it, nil at a clean end.
func readAll(t testing.TB, file []byte) ([]got, error) {
	t.Helper()
	return drain(bytes.NewReader(file))
}

func drain(in io.Reader) ([]got, error) {
	r, err := NewReader(in, Options{})
	if err != nil {
		return nil, err
	}
	var all []got
	for p, err := range r.Packets() {
		if err != nil {
			return all, err
		}
		all = append(all, got{p.Frame, p.Time, p.Src.String(), p.Dst.String(), string(p.Payload), p.Length})
	}
	return all, nil
}

var cmpEmpty = cmpopts.EquateEmpty()

// Addresses and times are compared by value.
var cmpAddr = gocmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })
