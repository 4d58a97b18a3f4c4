package quake3

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// legacyMessage enciphers a body as its sender does.
func legacyMessage(body []byte, start int, key int32, command string) []byte {
	body = slices.Clone(body)
	netchan.Decipher(body, start, byte(key), []byte(command), 0)
	return body
}

// serverPrint is a server message that acknowledges a client command and prints a text.
func serverPrint(ack, number int32, text string) []byte {
	var w huffcodec.Writer
	w.Bits(uint32(ack), 32)
	w.Bits(tables.SvcServerCommand, 8)
	w.Bits(uint32(number), 32)
	w.String("print \"" + text + "\"")
	w.Bits(tables.SvcEOF, 8)
	return w.Data()
}

// clientSay is a client message with a reliable command.
func clientSay(serverAck, number int32, text string) []byte {
	var w huffcodec.Writer
	w.Bits(7, 32)
	w.Bits(1, 32)
	w.Bits(uint32(serverAck), 32)
	w.Bits(tables.ClcClientCommand, 8)
	w.Bits(uint32(number), 32)
	w.String("say " + text)
	w.Bits(tables.ClcEOF, 8)
	return w.Data()
}

const holdChallenge = 0x1234ABCD

func fromServer(sequence uint32, body []byte, key string) []byte {
	return datagram(sequenceHeader(sequence),
		legacyMessage(body, netchan.ServerClearBytes, holdChallenge^int32(sequence), key))
}

func fromClient(sequence uint32, body []byte, key string) []byte {
	header := append(sequenceHeader(sequence), 1, 2)
	return datagram(header, legacyMessage(body, netchan.ClientClearBytes, holdChallenge^7^1, key))
}

// offerRecord offers a datagram to a conversation without forcing it to decide.
func offerRecord(c *conversation, direction dissect.Direction, payload []byte) (*dissect.Record, bool) {
	rec := deliverable(direction, payload)
	return rec, c.Dissect(rec)
}

// TestHold has a server message that arrives before the client command that its key is made of.
func TestHold(t *testing.T) {
	c := newConversation(dissect.Options{})
	c.Offered = handshake.Offer{Challenge: holdChallenge, Known: true, Fresh: true, Protocol: 68}
	c.begin(0)
	c.resume()
	if _, ok := offerRecord(c, dissect.ServerToClient, fromServer(1, serverPrint(0, 1, "one"), "")); !ok {
		t.Fatal("a message without need of a command is held")
	}
	if _, ok := offerRecord(c, dissect.ClientToServer, fromClient(1, clientSay(1, 1, "hello"), "print \"one\"")); !ok {
		t.Fatal("a message whose command is there is held")
	}
	early := fromServer(2, serverPrint(2, 2, "two"), "say bye")
	rec, ok := offerRecord(c, dissect.ServerToClient, early)
	if ok {
		t.Fatalf("a message that needs a later command is not held: %v", leaves(rec.Tree))
	}
	if _, ok := offerRecord(c, dissect.ClientToServer, fromClient(2, clientSay(1, 2, "bye"), "print \"one\"")); !ok {
		t.Fatal("the message with the command is held")
	}
	if !c.Dissect(rec) {
		t.Fatal("the message is still held")
	}
	if want := `server_message.ops[0].server_command.command print "two"`; !slices.Contains(leaves(rec.Tree), want) {
		t.Errorf("no line %q in %q", want, leaves(rec.Tree))
	}
	if len(rec.Experts) != 0 {
		t.Errorf("entries %v", rec.Experts)
	}
	// A command that never arrives: the message is shown with its clear part, and the next is unaffected.
	lost, ok := offerRecord(c, dissect.ServerToClient, fromServer(3, serverPrint(3, 3, "three"), "say lost"))
	if ok {
		t.Fatal("not held")
	}
	lost.Final = true
	if !c.Dissect(lost) || len(lost.Experts) != 1 || lost.Experts[0].Code != expertKeyUnknown {
		t.Errorf("entries %v", lost.Experts)
	}
	next, ok := offerRecord(c, dissect.ServerToClient, fromServer(4, serverPrint(2, 3, "three"), "say bye"))
	if want := `server_message.ops[0].server_command.command print "three"`; !ok || !slices.Contains(leaves(next.Tree), want) {
		t.Errorf("no line %q in %q", want, leaves(next.Tree))
	}
	// A command below those that were seen cannot arrive any more: no message waits for it.
	c.client.ring[1].seen = false
	if _, ok := offerRecord(c, dissect.ServerToClient, fromServer(5, serverPrint(1, 4, "four"), "say hello")); !ok {
		t.Error("a message waits for a command that is past")
	}
}

// TestFragmentEntries sends fragments out of order, in a message that is enciphered with the command it
// acknowledges and in one with the next: the expert entry about the fragments stays with both.
func TestFragmentEntries(t *testing.T) {
	for _, key := range []string{"say hello", "say bye"} {
		c := newConversation(dissect.Options{})
		c.Offered = handshake.Offer{Challenge: holdChallenge, Known: true, Fresh: true, Protocol: 68}
		c.begin(0)
		c.resume()
		offerRecord(c, dissect.ServerToClient, fromServer(1, serverPrint(0, 1, "one"), ""))
		offerRecord(c, dissect.ClientToServer, fromClient(1, clientSay(1, 1, "hello"), "print \"one\""))
		offerRecord(c, dissect.ClientToServer, fromClient(2, clientSay(1, 2, "bye"), "print \"one\""))
		// Pseudo-random text does not become shorter than one fragment.
		text, seed := make([]byte, 1900), uint32(1)
		for i := range text {
			seed = seed*1664525 + 1013904223
			text[i] = "0123456789abcdefghijklmnopqrstuv"[seed>>27]
		}
		var w huffcodec.Writer
		w.Bits(1, 32)
		for i := range 2 {
			w.Bits(tables.SvcServerCommand, 8)
			w.Bits(uint32(2+i), 32)
			w.String("print \"" + string(text[950*i:950*i+950]) + "\"")
		}
		w.Bits(tables.SvcEOF, 8)
		body := legacyMessage(w.Data(), netchan.ServerClearBytes, holdChallenge^2, key)
		if len(body) <= netchan.FragmentSize || len(body) >= 2*netchan.FragmentSize {
			t.Fatalf("a message of %d bytes", len(body))
		}
		fragment := func(start int, data []byte) []byte {
			p := sequenceHeader(2 | netchan.FragmentBit)
			p = binary.LittleEndian.AppendUint16(p, uint16(start))
			p = binary.LittleEndian.AppendUint16(p, uint16(len(data)))
			return append(p, data...)
		}
		offerRecord(c, dissect.ServerToClient, fragment(netchan.FragmentSize, body[netchan.FragmentSize:]))
		rec, _ := offerRecord(c, dissect.ServerToClient, fragment(0, body[:netchan.FragmentSize]))
		var codes []string
		for _, e := range rec.Experts {
			codes = append(codes, e.Code)
		}
		if diff := cmp.Diff([]string{expertFragmentOrder}, codes); diff != "" {
			t.Errorf("key %q: entries (-want +got):\n%s", key, diff)
		}
		if !slices.Contains(leaves(rec.Tree), "server_message.ops[1].server_command.sequence 3") {
			t.Errorf("key %q: %q", key, leaves(rec.Tree))
		}
	}
}
