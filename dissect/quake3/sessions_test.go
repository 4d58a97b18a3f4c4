package quake3

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// clientMessage writes a client message.
func (s *sessionWriter) clientMessage() []byte {
	if s.last != nil && s.one(5) {
		return s.last // with user commands that were sent before
	}
	room := s.begin()
	s.w.Bits(7, 32)
	s.w.Bits(s.Uint32()>>20, 32)
	s.w.Bits(42, 32)
	for range 1 + s.IntN(5) {
		if !room() {
			break
		}
		switch s.IntN(6) {
		case 0:
			s.clientOp(tables.ClcNop, "nop")
		case 1:
			for range s.IntN(s.gen.CommandWindow) {
				s.clientOp(tables.ClcClientCommand, "client_command")
				s.reliable("say hello", `userinfo "\name\UnnamedPlayer\rate\25000"`, "cp 7 1 2 3", "download pak1.pk3", "")
			}
		case 2:
			s.clientOp(tables.ClcMove, "move")
			s.moves()
		case 3:
			s.clientOp(tables.ClcMoveNoDelta, "move_no_delta")
			s.moves()
		case 4, 5:
			if s.gen.Voip {
				s.clientOp(uint32(tables.ClcVoipSpeex+s.IntN(2)), "voip")
				size := s.IntN(200)
				s.w.Bits(s.Uint32()&255, 8)
				s.w.Bits(s.Uint32(), 32)
				s.w.Bits(s.Uint32()&15, 8)
				s.bytes(8)
				s.w.Bits(s.Uint32()&7, 8)
				s.w.Bits(uint32(size), 16)
				s.bytes(size)
			}
		}
	}
	s.clientOp(tables.ClcEOF, "eof")
	s.last = s.tail()
	return s.last
}

func (s *sessionWriter) clientOp(number uint32, key string) {
	s.w.Bits(number, 8)
	s.wrote = append(s.wrote, key)
}

// moves writes user commands: as many as a packet may have, or fewer.
func (s *sessionWriter) moves() {
	count := 32
	if s.one(2) {
		count = 1 + s.IntN(32)
	}
	s.w.Bits(uint32(count), 8)
	for range count {
		soon := s.one(2)
		s.w.Bit(soon)
		s.w.Bits(s.Uint32()>>24, map[bool]int{true: 8, false: 32}[soon])
		changed := !s.one(4)
		if s.w.Bit(changed); !changed {
			continue
		}
		for _, f := range operation.UserCommandForms[s.gen.UserCommand] {
			changed := s.one(2)
			if s.w.Bit(changed); changed {
				s.w.Bits(s.Uint32()&(1<<f.Bits-1), f.Bits)
			}
		}
	}
}

// A spoken message of a session.
type spoken struct {
	direction dissect.Direction
	payload   []byte
	ops       []string
}

// speak makes a session of a generation, which begins with a gamestate.
func speak(gen *tables.Generation, seed uint64, count int) (list []spoken) {
	server, client := newSessionWriter(gen, seed), newSessionWriter(gen, seed+1<<32)
	for i := range uint32(count) {
		body := server.serverMessage(i == 0 || server.one(8))
		list = append(list, spoken{dissect.ServerToClient, datagram(nativeHeader(i+1, false), body), slices.Clone(server.wrote)})
		if gen.Game != tables.Quake3 || !gen.Old {
			body = client.clientMessage()
			list = append(list, spoken{dissect.ClientToServer, datagram(nativeHeader(i+1, true), body), slices.Clone(client.wrote)})
		}
	}
	return list
}

// speakers are the conversations that read a session: with every value shown, and with nothing.
func speakers(gen *tables.Generation) (seen, blind *conversation) {
	seen, blind = nativeSession(dissect.Options{State: true}), nativeSession(dissect.Options{})
	for _, c := range []*conversation{seen, blind} {
		c.setVersion(gen.Version)
		c.encoding = native // whatever the game has: what is damaged here are messages, and not ciphers
	}
	return seen, blind
}

