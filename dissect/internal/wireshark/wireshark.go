// Package wireshark has Wireshark's names of fields that every record has: those of the frame, of IP, UDP and VLAN, and
// of the columns of the packet list.
package wireshark

import "strings"

// aliases are names of fields that have the same values here, with the paths in the records: two where any of them
// counts, as in Wireshark.
//
// Source: the display filter reference of Wireshark 4.4, protocols frame, ip, ipv6, udp, vlan and _ws. Its ip.src and
// ipv6.src are told apart by the version of IP; src has either.
var aliases = map[string][]string{
	"frame.number": {"frame"}, "frame.time": {"time"}, "frame.time_utc": {"time"}, "frame.time_epoch": {"time_epoch"},
	"frame.time_relative": {"time_relative"}, "frame.interface_name": {"link.interface"},
	"frame.comment": {"link.comment"}, "ip.src": {"src"}, "ip.dst": {"dst"}, "ip.addr": {"src", "dst"},
	"ipv6.src": {"src"}, "ipv6.dst": {"dst"}, "ipv6.addr": {"src", "dst"}, "ip.ttl": {"link.ttl"},
	"ipv6.hlim": {"link.ttl"}, "ip.id": {"link.ip_id"}, "ip.fragment": {"ip_fragments"}, "vlan.id": {"link.vlan"},
	"udp.srcport": {"src_port"}, "udp.dstport": {"dst_port"}, "udp.port": {"src_port", "dst_port"},
	"_ws.col.number": {"frame"}, "_ws.col.time": {"time_relative"}, "_ws.col.source": {"src"},
	"_ws.col.destination": {"dst"}, "_ws.col.def_src": {"src"}, "_ws.col.def_dst": {"dst"},
	"_ws.col.protocol": {"protocol"}, "_ws.col.info": {"info"}, "_ws.expert": {"expert"},
	"_ws.expert.message": {"expert.message"},
}

// others are names of fields whose values are other ones here: lengths are those of the payload, not of the frame,
// conversations are numbered otherwise.
var others = map[string]string{
	"frame.len": "length", "frame.cap_len": "captured_length", "frame.protocols": "protocol", "udp.length": "length",
	"udp.stream": "stream", "_ws.col.length": "length", "_ws.expert.severity": "expert.severity",
}

// Fields returns the paths of the fields that Wireshark's name stands for, or nil. Columns had capitals before version
// 4.2.
func Fields(name string) []string { return aliases[Canonical(name)] }

// Nearest returns the path of the field that is most like the one with Wireshark's name, or "".
func Nearest(name string) string {
	if fields := Fields(strings.ToLower(name)); fields != nil {
		return fields[0]
	}
	return others[strings.ToLower(name)]
}

// Names returns the names that Fields knows.
func Names() map[string][]string { return aliases }

// Canonical returns a name as Names has it: columns in small letters.
func Canonical(name string) string {
	if strings.HasPrefix(name, "_ws.col.") {
		return strings.ToLower(name)
	}
	return name
}
