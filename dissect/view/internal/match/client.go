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

// addName appends a name unless it is the last one already. A player has at most 32.
func addName(list []string, name string) []string {
	if n := len(list); n > 0 && list[n-1] == name || n >= 32 {
		return list
	}
	return append(list, name)
}
