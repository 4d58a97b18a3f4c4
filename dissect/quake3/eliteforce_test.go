package quake3

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/demos"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// TestProtocol26: 26 is Jedi Academy's number, whose messages are enciphered, and that of Elite Force's newer engines,
// whose packets have a checksum. The name of the game in the handshake decides, and without one the checksum.
func TestProtocol26(t *testing.T) {
	const challenge = 0x5eed1234
	for _, v := range []struct {
		name, word string
		native     bool // packets have the right checksum
		game       string
	}{
		{"Elite Force by its word", "-7 EliteForce", true, "ef"},
		{"Elite Force by its checksums", "", true, "ef"},
		{"Jedi Academy", "", false, "jka"},
		{"Jedi Academy by another word", "-7 JediAcademy", false, "jka"},
	} {
		c := newConversation(dissect.Options{})
		give := func(payload []byte, fromClient bool) *dissect.Record {
			rec := dissect.NewRecord()
			rec.Payload, rec.UDP, rec.Length, rec.Final = payload, true, len(payload), true
			if rec.Direction = dissect.ServerToClient; fromClient {
				rec.Direction = dissect.ClientToServer
			}
			c.Dissect(rec)
			return rec
		}
		oob := func(text string, fromClient bool) { give([]byte("\xff\xff\xff\xff"+text), fromClient) }
		oob("getchallenge "+v.word, true)
		oob(fmt.Sprintf("challengeResponse %d", challenge), false)
		oob(fmt.Sprintf(`connect "\protocol\26\qport\543\challenge\%d"`, challenge), true)
		oob("connectResponse", false)
		gen := tables.GenerationOf(26)
		if v.native {
			gen = gen.ChecksumVariant()
		}
		for sequence := uint32(2); sequence < 5; sequence++ {
			var w huffcodec.Writer
			var all [tables.MaxConfigstrings][]byte
			all[3] = []byte("a message of the day")
			g := demos.Gamestate{CommandSequence: 1, Strings: &all}
			body := slices.Clone(demos.WriteGamestate(&w, gen, &g, &world.World{}))
			packet := binary.LittleEndian.AppendUint32(nil, sequence)
			if v.native {
				packet = binary.LittleEndian.AppendUint32(packet, netchan.Checksum(challenge, sequence))
			} else {
				netchan.Decipher(body, netchan.ServerClearBytes, byte(challenge^int32(sequence)), nil, gen.Kept)
			}
			rec := give(append(packet, body...), false)
			if rec.Damaged || !rec.MessageDone || c.game() != v.game {
				t.Errorf("%s: message %d is of %q: %v", v.name, sequence, c.game(), rec.Experts)
			}
		}
		if got := c.encoding == netchan.Native; got != v.native {
			t.Errorf("%s: encoding %v", v.name, c.encoding)
		}
	}
}
