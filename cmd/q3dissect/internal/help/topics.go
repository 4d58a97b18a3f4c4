package help

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Topics are the names of the pages of q3dissect help other than those of verbs.
func Topics() []string { return slices.Sorted(maps.Keys(topics)) }

// Topic returns a page, or "". statistics are the names of the statistics with what they are, in turn.
func Topic(name string, statistics ...string) string {
	var list strings.Builder
	for i := 0; i+1 < len(statistics); i += 2 {
		writeColumns(&list, "  "+statistics[i], helpColumn, statistics[i+1])
	}
	return strings.Replace(topics[name], statisticsHere, list.String(), 1)
}

// Statistic returns the page about a statistic. columns are the names of its columns with what they are, in turn.
func Statistic(name, what, usage string, columns ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: a statistic: %s\n\n", name, what)
	for i := 0; i+1 < len(columns); i += 2 {
		writeColumns(&b, "  "+columns[i], statisticColumn, columns[i+1])
	}
	fmt.Fprintf(&b, "\n  q3dissect FILE -q -z %s\n\n", usage)
	return b.String()
}

// statisticColumn is where the words about a column of a statistic begin.
const statisticColumn = 21

// statisticsHere is replaced by the list of statistics.
const statisticsHere = "STATISTICS\n"

var topics = map[string]string{
	"filters": `A display filter chooses records, or events, by their fields: tshark's grammar
over the fields of the records. It follows -Y, or is the last argument.

  q3dissect capture.pcap -Y 'length > 200 and info contains "railgun"'
  q3dissect capture.pcap 'quake3.oob.command == "rcon" or length > 1000'
  q3dissect events capture.pcap 'event == "chat" and text matches "(?i)gg"'

  == != < <= > >=       also eq ne lt le gt ge; a name for a number that has one
  contains matches in   text; regular expressions of RE2; {1, 2, 5..9}
  and or not ( )        also && || !
  src == 10.0.0.0/8     addresses with prefix length; src and dst apart
  quake3.netchan        a field alone: it is there
  any all               over the elements of an array
  len count lower upper abs   functions; data[0:4] slices

docs/filters.md has all of it. Errors point to the column and suggest the
nearest field name.
`,
	"fields": `A field's name is its path in the JSON records, with arrays skipped:

  quake3.server_message.ops.snapshot.server_time

q3dissect --list-fields lists all, --list-fields snapshot those with the word in
their name or description, with --json as JSON: type, bits on the wire, the
engine's spelling, meaning, source. docs/fields.md has the same for reading. The
names serve -e, -Y and jq alike; -e and -Y also take Wireshark's for the head of
a packet (frame.number, ip.src, udp.port, _ws.col.info):

  q3dissect capture.pcap -T csv -e frame -e quake3.netchan.sequence
  q3dissect capture.pcap -T fields -e 'quake3.netchan.*'
  q3dissect capture.pcap --json | jq .quake3.netchan.sequence

stats.7 is one element of a sparse array, stats.* all of them; info.hostname
one key of an infostring; weapon_name the name of weapon, where it has one.
q3dissect --schema prints the JSON Schema of the records.
`,
	"stats": `-z NAME adds a statistic to the output, -q -z NAME prints it alone, and --json
has an object for each row. Several are made in one pass.

  q3dissect capture.pcap -q -z loss -z players

` + statisticsHere + `
docs/statistics.md has the columns. Every run ends with a summary on standard
error: packets, game datagrams, messages, damaged and unknown datagrams, and
how often each expert code occurred; -q leaves it out. Known attacks have codes
that begin with attack_ (docs/attacks.md). Further figures are a line of jq over
the records or events; docs/json.md has ten:

  q3dissect events g.pcap --json | jq -r 'select(.event=="kill").info' | sort
`,
}
