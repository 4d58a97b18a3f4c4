package main

import "github.com/spf13/cobra"

// helpText is one screen: what one does with the program first, then every flag.
const helpText = `q3dissect reads packet captures of games and says what every bit means.

  q3dissect capture.pcap                          one line per game datagram
  q3dissect capture.pcap -V --frames 26           every field of one datagram
  q3dissect capture.pcap --json | jq .info        every message as JSON
  q3dissect capture.pcap -T csv -e frame -e info  chosen fields as CSV
  tcpdump -w - udp | q3dissect -                  a live capture

Usage: q3dissect [flags] FILE...    pcap, pcapng, packed or not; - is stdin
       q3dissect events FILE...     who did what in the game: events --help
       q3dissect export demo -o DIR FILE...     demos of what each client saw
       q3dissect export files -o DIR FILE...    downloads and maps that were sent
       q3dissect completion SHELL   a script for bash, zsh, fish or powershell

  -Y, --display-filter FILTER   records that fit, as in -Y 'length > 200 and
                        quake3.oob.command == "rcon"'; may stand last without -Y
  -V, --table           a table of every field: place, bits, value, meaning
      --json            one JSON record per line
  -T, --format FORMAT   text, json (one array), fields or csv
  -e, --field FIELD     a column of -T fields and -T csv; give one -e for each
  -E, --columns OPTIONS header=y,separator=, quote, occurrence, aggregator, bom
  -O, --only PROTO      -V with the fields of these protocols only
  -x, --hex             hex dumps of datagram and message
  -t, --time FORMAT     times in text: r a ad u ud e d; r.3 has three decimals
  -q, --quiet           no records and no summary, errors only
      --bits, --no-names, --link   JSON with positions, without number names,
                        with interface, VLAN, TTL and comment
      --state           absolute states and unchanged entities too
      --show-secrets    passwords in lists and tables; JSON has them anyway
      --color WHEN      auto, always or never

  -c, --count N         stop after N packets
      --frames LIST     these packets only: 100-200,1042,5000-
      --all             packets of no known protocol too
  -d, --decode-as udp.port==N,PROTO   whatever the port's datagrams look like

  -r, --read-file FILE  a file; without -r it is the same
      --continue        all files are one capture, as tcpdump -C makes them
  -l, --line-buffered   wait for nothing: print each record at once
  -j, --workers N       threads that dissect; the output is the same for all N
  -n, --no-lookup       no effect: names are never looked up
      --exit-status     exit with 1 if nothing matched

  --list-fields [PREFIX] [--json]  --list-protocols  --schema  --version  --help

Exit status: 0 done; 1 nothing matched and --exit-status was given; 2 usage;
3 an input cannot be read; 4 an input breaks off, the rest was printed.
`

// help prints the help of the program or of a verb.
func (p *program) help(cmd *cobra.Command) {
	text := helpText
	if cmd.HasParent() && cmd.Long != "" {
		text = cmd.Long
	}
	// Nothing can be done about a fault here: cobra asks for no error.
	_ = p.print([]byte(text))
}

// newHelpCommand makes the verb help.
func newHelpCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "show how the program is used",
		Long:  helpText,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError("there is no help about %q; q3dissect help shows what there is", args[0])
			}
			p.help(about)
			return nil
		},
	}
}
