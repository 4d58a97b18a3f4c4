package match

import "net/netip"

// A ClientFacts is what the stream of a client shows of the client itself.
type ClientFacts struct {
	GUID, Address string
}

// clientOf returns the address of the client of a server, without the port.
func clientOf(src, dst netip.AddrPort, server netip.AddrPort) string {
	for _, at := range []netip.AddrPort{src, dst} {
		if at.IsValid() && at != server {
			return at.Addr().String()
		}
	}
	return ""
}

// addName appends a name unless it is the last one already. The last 32 of a player are kept.
func addName(list []string, name string) []string {
	if n := len(list); n > 0 && list[n-1] == name {
		return list
	}
	return append(list[max(0, len(list)-31):], name)
}
