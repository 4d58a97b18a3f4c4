package keys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect/keys"
)

type column = table.ColumnOf[keys.Key]

// columns have the names of the keys of JSON.
func columns() []column {
	decimal := func(n int) string { return strconv.Itoa(n) }
	return []column{
		{Column: table.Column{Name: "stream", Right: true}, Cell: func(k *keys.Key) string { return decimal(k.Stream) }},
		{Column: table.Column{Name: "session", Right: true}, Cell: func(k *keys.Key) string { return decimal(k.Session) }},
		{Column: table.Column{Name: "server"}, Cell: func(k *keys.Key) string { return k.Server.String() }},
		{Column: table.Column{Name: "client"}, Cell: func(k *keys.Key) string { return k.Client.String() }},
		{Column: table.Column{Name: "encoding"}, Cell: func(k *keys.Key) string { return k.Encoding }},
		{Column: table.Column{Name: "known"}, Cell: func(k *keys.Key) string { return string(k.Known) }},
		{Column: table.Column{Name: "challenge", Right: true}, Cell: func(k *keys.Key) string {
			if !k.HasChallenge {
				return ""
			}
			return decimal(int(k.Challenge))
		}},
		{Column: table.Column{Name: "messages", Right: true}, Cell: func(k *keys.Key) string {
			if k.Messages == 0 {
				return ""
			}
			return decimal(k.Messages)
		}},
		{Column: table.Column{Name: "verified", Right: true}, Cell: func(k *keys.Key) string {
			if k.Messages == 0 {
				return ""
			}
			return decimal(k.Verified)
		}},
		{Column: table.Column{Name: "notes", Place: table.AsNotes}, Cell: func(k *keys.Key) string {
			return strings.Join(notes(k), "\n")
		}},
	}
}

// Table returns the sessions of an input as a table, with what is to be said of a key below it. title is the name of
// the input where there are several.
func Table(title string, list []keys.Key) *table.Table {
	t := table.Of(list, slices.DeleteFunc(columns(), func(c column) bool {
		return !slices.ContainsFunc(list, func(k keys.Key) bool { return c.Cell(&k) != "" })
	}))
	if t.Title = title; title != "" {
		t.Indent = 2
	}
	return t
}

// notes are what there is to say of a key beside the columns.
func notes(k *keys.Key) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	switch k.Known {
	case keys.Unknown, keys.Handshake:
	case keys.Checksum:
		add("nothing is enciphered; the checksums are those of the challenge")
	default:
		list = append(list, evidence(k)...)
	}
	if k.Version != 0 {
		add("the messages are read with the tables of protocol %d", k.Version)
	}
	for _, c := range k.Commands {
		if c.Read {
			continue
		}
		from, rest := "server", ""
		if c.FromClient {
			from = "client"
		}
		if !c.Whole {
			rest = " and more, not known"
		}
		add("%s command %d recovered, %d bits, %d messages: %s%s", from, c.Number, c.Evidence, c.Verified,
			shortened(strconv.QuoteToASCII(string(c.Masked))), rest)
	}
	for _, f := range k.Feeds {
		add("checksum feed of server id %d recovered: low 16 bits %d, %d turns of the player agree",
			f.ServerID, f.Low, f.Verified)
	}
	if help := advice(k); help != "" {
		add("to know more: %s", help)
	}
	return list
}

// evidence describes how certain a key is that is not from the handshake.
func evidence(k *keys.Key) []string {
	var parts []string
	if k.LowByte {
		parts = append(parts, "the challenge is its low byte alone")
	}
	if k.Since > 0 {
		parts = append(parts, fmt.Sprintf("used since frame %d", k.Since))
	}
	if k.Proven && k.Margin > 0 {
		parts = append(parts, fmt.Sprintf("%d bits ahead of any other", k.Margin))
	} else if !k.Proven {
		parts = append(parts, "not certain")
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}

// shortened keeps a command within a line.
func shortened(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return s[:most] + `..."`
}
