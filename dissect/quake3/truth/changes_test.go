package truth_test

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// appendChanges tells which fields of each user command were on the wire, which only their places say:
// "d8 angles[0] weapon;abs upmove;". d8 is a time relative to the command before.
func appendChanges(dst []byte, rec *dissect.Record) []byte {
	t := rec.Tree
	for i := 0; i < len(t.Nodes); i++ {
		list := &t.Nodes[i]
		if list.Field.Key != "user_commands" {
			continue
		}
		for j := i + 1; j < int(list.End); j++ {
			n := &t.Nodes[j]
			switch name := n.Field.EngineName(); {
			case n.Field.Key == "server_time":
				coding := "abs"
				if int(n.Bit>>3) < len(rec.Message) && rec.Message[n.Bit>>3]>>(n.Bit&7)&1 != 0 {
					coding = "d8"
				}
				dst = append(dst, coding...)
			case !n.Field.Kind.Container() && n.Bits > 0:
				dst = append(append(dst, ' '), name...)
			}
			if last := j+1 == int(list.End); last || t.Nodes[j+1].Field == t.Nodes[i+1].Field {
				dst = append(dst, ';')
			}
		}
	}
	return dst
}

// wantChanges is what appendChanges says according to the truth.
func wantChanges(t *truthLine) string {
	var b strings.Builder
	for i := range t.Ops {
		for _, cmd := range t.Ops[i].Commands {
			b.WriteString(strings.Join(append([]string{cmd.TimeCoding}, cmd.Changed...), " "))
			b.WriteByte(';')
		}
	}
	return b.String()
}
