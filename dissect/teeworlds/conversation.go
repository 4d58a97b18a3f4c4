package teeworlds

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/files"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/ghost"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/teehistorian"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// keyMapChange is the message after which ticks count from the start.
const keyMapChange = "map_change"

// A conversation is one pair of endpoints, through all its connections.
type conversation struct {
	wants      wants
	fromClient bool
	asked      dissect.LeakyBucket // for tokens and connections, by the client
	// of *packet, shared by conversations without a session: a flood has one for each address; nil: not shared
	packets *sync.Pool
	// the datagram that is being dissected; nil between datagrams while there are only queries and handshakes
	packet     *packet
	gate       gate
	windows    [2]window
	unreadable bool                 // a chunk of the packet could not be read, as in one that somebody made up
	reader     *message.Reader      // nil until the first chunk: most streams of a public server are one or two queries
	connless   *connless.Reader     // nil until the first connless packet
	snapshots  *snapshot.Reader     // nil until the first snapshot
	unpacked   []byte               // a message of a demo
	told       string               // its key
	historian  *teehistorian.Reader // nil unless it is a teehistorian file
	demo       *teehistorian.Demo   // nil unless one is wanted of a teehistorian file
	copy       *demos.Copy          // nil unless one is wanted of a demo
	ghost      *ghost.Reader        // nil unless it is a ghost
	files      *files.Reader        // nil unless they are wanted
	events     *events.Reader       // nil without Options.Events
	rewriter   *rewriter            // nil without Options.Rewriting
	placed     int32                // the snapshot whose players were added last; 0: none
	staged     int32                // the same of scenes
}

// wants are the options that a conversation needs later.
type wants struct {
	state, inputs, scenes, files bool
	demos                        *extract.DemoRange
}

func newConversation(opts dissect.Options) *conversation {
	return &conversation{
		wants: wants{
			state: opts.State, inputs: opts.Inputs, scenes: opts.Scenes, files: opts.Files, demos: opts.Demos,
		},
		files: files.NewReader(opts), events: events.NewReader(opts), rewriter: newRewriter(opts.Rewriting),
	}
}

// Shrink drops everything: it has no keys, and the router keeps the dialect.
func (c *conversation) Shrink() (kept any) { return nil }

// windowOf returns the window of the chunks that one side sends.
func (c *conversation) windowOf(client bool) *window {
	return &c.windows[sideIndex(client)]
}

// sideIndex returns the index of what is kept of one side.
func sideIndex(client bool) int {
	if client {
		return 1
	}
	return 0
}

// Dissect decodes one datagram. It never waits for a later one.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	c.takePacket()
	c.snapshots.Wake()
	switch {
	case rec.Recorded() && teehistorian.Recorded(rec.Hint):
		c.dissectTeehistorian(rec)
	case rec.Recorded() && ghost.Recorded(rec.Hint):
		c.dissectGhost(rec)
	case rec.Recorded():
		c.dissectRecorded(rec)
	default:
		c.dissectPacket(rec)
	}
	c.givePacket()
	return true
}

// takePacket makes sure that there is a packet to parse into.
func (c *conversation) takePacket() {
	switch {
	case c.packet != nil:
	case c.packets != nil:
		c.packet = c.packets.Get().(*packet)
	default:
		c.packet = new(packet)
	}
}

// givePacket lets another conversation have the packet, unless something refers to it: messages to the reader, the
// record to the memory of an inflated one.
func (c *conversation) givePacket() {
	if c.packets != nil && c.reader == nil && c.packet.inflated == nil {
		c.packets.Put(c.packet)
		c.packet = nil
	}
}

// dissectPacket decodes a datagram.
func (c *conversation) dissectPacket(rec *dissect.Record) {
	t := rec.Decoding()
	p := c.packet
	c.fromClient = rec.Direction == dissect.ClientToServer
	c.unreadable = false
	p.parse(rec.Payload, tables.Dialect(rec.Hint))
	if rec.Truncated() || c.gate.lacksToken(p) {
		p.cutTail()
	}
	t.Open(&rootField, 0)
	p.show(t, rec.Payload)
	connected := !p.short && !p.has(flagConnless) && p.dialect != tables.Unknown
	if connected {
		c.pass(rec)
	}
	switch {
	case p.short:
		c.showShort(rec, t)
	case p.dialect == tables.Unknown:
		t.AddBytes(&dissect.Undecoded, p.coded, p.header<<3, len(p.coded)<<3)
		rec.Expert(dissect.Note, message.ExpertDialectUnknown, nil, 0, "no dialect's rules fit, and no handshake was seen")
	case p.has(flagConnless):
		rec.Message = p.message
		if c.connless == nil {
			c.connless = new(connless.Reader)
		}
		c.connless.Dissect(rec, t, p.dialect, p.payload, p.header<<3)
		if rec.Damaged && c.gate.now.live() {
			rec.Refuse(nil, notRead)
		}
	case p.has(flagControl):
		rec.Message = p.message
		c.dissectControl(rec, t)
		c.showFault(rec, t)
	default:
		rec.Message = p.message
		c.dissectData(rec, t)
		c.showFault(rec, t)
	}
	if t != nil {
		t.CloseAll(len(rec.Payload) << 3)
		t.Family = uint8(p.dialect)
	}
	if connected && !rec.Refused {
		c.addEvents(rec)
	}
	if c.wants.inputs && !rec.Refused {
		if c.fromClient {
			c.addInputs(rec)
		} else {
			c.addPlaces(rec)
		}
	}
	if c.wants.scenes && !rec.Refused && !c.fromClient {
		c.addScene(rec)
	}
	c.rewriter.datagram(c, rec)
}

