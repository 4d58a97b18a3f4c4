// Package wireshark has Wireshark's names of fields that every record has: those of the frame, of Ethernet, IP, UDP
// and VLAN, and of the columns of the packet list. It is the only list of them: columns, filters and hints ask it.
package wireshark

import (
	"fmt"
	"slices"
	"strings"
)

// A Name is the counterpart of one of Wireshark's names.
type Name struct {
	// Paths are the fields in the records: two where any of them counts, as in Wireshark.
	Paths []string
	// Differs describes how the values differ from Wireshark's. Empty: they are the same.
	Differs string
}

// names are Wireshark's names, with the paths in the records. A path that is such a name itself is a field that records
// are asked for by this name alone (recordhead.Wireshark).
//
// Source: the display filter reference of Wireshark 4.4, protocols frame, eth, ip, ipv6, udp, vlan, data and _ws. Its
// ip.src and ipv6.src are distinguished by the version of IP; src has either.
var names = map[string]Name{
	"frame": same("frame"), "frame.number": same("frame"), "frame.time": same("time"), "frame.time_utc": same("time"),
	"frame.time_epoch": same("time_epoch"), "frame.time_relative": same("time_relative"),
	"frame.time_delta": own("frame.time_delta"), "frame.len": own("frame.len"), "frame.cap_len": own("frame.cap_len"),
	"frame.interface_name": same("link.interface"), "frame.comment": same("link.comment"),
	"eth.src": own("eth.src"), "eth.dst": own("eth.dst"), "vlan.id": same("link.vlan"),
	"ip": own("ip"), "ip.src": same("src"), "ip.dst": same("dst"), "ip.addr": same("src", "dst"),
	"ip.ttl": same("link.ttl"), "ip.id": same("link.ip_id"), "ip.fragment": same("ip_fragments"),
	"ip.proto": own("ip.proto"),
	"ipv6":     own("ipv6"), "ipv6.src": same("src"), "ipv6.dst": same("dst"), "ipv6.addr": same("src", "dst"),
	"ipv6.hlim": same("link.ttl"),
	"udp":       own("udp"), "udp.srcport": same("src_port"), "udp.dstport": same("dst_port"),
	"udp.port": same("src_port", "dst_port"), "udp.length": own("udp.length"), "udp.payload": own("udp.payload"),
	"_ws.col.number": same("frame"), "_ws.col.time": same("time_relative"), "_ws.col.source": same("src"),
	"_ws.col.destination": same("dst"), "_ws.col.def_src": same("src"), "_ws.col.def_dst": same("dst"),
	"_ws.col.protocol": same("protocol"), "_ws.col.info": same("info"), "_ws.col.length": same("frame.len"),
	"communityid": same("community_id"), "_ws.expert": same("expert"), "_ws.expert.message": same("expert.message"),

	"frame.time_delta_displayed": {[]string{"frame.time_delta"}, "since the previous packet, shown or not; -t d counts " +
		"from the previous line"},
	"frame.protocols":     {[]string{"protocol"}, "the innermost protocol alone"},
	"udp.stream":          {[]string{"stream"}, "it numbers the conversations of games, and not those of other programs"},
	"data.data":           {[]string{"udp.payload"}, "the whole payload, also where it was decoded"},
	"_ws.expert.severity": {[]string{"expert.severity"}, "the words note, warning and error"},
}

// same is a name whose fields have the same values.
func same(paths ...string) Name { return Name{Paths: paths} }

// own is a name that records have no other one for.
func own(name string) Name { return Name{Paths: []string{name}} }

// Fields returns the paths of the fields that Wireshark's name means, or nil.
func Fields(name string) []string { return names[Canonical(name)].Paths }

// Note returns a line of help about a name whose values differ from Wireshark's; "" for any other.
func Note(name string) string {
	n := names[Canonical(name)]
	if n.Differs == "" {
		return ""
	}
	return fmt.Sprintf("%s is %s here: %s", name, n.Paths[0], n.Differs)
}

// Foreign returns why a protocol of Wireshark, or a field of one, has no counterpart; "" for any other name.
func Foreign(name string) string {
	first, _, _ := strings.Cut(name, ".")
	if slices.Contains([]string{"tcp", "icmp", "icmpv6", "arp", "dns", "http", "tls", "dhcp", "igmp"}, first) {
		return "records are UDP datagrams of games"
	}
	return ""
}

// Nearest returns the name that was meant by one with other capitals, as records have it, or "".
func Nearest(name string) string {
	if n, ok := names[strings.ToLower(name)]; ok {
		return n.Paths[0]
	}
	return ""
}

// Mentioned returns the paths of jq that were meant by Wireshark's names in a program: .frame.number is .frame. Names
// without a dot are not looked for.
func Mentioned(program string) (hints []string) {
	for name, n := range names {
		if !strings.Contains(name, ".") || n.Paths[0] == name {
			continue
		}
		for from := 0; ; {
			i := strings.Index(program[from:], name)
			if i < 0 {
				break
			}
			i += from
			from = i + len(name)
			if i > 0 && (program[i-1] == '.' || program[i-1] == '"') && (from == len(program) || !inName(program[from])) {
				hints = append(hints, fmt.Sprintf(".%s is .%s here", name, strings.Join(n.Paths, " or .")))
				break
			}
		}
	}
	slices.Sort(hints)
	return hints
}

// inName reports whether a name can contain a character.
func inName(c byte) bool {
	return c == '_' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Names returns the names that have a counterpart.
func Names() map[string]Name { return names }

// Canonical returns a name as Names has it: columns in small letters.
func Canonical(name string) string {
	if strings.HasPrefix(name, "_ws.col.") {
		return strings.ToLower(name)
	}
	return name
}
