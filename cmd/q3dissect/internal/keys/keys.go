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
	"github.com/q3dissect/q3dissect/dissect/members"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// An entry is a line of keys --json.
type entry struct {
	File       string    `json:"file,omitempty" doc:"where several were read"`
	Protocol   string    `json:"protocol"`
	Stream     *int      `json:"stream,omitempty" doc:"number of the conversation, as in the records"`
	Session    *int      `json:"session,omitempty" doc:"number of the session within the stream"`
	Server     string    `json:"server" doc:"address and port"`
	Client     string    `json:"client,omitempty" doc:"address and port"`
	Encoding   string    `json:"encoding,omitempty"`
	Version    int       `json:"version,omitempty" doc:"protocol whose tables read the messages, of a game made from Quake III; absent where the handshake says it"`
	Known      string    `json:"known" words:"handshake,checksum,recovered,given,unknown" doc:"how the key is known"`
	FirstFrame uint64    `json:"first_frame,omitempty" doc:"first sequenced packet of the session"`
	SinceFrame uint64    `json:"since_frame,omitempty" doc:"first message that the key deciphers"`
	Challenge  *int32    `json:"challenge,omitempty"`
	LowByte    bool      `json:"challenge_low_byte,omitempty" doc:"only the low byte is known, which is all that the cipher uses"`
	Proven     bool      `json:"proven" doc:"no other challenge is possible"`
	Messages   int       `json:"messages,omitempty" doc:"enciphered messages of the session"`
	Verified   int       `json:"verified,omitempty" doc:"of them, deciphered to their end"`
	Margin     int       `json:"margin_bits,omitempty" doc:"evidence for the challenge over any other, in bits"`
	GaveUp     bool      `json:"gave_up,omitempty" doc:"the search was stopped for its cost"`
	Help       string    `json:"help,omitempty" doc:"what would help to know more"`
	Commands   []command `json:"commands,omitempty"`
	Feeds      []feed    `json:"checksum_feeds,omitempty" doc:"what user commands are keyed with, where no message says it"`
}

// Schema returns the JSON Schema of the lines of keys --json.
func Schema() []byte {
	return members.Of[entry]().Schema("how the key of a session is known", "one line of q3dissect keys --json")
}

// A feed is the part of a game's checksum feed that user commands are keyed with.
type feed struct {
	ServerID int32  `json:"server_id"`
	Low      uint16 `json:"low_16_bits" doc:"all of the feed that is used"`
	Verified int    `json:"verified,omitempty" doc:"turns of the player that agree with it"`
}

// A command is a command that messages are enciphered with.
type command struct {
	From     string `json:"from" words:"server,client"`
	Number   int32  `json:"number"`
	Text     string `json:"text" doc:"where read is false, '.' stands for '%' and characters above 127"`
	TextRaw  string `json:"text_raw,omitempty" doc:"hex, where the text is not valid UTF-8"`
	Whole    bool   `json:"whole" doc:"false: only the beginning is known"`
	Read     bool   `json:"read" doc:"a deciphered message has it; false: recovered from the messages enciphered with it"`
	Verified int    `json:"verified,omitempty" doc:"messages that it deciphers to their end"`
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
