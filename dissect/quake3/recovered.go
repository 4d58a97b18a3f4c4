package quake3

import (
	"cmp"
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/recover"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/secret"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// expertKeyRecovered reports, once for each session, a key that was not in the handshake.
const expertKeyRecovered = "key_recovered"

// recoveringStreams limits the recovery of keys in a live input to the first streams. The number of a stream
// depends on the input alone, so the output does too.
const recoveringStreams = 256

var keyField = dissect.Field{
	Key: "key", Kind: dissect.Label, Source: "docs/protocols/cold-start.md",
	Doc: "recovered: the message was deciphered with a key that was recovered from the session's messages; given: with " +
		"one from --keys; absent otherwise",
}

// A recovery finds the keys of a session that the capture lacks: the handshake's, or reliable commands alone.
type recovery struct {
	session    *recover.Session
	origin     keys.Origin
	learns     bool // messages are added to the session
	before     int  // enciphered messages that were read before it was needed
	margin     int
	since      uint64 // frame of the first message deciphered
	reported   bool
	logged     [2]int32 // the last commands of each side that observers were shown as keys
	deciphered []byte
}

// finders creates the Finder of a source when it is first needed.
type finders struct {
	once   sync.Once
	finder *recover.Finder
}

func (f *finders) get() *recover.Finder {
	f.once.Do(func() {
		if f.finder == nil {
			f.finder = recover.NewFinder()
		}
	})
	return f.finder
}

// limited returns a source for the search of one input: its sessions have a limit of work together.
func (s source) limited(share *keys.Share) source {
	if s.finders != nil {
		s.finders = &finders{finder: s.finders.get().Limited(share)}
	}
	return s
}

// identify returns what identifies the session.
func (c *conversation) identify(rec *dissect.Record) keys.Key {
	k := keys.Key{Protocol: protocolName, Stream: rec.Stream, Session: c.session, Server: rec.Src, Client: rec.Dst}
	if rec.Direction == dissect.ClientToServer {
		k.Server, k.Client = rec.Dst, rec.Src
	}
	return k
}

// startRecovery starts looking for keys: at the first message of a session that began before the capture, and of others
// at the first message that is enciphered with a command which is not in the capture.
func (c *conversation) startRecovery(rec *dissect.Record) {
	if c.sought || c.finders == nil {
		return
	}
	c.sought = true
	var given *keys.Key
	if c.opts.Keys != nil {
		given = c.opts.Keys(c.identify(rec))
	}
	helps := given != nil && c.mayHelp(given)
	live := c.opts.KeysOnly || c.opts.Recover && rec.Stream < recoveringStreams
	if !live && !helps {
		return
	}
	r := &recovery{session: c.finders.get().NewSession(-1), origin: keys.Recovered, before: c.deciphered, learns: live ||
		!c.challengeKnown}
	if c.opts.KeysOnly { // one goroutine reads all sessions
		r.session.Join(c.finders.get().Server(c.identify(rec).Server))
	}
	switch {
	case c.version != 0 || c.choice.decided():
		if !r.session.SetVersion(c.snapshots.Generation.Number()) && c.challengeKnown {
			return
		}
	case given != nil && given.Version != 0:
		r.session.SetVersion(given.Version)
	}
	if helps {
		r.margin = given.Margin
		if given.Known == keys.Given || !c.challengeKnown {
			r.origin = given.Known
		}
		r.session.Set(int(uint8(given.Challenge)), given.Proven, keyCommands(given.Commands))
		for _, f := range given.Feeds {
			r.session.SetFeed(f.ServerID, recover.Feed{Low: f.Low, Verified: f.Verified})
		}
	}
	c.recovery = r
	if c.challengeKnown {
		c.seed(r.session)
	}
	c.adoptTables()
}

// mayHelp reports whether a key has something that the session lacks.
func (c *conversation) mayHelp(given *keys.Key) bool {
	switch {
	case !given.HasChallenge:
		return false
	case c.challengeKnown:
		return given.Proven && uint8(given.Challenge) == uint8(c.challenge) && len(given.Commands)+len(given.Feeds) > 0
	}
	return true
}

// seed passes the session's keys that the capture has to a search: the challenge, and the commands of both sides.
func (c *conversation) seed(s *recover.Session) {
	s.Set(int(uint8(c.challenge)), true, [2]map[int32]recover.Command{})
	for side, window := range [2]*commands{&c.server, &c.client} {
		for i := range window.ring {
			if k := &window.ring[i]; k.seen {
				s.Know(side == 1, k.number, k.text)
			}
		}
	}
}

// keyCommands sorts commands by side and number.
func keyCommands(list []keys.Command) (sides [2]map[int32]recover.Command) {
	for i := range sides {
		sides[i] = map[int32]recover.Command{}
	}
	for _, k := range list {
		sides[netchan.SideIndex(k.FromClient)][k.Number] = recover.Command{
			Text: k.Text, Whole: k.Whole, Read: k.Read, Needed: true, Verified: k.Verified, Evidence: int32(k.Evidence),
		}
	}
	return sides
}

// recovered deciphers a message with a recovered key into c.body, if the key is known.
func (c *conversation) recovered(m *message, rec *dissect.Record) bool {
	r := c.recovery
	if r == nil {
		return false
	}
	msg := recover.Message{FromClient: m.fromClient, Sequence: m.header.Sequence, At: rec.Time / 1e6, Body: m.body}
	cut := m.cut > 0
	if r.learns && !cut && !m.arrival.Duplicate {
		r.session.Add(msg)
	}
	var ok bool
	if r.deciphered, ok = r.session.Decipher(r.deciphered[:0], &msg, cut); !ok {
		return false
	}
	if r.since == 0 {
		r.since = rec.Frame
	}
	c.body = append(c.body[:0], r.deciphered...)
	c.clear = len(c.body)
	c.adoptTables()
	return true
}

// share passes the search the commands of a message that was read, which are the keys of others, and the message itself
// if it was read with a key of the capture. skip is that of decipherMessage.
func (c *conversation) share(rec *dissect.Record, m *message, recovered bool, skip int32) {
	whole := m.cut == 0 && !m.arrival.Duplicate && skip == 0
	r := c.recovery
	if r == nil {
		if start, _ := c.firstKey(m); whole && len(m.body) > start {
			c.deciphered++
		}
		return
	}
	if !c.challengeKnown {
		return
	}
	for i := range c.log.Changes {
		if k := &c.log.Changes[i]; k.Kind == observe.Command {
			r.session.Know(m.fromClient, k.Number, c.log.Text(k))
		}
	}
	if r.learns && whole && !recovered {
		r.session.Add(recover.Message{
			FromClient: m.fromClient, Sequence: m.header.Sequence,
			At: rec.Time / 1e6, Body: m.body,
		})
	}
}

// adoptTables takes the tables of the game that the session's messages were found to be of, unless its protocol is
// known.
func (c *conversation) adoptTables() {
	v := c.recovery.session.Version()
	if v == 0 || c.version != 0 || c.snapshots.Generation.Version == v {
		return
	}
	c.adopt(tables.GenerationOf(v))
}

// noteRecovered reports, once for each session, how its key is known.
func (c *conversation) noteRecovered(rec *dissect.Record, m *message) {
	r := c.recovery
	if r.reported {
		return
	}
	r.reported = true
	found := r.session.Keys()
	how := "was recovered from the session's own messages"
	if r.origin == keys.Given {
		how = "was given by the user"
	}
	if c.challengeKnown {
		rec.Expert(dissect.Note, expertKeyRecovered, &keyField, 0,
			"%s, which the message is enciphered with, is not in the capture; it %s", m.keyCommand(), how)
		return
	}
	if !found.Proven {
		rec.Expert(dissect.Note, expertKeyRecovered, &keyField, 0,
			"the handshake is not in the capture; the key %s. The challenge is not certain, the messages shown are", how)
		return
	}
	rec.Expert(dissect.Note, expertKeyRecovered, &keyField, 0,
		"the handshake is not in the capture; the key %s: the challenge's low byte is %d", how, found.Challenge)
}

// logKey logs the command that the message is enciphered with, if no message carried it, with the first such message.
func (c *conversation) logKey(m *message) {
	ack, other := m.prefix().reliableAck, 1-netchan.SideIndex(m.fromClient)
	if c.recovery.logged[other] == ack || len(c.observers) == 0 {
		return
	}
	c.recovery.logged[other] = ack
	found := c.recovery.session.Keys()
	if cmd, ok := found.Commands[other][ack]; ok && found.Proven && !cmd.Read {
		c.logChange(observe.Change{Kind: observe.KeyText, Number: ack}, cmd.Text)
	}
}

// reportKey reports the session's key and how it is known, if that is wanted.
func (c *conversation) reportKey() {
	if c.opts.KeyFound == nil || c.play == nil || !c.ident.set {
		return
	}
	k := c.ident.key
	k.Encoding = c.encoding.String()
	switch {
	case c.recovery != nil && !c.challengeKnown:
		c.reportRecovered(&k)
	case c.encoding == netchan.Native && c.greeted || c.challengeKnown && c.encoding != netchan.Native:
		k.Known, k.Since = keys.Handshake, k.First
	case c.encoding == netchan.Native:
		k.Known, k.Since = keys.Checksum, k.First
	default:
		k.Known = keys.Unknown
	}
	if c.challengeKnown {
		if c.recovery != nil {
			c.reportCommands(&k)
			k.Messages, k.Verified = k.Messages+c.recovery.before, k.Verified+c.recovery.before
		}
		k.Challenge, k.HasChallenge, k.Proven = c.challenge, true, true
	}
	c.opts.KeyFound(k)
}

// reportRecovered fills in the recovered values.
func (c *conversation) reportRecovered(k *keys.Key) {
	r := c.recovery
	c.reportCommands(k)
	found := r.session.Keys()
	k.Known, k.Since, k.Margin = r.origin, r.since, max(found.Evidence, r.margin)
	if found.Challenge < 0 {
		k.Known = keys.Unknown
		return
	}
	k.Challenge, k.HasChallenge, k.LowByte, k.Proven = int32(found.Challenge), true, true, found.Proven
	if c.version == 0 {
		k.Version = r.session.Version()
	}
}

// reportCommands searches what is left and fills in the recovered commands and feeds.
func (c *conversation) reportCommands(k *keys.Key) {
	r := c.recovery
	known := func(id int32) bool { _, ok := c.feeds.get(id); return ok }
	for _, e := range c.feeds.entries {
		if e.used {
			r.session.SetFeed(e.id, recover.Feed{Low: uint16(e.feed)})
		}
	}
	if c.opts.KeysOnly {
		r.session.Solve()
	}
	found := r.session.Keys()
	k.Messages, k.Verified, k.GaveUp = found.Messages, found.Verified, found.GaveUp
	if found.Challenge < 0 {
		return
	}
	for side := range found.Commands {
		for n, cmd := range found.Commands[side] {
			if n > 0 && (cmd.Needed || !cmd.Read) {
				k.Commands = append(k.Commands, keys.Command{
					FromClient: side == 1, Number: n, Text: cmd.Text, Masked: secret.Mask(cmd.Text), Whole: cmd.Whole, Read: cmd.Read,
					Verified: cmd.Verified, Evidence: int(cmd.Evidence),
				})
			}
		}
	}
	for id, f := range found.Feeds {
		if known(id) {
			continue
		}
		k.Feeds = append(k.Feeds, keys.Feed{ServerID: id, Low: f.Low, Verified: f.Verified})
	}
	slices.SortFunc(k.Feeds, func(a, b keys.Feed) int { return cmp.Compare(a.ServerID, b.ServerID) })
	slices.SortFunc(k.Commands, func(a, b keys.Command) int {
		return cmp.Or(cmp.Compare(netchan.SideIndex(a.FromClient), netchan.SideIndex(b.FromClient)),
			cmp.Compare(a.Number, b.Number))
	})
}

// recoveredKey returns the recovered command that a message is enciphered with, or its beginning.
func (c *conversation) recoveredKey(m *message) (text []byte, ok bool) {
	if c.recovery == nil {
		return nil, false
	}
	k, ok := c.recovery.session.Keys().Commands[1-netchan.SideIndex(m.fromClient)][m.prefix().reliableAck]
	return k.Text, ok
}

// reaches reports whether enough is known of the command that a message is enciphered with, now of other words, for a
// body of n bytes.
func (c *conversation) reaches(m *message, key *rewrittenCommand, skip int32, n int) bool {
	window := &c.client
	if m.fromClient {
		window = &c.server
	}
	if _, ok := window.get(m.prefix().reliableAck + skip); ok || c.encoding != netchan.Legacy || c.recovery == nil {
		return true
	}
	k := c.recovery.session.Keys().Commands[1-netchan.SideIndex(m.fromClient)][m.prefix().reliableAck]
	start, _ := c.firstKey(m)
	return k.Whole || n-start <= len(key.text)
}

// collect reads a message only for its session's key. It reports false if the message has to be decoded: where the
// challenge is known, only that shows whether a command is missing.
func (c *conversation) collect(rec *dissect.Record, m *message) bool {
	switch {
	case c.encoding != netchan.Legacy:
		return true
	case c.challengeKnown:
		return false
	}
	c.startRecovery(rec)
	c.recovered(m, rec)
	return true
}

// recoveredFeed returns the part of a game's checksum feed that user commands are keyed with, if it was
// recovered from the user commands.
func (c *conversation) recoveredFeed(serverID int32) (feed int32, ok bool) {
	if c.recovery == nil {
		return 0, false
	}
	low, ok := c.recovery.session.Feed(serverID)
	return int32(low), ok
}

// recoveredText returns a recovered server command, as far as user commands are keyed with it.
func (c *conversation) recoveredText(number int32) (text []byte, ok bool) {
	if c.recovery == nil {
		return nil, false
	}
	text, whole, ok := c.recovery.session.Text(false, number)
	return text, ok && (whole || recover.Suffices(text))
}