// pass lets the gate examine the packet, and starts a new connection with its first one.
func (c *conversation) pass(rec *dissect.Record) {
	g := &c.gate
	if reason := g.examine(rec, c.packet); reason != "" {
		rec.Refuse(&tokenField, "%s", reason)
		return
	}
	if g.begins {
		c.windows = [2]window{}
		if restarts(c.packet) {
			c.windows = [2]window{{known: true}, {known: true}}
		}
		c.snapshots.Forget()
		c.rewriter.forget()
		c.files.Restart()
		if c.reader != nil {
			c.reader.TuneValues = 0
		}
	}
}

// addEvents adds what happened in the datagram that was just decoded.
func (c *conversation) addEvents(rec *dissect.Record) {
	p := c.packet
	d := events.Datagram{Dialect: p.dialect, FromClient: c.fromClient, Control: p.has(flagControl), Snapshots: c.snapshots}
	if b := p.payload; d.Control && len(b) > 0 && b[0] == controlClose {
		d.Close, d.Refusal = true, c.gate.asked
		d.Reason, _, _ = bytes.Cut(b[1:], []byte{0})
	}
	c.events.Finish(rec, &d)
}

// dissectData decodes a packet of chunks.
func (c *conversation) dissectData(rec *dissect.Record, t *dissect.Tree) {
	p := c.packet
	if c.reader == nil {
		c.reader = new(message.Reader)
	}
	before, values := c.windows, c.reader.TuneValues
	c.dissectChunks(rec, t)
	switch {
	case rec.Refused:
		c.windows, c.reader.TuneValues = before, values
		return
	case rec.Direction != dissect.Undecidable && !c.unreadable:
		c.windowOf(!c.fromClient).acknowledge(p.ack)
	}
	rec.MessageDone = p.fault == nil && !rec.Truncated()
	reportsCut := func(e dissect.Expert) bool { return e.Code == message.ExpertTruncatedByCapture }
	// the missing part was optional
	if rec.Truncated() && p.fault == nil && !slices.ContainsFunc(rec.Experts, reportsCut) {
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, nil, 0, "the capture has %d of the datagram's %d bytes",
			len(rec.Payload), rec.Length)
	}
}

// learn records what later messages need of a message, and decodes the snapshot that it completes.
func (c *conversation) learn(rec *dissect.Record, t *dissect.Tree, h *chunkHead, state chunkState, m *message.Message,
	payload []byte, at int,
) {
	if m.Def == nil || !m.System || c.fromClient || m.Failed && !c.reader.Cut {
		return
	}
	switch m.Def.Key {
	case snapshot.KeySnap, snapshot.KeySnapSingle, snapshot.KeySnapEmpty:
		if m.Failed && len(m.Data) == 0 {
			return
		}
		if c.snapshots == nil {
			c.snapshots = snapshot.NewReader(c.wants.state)
		}
		c.snapshots.Take(rec, t, c.packet.dialect, m, payload, at)
	case keyMapChange:
		if h.vital && state == chunkOK && !m.Failed { // ticks restart
			c.snapshots.Forget()
			c.rewriter.forget()
		}
	}
}

// showShort shows a datagram that ends within its header.
func (c *conversation) showShort(rec *dissect.Record, t *dissect.Tree) {
	if len(rec.Payload) > 0 {
		t.AddBytes(&dissect.Undecoded, rec.Payload, 0, len(rec.Payload)<<3)
	}
	if rec.Truncated() {
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, nil, 0, "the capture has %d of the datagram's %d bytes",
			len(rec.Payload), rec.Length)
		return
	}
	rec.Expert(dissect.Fault, message.ExpertTruncated, nil, 0, "a packet of %d bytes ends within its header",
		len(rec.Payload))
	if c.gate.now.live() {
		rec.Refuse(nil, notRead)
	}
}

// showFault adds an entry with the reason why a payload could not be decompressed completely.
func (c *conversation) showFault(rec *dissect.Record, t *dissect.Tree) {
	p := c.packet
	if p.oddEnd && !rec.Truncated() {
		rec.Expert(dissect.Note, message.ExpertTrailing, nil, len(rec.Payload)<<3,
			"something follows the end of the compressed payload")
	}
	if p.fault == nil {
		return
	}
	var e *huffcodec.Error
	bit := 0
	if errors.As(p.fault, &e) {
		bit = e.Bit
	}
	from := min(bit>>3, len(p.coded))
	if rest := p.coded[from:]; len(rest) > 0 {
		t.AddBytes(&dissect.Undecoded, rest, (p.header+from)<<3, len(rest)<<3)
	}
	bit += p.header << 3
	switch {
	case rec.Truncated():
		rec.Expert(dissect.Warning, message.ExpertTruncatedByCapture, &dissect.Undecoded, bit,
			"the capture has %d of the datagram's %d bytes", len(rec.Payload), rec.Length)
	case errors.Is(p.fault, huffcodec.ErrTruncated):
		rec.Expert(dissect.Fault, message.ExpertTruncated, &dissect.Undecoded, bit, "the compressed payload has no end")
	default:
		rec.Expert(dissect.Fault, message.ExpertMalformed, &dissect.Undecoded, bit,
			"the payload is longer than %d bytes when it is decompressed", tables.MaxPayload)
	}
}
