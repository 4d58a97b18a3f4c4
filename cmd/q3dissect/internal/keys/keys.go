// Package keys reads and writes lists of session keys: what the verb keys prints and --keys takes.
package keys

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// An entry is a line of keys --json.
type entry struct {
	File       string    `json:"file,omitempty"`
	Protocol   string    `json:"protocol"`
	Stream     *int      `json:"stream,omitempty"`
	Session    *int      `json:"session,omitempty"`
	Server     string    `json:"server"`
	Client     string    `json:"client,omitempty"`
	Encoding   string    `json:"encoding,omitempty"`
	Version    int       `json:"version,omitempty"`
	Known      string    `json:"known"`
	FirstFrame uint64    `json:"first_frame,omitempty"`
	SinceFrame uint64    `json:"since_frame,omitempty"`
	Challenge  *int32    `json:"challenge,omitempty"`
	LowByte    bool      `json:"challenge_low_byte,omitempty"`
	Proven     bool      `json:"proven"`
	Messages   int       `json:"messages,omitempty"`
	Verified   int       `json:"verified,omitempty"`
	Margin     int       `json:"margin_bits,omitempty"`
	GaveUp     bool      `json:"gave_up,omitempty"`
	Help       string    `json:"help,omitempty"`
	Commands   []command `json:"commands,omitempty"`
	Feeds      []feed    `json:"checksum_feeds,omitempty"`
}

// A feed is the part of a game's checksum feed that user commands are keyed with.
type feed struct {
	ServerID int32  `json:"server_id"`
	Low      uint16 `json:"low_16_bits"`
	Verified int    `json:"verified,omitempty"`
}

// A command is a command that messages are enciphered with.
type command struct {
	From     string `json:"from"` // server or client
	Number   int32  `json:"number"`
	Text     string `json:"text"`
	TextRaw  string `json:"text_raw,omitempty"`
	Whole    bool   `json:"whole"`
	Read     bool   `json:"read"`
	Verified int    `json:"verified,omitempty"`
	Evidence int    `json:"evidence_bits,omitempty"`
}

// advice suggests how to learn more.
func advice(k *keys.Key) string {
	switch {
	case k.Known == keys.Unknown && k.GaveUp:
		return "the search was stopped for its cost; name the files in which the session begins, with --continue, or give " +
			"the challenge with --keys"
	case k.Known == keys.Unknown:
		return "name the files in which the session begins, with --continue, or give the challenge with --keys"
	case k.Known == keys.Handshake && k.Verified < k.Messages:
		return "the rest is enciphered with commands that are not in the capture, and too few messages are to recover them"
	case (k.Known == keys.Recovered || k.Known == keys.Given) && k.Verified < k.Messages:
		return "the rest is enciphered with commands that are not in the capture; with --continue, files in which the " +
			"session began would have them"
	}
	return ""
}

// AppendJSON appends an entry of the list and a line feed. file is empty where the list is about one file.
func AppendJSON(dst []byte, file string, k *keys.Key) []byte {
	e := entry{
		File: file, Protocol: k.Protocol, Stream: &k.Stream, Session: &k.Session, Server: k.Server.String(),
		Client: k.Client.String(), Encoding: k.Encoding, Version: k.Version, Known: string(k.Known), FirstFrame: k.First,
		SinceFrame: k.Since, LowByte: k.LowByte, Proven: k.Proven, Messages: k.Messages, Verified: k.Verified,
		Margin: k.Margin, GaveUp: k.GaveUp, Help: advice(k),
	}
	if k.HasChallenge {
		e.Challenge = &k.Challenge
	}
	for _, c := range k.Commands {
		kc := command{
			From: "server", Number: c.Number, Whole: c.Whole, Read: c.Read, Verified: c.Verified,
			Evidence: c.Evidence,
		}
		if c.FromClient {
			kc.From = "client"
		}
		text, exact := wiretext.Append(nil, c.Text)
		if kc.Text = string(text); !exact {
			kc.TextRaw = hex.EncodeToString(c.Text)
		}
		e.Commands = append(e.Commands, kc)
	}
	for _, f := range k.Feeds {
		e.Feeds = append(e.Feeds, feed(f))
	}
	b, err := json.Marshal(&e)
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return append(append(dst, wiretext.EscapeJSON(b)...), '\n')
}

