package recordhead

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// Wireshark are fields that columns and filters have under Wireshark's names alone: records do not show them.
var Wireshark = []Field{
	{
		Key: "frame.time_delta", Kind: Seconds, Unit: "s", Doc: "time since the previous packet of the file", Datagram: true,
		Get: func(r *dissect.Record, _ int) (Value, bool) { return Value{Int: r.Time - r.Previous}, r.HasTime },
	},
	{
		Key: "frame.len", Unit: "bytes", Doc: "length of the frame on the wire", Datagram: true, Raw: true,
		Get: ofRaw(func(p *dissect.RawPacket) (Value, bool) { return Value{Int: int64(p.Length)}, true }),
	},
	{
		Key: "frame.cap_len", Unit: "bytes", Doc: "length of the frame in the capture", Datagram: true, Raw: true,
		Get: ofRaw(func(p *dissect.RawPacket) (Value, bool) { return Value{Int: int64(len(p.Data))}, true }),
	},
	{Key: "eth.dst", Kind: Text, Doc: "destination MAC address", Datagram: true, Raw: true, Get: ethernet(0)},
	{Key: "eth.src", Kind: Text, Doc: "source MAC address", Datagram: true, Raw: true, Get: ethernet(macLength)},
	{Key: "ip", Kind: Text, Doc: "the addresses, if they are IPv4", Get: addresses(4, netip.Addr.Is4)},
	{Key: "ipv6", Kind: Text, Doc: "the addresses, if they are IPv6", Get: addresses(6, netip.Addr.Is6)},
	{
		Key: "ip.proto", Doc: "protocol number of a UDP datagram",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Int: udpNumber}, r.UDP && r.Src.Addr().Is4()
		},
	},
	{
		Key: "udp", Kind: Text, Doc: "the ports of a UDP datagram",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			if !r.UDP || !r.Src.IsValid() {
				return Value{}, false
			}
			ports := fmt.Sprintf("User Datagram Protocol, Src Port: %d, Dst Port: %d", r.Src.Port(), r.Dst.Port())
			return Value{Text: ports}, true
		},
	},
	{
		Key: "udp.length", Unit: "bytes", Doc: "length of UDP header and payload on the wire", Datagram: true,
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Int: int64(udpHeader + r.Length)}, r.UDP && r.Src.IsValid()
		},
	},
	{
		Key: "udp.payload", Kind: Bytes, Doc: "the payload, as far as it was captured", Datagram: true,
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			return Value{Text: string(r.Payload)}, len(r.Payload) > 0
		},
	},
}

// udpNumber is UDP among the protocols of IP.
const udpNumber = 17

// udpHeader is the length of a UDP header in bytes: RFC 768.
const udpHeader = 8

const (
	ethernetLink = 1 // LINKTYPE_ETHERNET
	macLength    = 6
)

func ofRaw(get func(*dissect.RawPacket) (Value, bool)) func(*dissect.Record, int) (Value, bool) {
	return func(r *dissect.Record, _ int) (Value, bool) {
		if r.Raw == nil {
			return Value{}, false
		}
		return get(r.Raw)
	}
}

// ethernet gets the MAC address at an offset of the frame in bytes.
func ethernet(at int) func(*dissect.Record, int) (Value, bool) {
	return ofRaw(func(p *dissect.RawPacket) (Value, bool) {
		if p.LinkType != ethernetLink || len(p.Data) < at+macLength {
			return Value{}, false
		}
		return Value{Text: net.HardwareAddr(p.Data[at : at+macLength]).String()}, true
	})
}

// addresses gets the text that Wireshark has for the header of a version of IP.
func addresses(version int, is func(netip.Addr) bool) func(*dissect.Record, int) (Value, bool) {
	return func(r *dissect.Record, _ int) (Value, bool) {
		src, dst := r.Src.Addr(), r.Dst.Addr()
		if !is(src) {
			return Value{}, false
		}
		return Value{Text: fmt.Sprintf("Internet Protocol Version %d, Src: %s, Dst: %s", version, src, dst)}, true
	}
}
