package recordhead

import (
	"crypto/sha1"
	"encoding/base64"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// Asked are fields that records and events have only if somebody asks for them: they cost more than others. Filters and
// columns know them always.
var Asked = []Field{
	{
		Key: "community_id", Kind: Label,
		Doc: "Community ID of the UDP flow, version 1 with seed 0, as Zeek, Suricata and Arkime compute it; the same in " +
			"both directions",
		Get: func(r *dissect.Record, _ int) (Value, bool) {
			if !r.UDP || !r.Src.IsValid() {
				return Value{}, false
			}
			return Value{Text: CommunityID(r.Src, r.Dst)}, true
		},
	},
}

// CommunityID returns the Community ID, version 1 with seed 0, of a UDP flow. The order of the endpoints does not
// matter.
//
// It is "1:" and the base64 of the SHA-1 of seed, lower and higher address, protocol, a zero byte and their ports, all
// big endian. The endpoint with the lower address is first, and of equal ones that with the lower port. Source: the
// specification of the Community ID Flow Hashing.
func CommunityID(a, b netip.AddrPort) string {
	a, b = netip.AddrPortFrom(a.Addr().Unmap(), a.Port()), netip.AddrPortFrom(b.Addr().Unmap(), b.Port())
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	var buf [2 + 2*16 + 2 + 4]byte
	text := append(buf[:0], 0, 0) // seed
	text = append(text, a.Addr().AsSlice()...)
	text = append(text, b.Addr().AsSlice()...)
	text = append(text, udpNumber, 0)
	text = append(text, byte(a.Port()>>8), byte(a.Port()), byte(b.Port()>>8), byte(b.Port()))
	sum := sha1.Sum(text)
	return "1:" + base64.StdEncoding.EncodeToString(sum[:])
}
