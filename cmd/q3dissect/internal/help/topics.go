package help

// Topics are the pages of q3dissect help other than those of verbs.
var Topics = map[string]string{
	"filters": `A display filter chooses records, or events, by their fields: tshark's grammar over the
fields of the records. It follows -Y, or stands last among the arguments.

  q3dissect capture.pcap -Y 'length > 200 and info contains "railgun"'
  q3dissect capture.pcap 'quake3.oob.command == "rcon" or expert.severity >= warning'
  q3dissect events capture.pcap 'event == "chat" and text matches "(?i)gg"'

  == != < <= > >=       also eq ne lt le gt ge; a name for a number that has one
  contains matches in   text; regular expressions of RE2; {1, 2, 5..9}
  and or not ( )        also && || !
  src == 10.0.0.0/8     addresses with prefix length; src and dst apart
  quake3.netchan        a field alone: it is there
  any all               over the elements of an array
  len count lower upper abs   functions; data[0:4] slices

docs/filters.md has all of it. Faults point at their column, and name the nearest field.
`,
	"fields": `A field's name is its path in the JSON records, with arrays skipped:

  quake3.server_message.ops.snapshot.server_time

q3dissect --list-fields lists all, --list-fields quake3.netchan those below a name, with --json
as JSON: type, bits on the wire, the engine's spelling, meaning, source. docs/fields.md has the
same for reading. The names serve -e, -Y and jq alike:

  q3dissect capture.pcap -T csv -e frame -e quake3.netchan.sequence
  q3dissect capture.pcap -T fields -e 'quake3.netchan.*'
  q3dissect capture.pcap --json | jq .quake3.netchan.sequence

stats.7 is one element of a sparse array, stats.* all of them; info.hostname one key of an
infostring; weapon_name the name of weapon, where it has one. q3dissect --schema prints the JSON
Schema of the records.
`,
	"stats": `After every run a summary goes to standard error: packets, game datagrams, messages, damaged and
unknown datagrams, and how often each expert code occurred. -q leaves it out.

Further figures are a line of jq over the records, or over the events:

  q3dissect capture.pcap --json | jq -rs 'group_by(.stream)[] | "\(.[0].stream) \(length)"'
  q3dissect events capture.pcap --json | jq -r 'select(.event=="kill").info' | sort | uniq -c

docs/json.md has ten such recipes. -z NAME prints statistics of the program itself: losses, players,
conversations and more; docs/statistics.md lists them.
`,
}
