// Package samples has the capture that the program brings along.
package samples

import _ "embed"

// Chat is quake3/71-ipv6-chat.pcap: a client and bots on an ioquake3 server over IPv6, with chat, kills and a renaming.
//
//go:embed quake3/71-ipv6-chat.pcap
var Chat []byte
