package schema

import (
	"iter"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/near"
)

// tsharkFields are tshark's names of fields that every record has, in lower case.
var tsharkFields = map[string]string{
	"frame.number": "frame", "frame.time": "time", "frame.time_utc": "time", "frame.time_epoch": "time_epoch",
	"frame.time_relative": "time_relative", "frame.len": "length", "frame.cap_len": "captured_length", "frame.protocols": "protocol",
	"frame.interface_name": "link.interface", "frame.comment": "link.comment",
	"ip.src": "src", "ipv6.src": "src", "ip.dst": "dst", "ipv6.dst": "dst", "ip.addr": "src", "ipv6.addr": "src",
	"ip.ttl": "link.ttl", "ipv6.hlim": "link.ttl", "ip.id": "link.ip_id", "ip.fragment": "ip_fragments", "vlan.id": "link.vlan",
	"udp.srcport": "src_port", "udp.dstport": "dst_port", "udp.port": "src_port", "udp.length": "length", "udp.stream": "stream",
	"_ws.col.number": "frame", "_ws.col.time": "time", "_ws.col.source": "src", "_ws.col.destination": "dst",
	"_ws.col.def_src": "src", "_ws.col.def_dst": "dst", "_ws.col.protocol": "protocol", "_ws.col.length": "length", "_ws.col.info": "info",
	"_ws.expert": "expert", "_ws.expert.severity": "expert.severity", "_ws.expert.message": "expert.message",
}

// NearestField returns the display name that was probably meant by a mistyped one or one of tshark's, or "" if
// none is similar. The last key is compared too: server_time suggests the path that ends with it.
func NearestField(name string, protocols []dissect.Protocol) string {
	if ours, ok := tsharkFields[strings.ToLower(name)]; ok {
		return ours
	}
	return near.Path(name, fieldPaths(protocols))
}

func fieldPaths(protocols []dissect.Protocol) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, info := range ListFields(protocols) {
			if !yield(info.Path) {
				return
			}
		}
	}
}

// Choices names the words of a closed list, after the one that was probably meant by a mistyped one.
func Choices(word string, words []string) string { return near.Choices(word, words) }

// Nearest returns the word that was probably meant by a mistyped one, or "" if none is similar.
func Nearest(word string, words []string) string { return near.Word(word, slices.Values(words)) }
