package anonymize_test

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A source returns a list of packets.
type source struct {
	packets []*dissect.Packet
	next    int
}

func (l *source) Next() (*dissect.Packet, error) {
	if l.next == len(l.packets) {
		return nil, io.EOF
	}
	l.next++
	p := *l.packets[l.next-1]
	p.Payload = slices.Clone(p.Payload)
	return &p, nil
}

// checkPlanted anonymizes packets and searches everything that comes out. The secrets must all be there before, in the
// packets, in their records or in the plain messages. It returns how many forms were searched for.
func checkPlanted(t *testing.T, name string, g *garden, packets []*dissect.Packet, plain [][]byte) int {
	t.Helper()
	s := g.searcher()
	missing := map[string]bool{}
	for _, p := range g.secrets {
		missing[p.place+p.secret] = true
	}
	seen := func(n needle) { delete(missing, n.place+n.secret) }
	messages, damaged := 0, 0
	records(t, &source{packets: packets}, dissect.Options{}, func(rec *dissect.Record) {
		s.find(rec.Payload, seen)
		if rec.Packet.Raw != nil {
			s.find(append([]byte(rec.Packet.Raw.Comment), rec.Packet.Raw.InterfaceName...), seen)
		}
		if rec.Protocol != nil {
			s.find(everyText(rec), seen)
			if rec.Damaged {
				damaged++
			} else if len(rec.Message) > 0 {
				messages++
			}
		}
	})
	if plain != nil && messages < len(plain) {
		t.Errorf("%s: only %d of %d messages were read whole, %d damaged", name, messages, len(plain), damaged)
	}
	for _, b := range plain {
		s.find(b, seen)
	}
	for p := range missing {
		t.Errorf("%s: %s was not planted", name, p)
	}
	cfg := engine.Config{Protocols: all.Protocols(), Workers: 1}
	ids := anonymize.New(anonymize.Key{7})
	if err := ids.LearnFrom(&source{packets: packets}, cfg); err != nil {
		t.Fatal(err)
	}
	reader := anonymize.NewReader(&source{packets: packets}, ids.Seal(anonymize.Keep{}), cfg)
	var file bytes.Buffer
	out := capture.NewWriter(&file, "test")
	records(t, reader, dissect.Options{}, func(rec *dissect.Record) {
		found := func(n needle) { t.Errorf("%s: frame %d still has %s as %s", name, rec.Frame, n.place, n.form) }
		s.find(rec.Payload, found)
		s.find([]byte(rec.Packet.Note), found)
		if rec.Protocol != nil {
			s.find(everyText(rec), found)
		}
		if err := out.Write(&rec.Packet); err != nil {
			t.Fatal(err)
		}
	})
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s.find(file.Bytes(), func(n needle) { t.Errorf("%s: the file still has %s as %s", name, n.place, n.form) })
	if plain != nil && reader.Stats().Rewritten < uint64(len(packets))*3/4 {
		t.Errorf("%s: only %d of %d datagrams were rewritten", name, reader.Stats().Rewritten, len(packets))
	}
	return s.count
}

// What is in the metadata of a file, and in packets of other protocols and of those that are not rewritten, is not
// written.
func TestPlantedInOtherPackets(t *testing.T) {
	t.Parallel()
	g := newGarden()
	var packets []*dissect.Packet
	names, err := filepath.Glob("../../samples/gamestudio/*.pcap")
	if err != nil || len(names) < 10 {
		t.Fatal(err, len(names))
	}
	more, err := filepath.Glob("../../samples/teeworlds/*.pcap")
	if err != nil || len(more) < 4 {
		t.Fatal(err, len(more))
	}
	for _, name := range append(names, more...) {
		in := openFile(t, name)
		teeworlds := slices.Contains(more, name)
		for i := 0; i < 100; i++ {
			p, err := in.Next()
			if err != nil {
				break
			}
			q := &dissect.Packet{
				Frame: uint64(len(packets) + 1), HasTime: true, Time: int64(len(packets)+1) * 1e6, UDP: p.UDP,
				Src: p.Src, Dst: p.Dst, Payload: slices.Clone(p.Payload),
			}
			switch {
			case i%9 == 5 && len(g.secrets) < 600: // after the datagram
				q.Payload = append(q.Payload, g.data(filepath.Base(name)+": bytes after a datagram")...)
			case i%9 == 7 && !teeworlds && len(g.secrets) < 600 && len(q.Payload) > 40: // within it
				copy(q.Payload[16:], g.plant(filepath.Base(name)+": bytes within a datagram"))
			}
			q.Length = len(q.Payload)
			q.Raw = &dissect.RawPacket{Data: q.Payload, Length: q.Length, Comment: "", InterfaceName: ""}
			if i == 0 {
				q.Raw.Comment, q.Raw.InterfaceName = g.text(filepath.Base(name)+": comment"),
					g.text(filepath.Base(name)+": interface")
			}
			packets = append(packets, q)
		}
	}
	forms := checkPlanted(t, "samples", g, packets, nil)
	t.Logf("%d datagrams, %d secrets, %d forms of them searched for", len(packets), len(g.secrets), forms)
}