// maxFile is the length in bytes of the largest list that is read. A session takes some hundred.
const maxFile = 64 << 20

// Read reads a list as keys --json prints it, or as a person writes it: one object after the other.
func Read(name string) (List, error) {
	b, err := input.ReadAll(name, maxFile)
	if err != nil {
		return List{}, exit.Usagef("--keys %s: %s", name, exit.Reason(err))
	}
	var list List
	d := json.NewDecoder(strings.NewReader(string(b)))
	for d.More() {
		var e entry
		if err := d.Decode(&e); err != nil {
			return List{}, exit.Usagef("--keys %s: %v", name, err)
		}
		k, err := e.key()
		if err != nil {
			return List{}, exit.Usagef("--keys %s: entry %d: %v", name, len(list.keys)+1, err)
		}
		list.add(k)
	}
	return list, nil
}

// key converts an entry to the dissectors' form.
func (e *entry) key() (k keys.Key, err error) {
	k = keys.Key{
		Protocol: e.Protocol, Session: -1, Known: keys.Given, Version: e.Version,
		Proven: e.Proven, LowByte: e.LowByte, Margin: e.Margin,
	}
	if e.Session != nil {
		k.Session = *e.Session
	}
	if k.Server, err = netip.ParseAddrPort(e.Server); err != nil {
		return k, fmt.Errorf("server: %w", err)
	}
	if e.Client != "" {
		if k.Client, err = netip.ParseAddrPort(e.Client); err != nil {
			return k, fmt.Errorf("client: %w", err)
		}
	}
	if e.Challenge != nil {
		k.Challenge, k.HasChallenge = *e.Challenge, true
	}
	if e.Known == "" { // written by a person
		k.Proven = true
	}
	for _, f := range e.Feeds {
		k.Feeds = append(k.Feeds, keys.Feed(f))
	}
	for _, c := range e.Commands {
		text := []byte(c.Text)
		if c.TextRaw != "" {
			if text, err = hex.DecodeString(c.TextRaw); err != nil {
				return k, fmt.Errorf("command %d: %w", c.Number, err)
			}
		}
		if c.From != "server" && c.From != "client" {
			return k, fmt.Errorf("command %d: from %q, want server or client", c.Number, c.From)
		}
		k.Commands = append(k.Commands, keys.Command{
			FromClient: c.From == "client", Number: c.Number, Text: text, Whole: c.Whole, Read: c.Read, Verified: c.Verified,
			Evidence: c.Evidence,
		})
	}
	return k, nil
}

// A List has the keys of sessions of other inputs. The zero value is empty.
type List struct {
	keys    []keys.Key
	between map[endpoints][]int // places in keys
}

// The endpoints of a session. An entry without client is for all clients of its server.
type endpoints struct{ server, client netip.AddrPort }

func (l *List) add(k keys.Key) {
	if l.between == nil {
		l.between = map[endpoints][]int{}
	}
	e := endpoints{k.Server, k.Client}
	l.between[e] = append(l.between[e], len(l.keys))
	l.keys = append(l.keys, k)
}

// Find returns the first entry for a session of this input: one between the same endpoints.
func (l *List) Find(k keys.Key) *keys.Key {
	first := len(l.keys)
	for _, e := range [...]endpoints{{k.Server, k.Client}, {server: k.Server}} {
		for _, at := range l.between[e] {
			if n := l.keys[at].Session; n < 0 || n == k.Session {
				first = min(first, at)
				break
			}
		}
	}
	if first == len(l.keys) {
		return nil
	}
	return &l.keys[first]
}