// opsOf lists the keys of a message's operations.
func opsOf(tree *dissect.Tree) (keys []string) {
	for i := 0; i < len(tree.Nodes); i++ {
		if f := tree.Nodes[i].Field; f == &serverOpsField || f == &clientOpsField {
			for k := i + 1; k < int(tree.Nodes[i].End); k = int(tree.Nodes[k].End) {
				keys = append(keys, tree.Nodes[k].Field.Key)
			}
		}
	}
	return keys
}

// TestSessions: what is written in every generation is read as it was written, and every operation and every field of
// docs/fields occurs.
func TestSessions(t *testing.T) {
	t.Parallel()
	seenFields := map[*dissect.Field]bool{}
	for i := range tables.Generations {
		gen := &tables.Generations[i]
		for seed := range uint64(2) {
			c, _ := speakers(gen)
			for n, m := range speak(gen, seed, 12) {
				rec := deliver(c, m.direction, m.payload)
				checkRecord(t, rec, len(m.payload)<<3)
				if got := opsOf(rec.Tree); rec.Damaged || !cmp.Equal(m.ops, got) {
					t.Fatalf("%d, seed %d, message %d (%v): %v\n%s", gen.Version, seed, n, m.direction, rec.Experts, cmp.Diff(m.ops, got))
				}
				for i := range rec.Tree.Nodes {
					seenFields[rec.Tree.Nodes[i].Field] = true
				}
			}
		}
	}
	var missing []string
	for _, root := range []*dissect.Field{&serverMessageField, &clientMessageField} {
		missing = append(missing, unseen(root, root.Key, seenFields)...)
	}
	if len(missing) > 0 {
		t.Errorf("no message has\n%s", strings.Join(missing, "\n"))
	}
}

// unseen lists the paths of the fields below f that are not in seen. Some fields share a path, and have other names of
// their values; infostrings have any keys.
func unseen(f *dissect.Field, path string, seen map[*dissect.Field]bool) (paths []string) {
	found, missing := map[string]bool{}, map[string]bool{}
	for _, child := range f.Children {
		if seen[child] {
			found[child.Key] = true
			if child.Kind != dissect.Info {
				paths = append(paths, unseen(child, path+"."+child.Key, seen)...)
			}
		} else if child != &dissect.Undecoded {
			missing[child.Key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		if !found[key] {
			paths = append(paths, path+"."+key)
		}
	}
	return paths
}

// FuzzSessions damages a bit or the end of messages in the middle of a valid session. What is read of the rest is the same with
// a tree and without.
func FuzzSessions(f *testing.F) {
	for i := range tables.Generations {
		f.Add(uint8(i), uint64(i), []byte{byte(i), 0, 9, 1, 7, 200})
	}
	f.Fuzz(func(t *testing.T, version uint8, seed uint64, damage []byte) {
		gen := &tables.Generations[int(version)%len(tables.Generations)]
		messages := speak(gen, seed, 3)
		for ; len(damage) >= 3; damage = damage[3:] {
			m := &messages[int(damage[0])%len(messages)]
			const header = 10
			at := header + (int(damage[1])<<8|int(damage[2]))%max(1, 8*(len(m.payload)-header))/8
			if damage[0] >= 0xc0 {
				m.payload = m.payload[:min(at, len(m.payload))]
			} else if at < len(m.payload) {
				m.payload[at] ^= 1 << (damage[2] & 7)
			}
		}
		seen, blind := speakers(gen)
		for _, m := range messages {
			rec := deliver(seen, m.direction, m.payload)
			checkRecord(t, rec, len(m.payload)<<3)
			other := dissect.NewRecord()
			other.Packet, other.Direction, other.Final, other.NoTree = rec.Packet, m.direction, true, true
			blind.Dissect(other)
			if rec.Damaged != other.Damaged {
				t.Fatalf("damaged is %v with a tree, %v without", rec.Damaged, other.Damaged)
			}
		}
		if fingerprint(seen) != fingerprint(blind) {
			t.Fatal("the tree changes what is remembered")
		}
	})
}
