package quake3

import (
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// commandWindow is how many reliable commands of a direction are kept. A peer keeps 64 (MAX_RELIABLE_COMMANDS)
// and refers to none that is older, so twice that is always enough. Games that keep more have a larger window.
const (
	commandWindow = 128
	firstCommands = 8 // that there is room for at first
)

// commands are the reliable commands of one direction, by number.
type commands struct {
	ring   []storedCommand // as many as a power of two: it grows up to the window
	window int32           // how many are kept
	newest int32           // highest number stored or known to be used
	known  bool            // newest has been set
	in     uint32          // sequence number of the last message whose commands were all stored
	hashed hashedCommand   // the last one
}

// A hashedCommand is the key that a command gives for user commands. Clients acknowledge one command in many messages.
type hashedCommand struct {
	number int32
	key    uint32
	kept   token.Kept
	known  bool
}

type storedCommand struct {
	number int32
	seen   bool
	text   []byte // as read, a trailing line feed included
}

// reset forgets all commands.
func (c *commands) reset() {
	if c.ring == nil {
		c.ring, c.window = make([]storedCommand, firstCommands), commandWindow
	}
	for i := range c.ring {
		c.ring[i].seen = false
	}
	c.newest, c.known, c.in, c.hashed = 0, false, 0, hashedCommand{}
}

// widen keeps twice as many commands as a peer does.
func (c *commands) widen(kept int) { c.window = max(c.window, int32(2*kept)) }

// grow makes room for twice as many commands.
func (c *commands) grow() {
	old := c.ring
	c.ring = make([]storedCommand, 2*len(old))
	for i := range old {
		if old[i].seen {
			c.ring[old[i].number&c.mask()] = old[i]
		}
	}
}

func (c *commands) mask() int32 { return int32(len(c.ring) - 1) }

// seen reports whether an earlier message carried the command.
func (c *commands) seen(number int32) bool {
	s := &c.ring[number&c.mask()]
	return s.seen && s.number == number || c.known && number <= c.newest-c.window
}

// put stores a command when it is first seen. A later text of the same number is ignored, as in the engine
// (CL_ParseCommandString, SV_ClientCommand), and so is a command that is too old to be referred to.
func (c *commands) put(number int32, text []byte) {
	if c.seen(number) {
		return
	}
	if !c.known || number > c.newest {
		c.newest, c.known = number, true
	}
	if (c.hashed.number^number)&(c.window-1) == 0 {
		c.hashed.known = false
	}
	s := &c.ring[number&c.mask()]
	for s.seen && s.number != number && int32(len(c.ring)) < c.window {
		c.grow()
		s = &c.ring[number&c.mask()]
	}
	s.number, s.seen = number, true
	s.text = append(s.text[:0], text...)
}

// believes reports whether a message can carry a command of that number: between one message and the next a peer adds
// fewer than the window holds, a message that comes late can only have what they added before, and a repeated one
// brings nothing new. A higher number is damage, and must not make every later command an old one.
func (c *commands) believes(number int32, m *message) bool {
	ahead := int64(number) - int64(c.newest)
	if !c.known || ahead <= 0 {
		return true
	}
	if m.header.Sequence <= c.in {
		if m.arrival.Late {
			return !m.arrival.Duplicate && ahead <= int64(c.window)
		}
		return !m.arrival.Duplicate // c.in itself was far ahead
	}
	return ahead <= int64(m.header.Sequence-c.in)*int64(c.window)
}

// get returns the text of a command. Number 0 is the empty one that both sides begin with.
func (c *commands) get(number int32) (text []byte, ok bool) {
	s := &c.ring[number&c.mask()]
	if s.seen && s.number == number {
		return s.text, true
	}
	return nil, number == 0
}

// key returns what a command contributes to the key of user commands.
func (c *commands) key(number int32, kept token.Kept) (key uint32, ok bool) {
	if h := &c.hashed; h.known && h.number == number && h.kept == kept {
		return h.key, true
	}
	text, ok := c.get(number)
	if !ok {
		return 0, false
	}
	key = token.HashKey(text, kept)
	c.hashed = hashedCommand{number: number, key: key, kept: kept, known: true}
	return key, true
}

// canStillCome reports whether a missing command can still arrive: its number is above all that were seen.
// Every message that carried a lower one has passed.
func (c *commands) canStillCome(number int32) bool {
	return c.known && number > c.newest && number-c.newest <= c.window
}

// Fields of reliable commands, both directions.
var (
	commandSequence = dissect.Field{
		Key: "sequence", Kind: dissect.Int, Bits: 32,
		Source: "CL_ParseCommandString, code/client/cl_parse.c; SV_ClientCommand, code/server/sv_client.c",
		Doc:    "number of the reliable command; repeated in every message until acknowledged",
	}
	commandText = dissect.Field{
		Key: "command", Kind: dissect.Text, Source: "MSG_ReadString, code/qcommon/msg.c", Doc: "the whole text as sent",
	}
	commandRepeat = dissect.Field{
		Key: "repeat", Kind: dissect.Bool,
		Doc: "true: an earlier message of the stream already carried the command; absent otherwise",
	}
	commandName = dissect.Field{
		Key: "name", Kind: dissect.Text, Source: "Cmd_TokenizeString, code/qcommon/cmd.c", Doc: "first word of the text",
	}
	commandArguments = dissect.Field{
		Key: "arguments", Kind: dissect.List, Source: "Cmd_TokenizeString, code/qcommon/cmd.c",
		Doc: "the words after it, quotes removed", Children: []*dissect.Field{{Kind: dissect.Text}},
	}
	clientCommandField = dissect.Field{
		Key: "client_command", Name: "clc_clientCommand", Kind: dissect.Object,
		Source: "SV_ClientCommand, code/server/sv_client.c",
		Doc:    "a reliable command of the client",
		Children: []*dissect.Field{
			&commandSequence, &commandText, &commandRepeat, &commandName, &commandArguments, &userinfoField, &dissect.Undecoded,
		},
		Frame: textFrame,
	}
	userinfoField = dissect.Field{
		Key: "info", Kind: dissect.Info, Source: "SV_UpdateUserinfo_f, code/server/sv_client.c",
		Doc: "the keys of a userinfo command",
	}
	serverCommandField = dissect.Field{
		Key: "server_command", Name: "svc_serverCommand", Kind: dissect.Object,
		Source: "CL_ParseCommandString, code/client/cl_parse.c",
		Doc:    "a reliable command of the server",
		Children: []*dissect.Field{
			&commandSequence, &commandText, &commandRepeat, &commandName, &commandArguments,
			&commandConfigstring, &dissect.Undecoded,
		},
		Frame: textFrame,
	}
	commandConfigstring = dissect.Field{
		Key: "configstring", Kind: dissect.Object, Source: "CL_ConfigstringModified, code/client/cl_cgame.c",
		Doc:      "the configstring, or the part of a long one, that cs, bcs0, bcs1 or bcs2 sets",
		Children: []*dissect.Field{&configstringIndex, &configstringValue, &configstringInfo},
	}
)

// A commandReader reads reliable commands of either direction.
type commandReader struct {
	text  []byte
	words token.Words
}

// read reads number and text of a command whose object is open, shows what is known of it, and logs it: it
// counts when the message is known to be good. seen are the earlier commands. ok reports whether the command
// was read completely; its text is then that of the last change in the log.
func (r *commandReader) read(d *decode.Decoder, unscramble *[256]byte, seen *commands, log *observe.Log,
) (text []byte, repeat, ok bool) {
	number := d.Int(&commandSequence)
	at := d.Pos()
	r.text = d.Scrambled(&commandText, unscramble, r.text)
	if d.Failed() {
		return nil, false, false
	}
	repeat = seen.seen(number) || log.Has(number)
	log.Add(observe.Change{Kind: observe.Command, Number: number, Repeat: repeat}, r.text)
	if repeat {
		d.Tree().AddBool(&commandRepeat, true, at, 0)
	}
	details := d.Details()
	if tree := d.Tree(); tree != nil {
		r.words.Split(r.text)
		addWords(tree, &r.words, at)
	}
	d.End(details)
	return r.text, repeat, true
}

// addWords shows name and arguments of a command.
func addWords(tree *dissect.Tree, w *token.Words, at int) {
	if w.Len() == 0 {
		return
	}
	tree.AddBytes(&commandName, w.At(0), at, 0)
	tree.Open(&commandArguments, at)
	for i := 1; i < w.Len(); i++ {
		tree.AddBytes(commandArguments.Children[0], w.At(i), at, 0)
	}
	tree.Close(0)
}

// configstringAt reads word i as the index of one of most configstrings; -1 if it is not an index.
func configstringAt(w *token.Words, i, most int) int {
	if i >= w.Len() {
		return -1
	}
	n, err := strconv.Atoi(string(w.At(i)))
	if err != nil || n < 0 || n >= most {
		return -1
	}
	return n
}
