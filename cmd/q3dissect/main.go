// Command q3dissect reads packet captures of games and explains every bit of every message.
//
//	q3dissect capture.pcap                 one line per game datagram
//	q3dissect capture.pcap --json          every field of every message, one record per line
//	q3dissect capture.pcap -V              a table per datagram
//	tcpdump -w - udp | q3dissect -         standard input, while it grows
//
// What it prints is promised in docs/json.md; q3dissect --help shows the flags.
package main

import (
	"os"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/command"
	"github.com/q3dissect/q3dissect/dissect/all"
)

func main() { os.Exit(command.Main(all.Protocols()...)) }
