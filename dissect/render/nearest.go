package render

import (
	"iter"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// tsharkFields are the names that tshark's users know for what every record has, in lower case.
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

// NearestField gives the display name that was probably meant by a mistyped one or one of tshark's, or "" when
// none is like it. The last key counts too: server_time suggests the path that ends so.
func NearestField(name string, protocols []dissect.Protocol) string {
	if ours, ok := tsharkFields[strings.ToLower(name)]; ok {
		return ours
	}
	best, bestCost := "", farthest(name)+1
	for path, cost := range distances(name, fieldPaths(protocols)) {
		if strings.HasSuffix(path, "."+name) {
			cost = 1
		}
		if cost < bestCost {
			best, bestCost = path, cost
		}
	}
	return best
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

// Nearest gives the one of some words that was probably meant by a mistyped one, or "" when none is like it.
func Nearest(word string, words []string) string {
	best, bestCost := "", farthest(word)+1
	for known, cost := range distances(word, slices.Values(words)) {
		if cost < bestCost {
			best, bestCost = known, cost
		}
	}
	return best
}

// farthest is the largest distance of a word that is suggested for another.
func farthest(word string) int { return max(len(word)/3, 2) }

// distances gives the number of bytes to insert, delete or replace, or of neighbours to swap, to turn a word into
// each of others (optimal string alignment).
func distances(word string, others iter.Seq[string]) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		var before, last, row []int // of the table, a row for each byte of the word
		for other := range others {
			row = row[:0]
			for j := 0; j <= len(other); j++ {
				row = append(row, j)
			}
			for i := range len(word) {
				before, last, row = last, row, append(before[:0], i+1)
				for j := range len(other) {
					cost := last[j]
					if word[i] != other[j] {
						cost = min(cost, last[j+1], row[j]) + 1
					}
					if i > 0 && j > 0 && word[i] == other[j-1] && word[i-1] == other[j] {
						cost = min(cost, before[j-1]+1)
					}
					row = append(row, cost)
				}
			}
			if !yield(other, row[len(other)]) {
				return
			}
		}
	}
}
