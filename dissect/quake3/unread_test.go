package quake3

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// unreadNumbers are protocol numbers without a public description of their packets, and unreadDemos without one of
// their recordings.
var (
	unreadNumbers = []int{3, 5, 22, 44, 45, 46, 47, 48, 49, 56, 62, 65, 69, 73, 75, 86, 90, 91, 118, 2002, 2003, 2004}
	unreadDemos   = []int{3, 22, 45, 49, 62, 69, 75, 86, 118, 2002}
)

// unreadFields are all that may be shown of a packet that is not read.
var unreadFields = []string{"version", "session", "encoding", "netchan", "header", "sequence", "undecoded"}

func checkUnread(t *testing.T, rec *dissect.Record, number int) {
	t.Helper()
	for _, n := range rec.Tree.Nodes[1:] {
		if !slices.Contains(unreadFields, n.Field.Key) {
			t.Errorf("protocol %d: %s is shown", number, n.Field.Key)
		}
	}
	said := len(rec.Experts) == 1 && rec.Experts[0].Code == expertUnsupported
	if !said || !rec.Unsupported || rec.MessageDone || rec.Damaged {
		t.Errorf("protocol %d: %v, unsupported %v", number, rec.Experts, rec.Unsupported)
	}
}

// TestUnknownFraming: after a handshake with a number whose packets nobody describes, nothing of them is read, whatever
// they are; here the messages of a sample of 68 and bytes without meaning.
func TestUnknownFraming(t *testing.T) {
	client, server := netip.MustParseAddrPort("192.0.2.2:27961"), netip.MustParseAddrPort("192.0.2.1:27960")
	for _, number := range unreadNumbers {
		c := newConversation(dissect.Options{})
		give := func(payload []byte, fromClient bool) *dissect.Record {
			rec := dissect.NewRecord()
			rec.Packet = dissect.Packet{UDP: true, Payload: payload, Length: len(payload), Src: server, Dst: client}
			if rec.Direction = dissect.ServerToClient; fromClient {
				rec.Direction = dissect.ClientToServer
			}
			rec.Final = true
			c.Dissect(rec)
			return rec
		}
		oob := func(text string, fromClient bool) { give([]byte("\xff\xff\xff\xff"+text), fromClient) }
		oob("getchallenge", true)
		oob("challengeResponse 1223815537", false)
		oob(fmt.Sprintf(`connect "\protocol\%d\qport\54333\challenge\1223815537"`, number), true)
		oob("connectResponse", false)
		for i := range 8 {
			body := []byte{0, 0, 0, 0, 2, 1, 9, 7, 200, byte(i), 33, 4, 8}
			checkUnread(t, give(append(binary.LittleEndian.AppendUint32(nil, uint32(i+1)), body...), i&1 != 0), number)
		}
	}
}

// TestUnknownRecording: a demo whose server information has a number of no row is not read with the tables of another,
// unless the user names one.
func TestUnknownRecording(t *testing.T) {
	for _, number := range unreadDemos {
		var all [tables.MaxConfigstrings][]byte
		all[tables.ServerinfoIndex] = fmt.Appendf(nil, `\mapname\q3dm17\protocol\%d`, number)
		var w huffcodec.Writer
		message := demos.WriteGamestate(&w, tables.GenerationOf(68), &demos.Gamestate{Strings: &all}, &world.World{})
		file := demos.AppendRecord(nil, 1, message)
		for _, chosen := range []int{0, 68} {
			in, ok := source{}.openRecording(bytes.NewReader(file), file, "demo", chosen)
			if !ok {
				t.Fatalf("protocol %d is no recording", number)
			}
			p, err := in.Next()
			if err != nil {
				t.Fatal(err)
			}
			rec := dissect.NewRecord()
			rec.Packet, rec.Hint = *p, p.RecorderHint
			newConversation(dissect.Options{}).Dissect(rec)
			if chosen == 0 {
				checkUnread(t, rec, number)
			} else if rec.Unsupported || len(rec.Experts) > 0 {
				t.Errorf("protocol %d as 68: %v", number, rec.Experts)
			}
		}
	}
}

// TestForeignMessages: a session that announces 68, but whose messages do not end like those of 68, is not read after a
// few of them. A message that ends so is read all the same.
func TestForeignMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	c := newConversation(dissect.Options{})
	c.restart(true)
	c.setVersion(68)
	c.challenge, c.challengeKnown, c.encoding = 77, true, netchan.Legacy
	give := func(sequence uint32, body []byte) *dissect.Record {
		rec := dissect.NewRecord()
		rec.Payload = append(binary.LittleEndian.AppendUint32(nil, sequence), body...)
		rec.UDP, rec.Length, rec.Direction, rec.Final = true, len(rec.Payload), dissect.ServerToClient, true
		c.Dissect(rec)
		return rec
	}
	for i := range 20 {
		body := make([]byte, 60)
		for k := range body {
			body[k] = byte(r.Uint32())
		}
		if rec := give(uint32(i+2), body); i > 8 && !rec.Unsupported {
			t.Errorf("message %d is read: %v", i, rec.Experts)
		}
	}
	var all [tables.MaxConfigstrings][]byte
	all[2] = []byte("a text that is long enough to show a key")
	var w huffcodec.Writer
	g := demos.Gamestate{Strings: &all}
	body := slices.Clone(demos.WriteGamestate(&w, tables.GenerationOf(68), &g, &world.World{}))
	netchan.Decipher(body, netchan.ServerClearBytes, byte(77^22), nil, 0)
	if rec := give(22, body); rec.Unsupported || rec.Damaged || !rec.MessageDone {
		t.Errorf("a message of the protocol is not read: %v", rec.Experts)
	}
}
