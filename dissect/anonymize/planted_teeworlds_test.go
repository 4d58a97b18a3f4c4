package anonymize_test

import (
	"bytes"
	"net/netip"
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
)

// A planter is a dissect.Rewriting that puts a secret in place of every text: the same for the same one.
type planter struct {
	*garden
	known map[string]string
}

func (p *planter) secret(place string, text []byte) string {
	if p.known[string(text)] == "" {
		p.known[string(text)] = p.plant(place)
	}
	return p.known[string(text)]
}

func (p *planter) AppendText(dst, text []byte) []byte {
	if len(text) == 0 || bytes.IndexByte(text, 0) >= 0 { // a version with zeros after it, which is harmless
		return append(dst, text...)
	}
	return append(dst, p.secret("a text", text)...)
}

func (p *planter) AppendHarmless(dst, text []byte) []byte { return append(dst, text...) }

func (p *planter) AppendChat(dst, text []byte) []byte { return p.AppendText(dst, text) }

func (p *planter) AppendFile(dst, part []byte) []byte {
	n := len(dst)
	dst = append(dst, part...)
	copy(dst[n:], p.plant("a file"))
	return dst
}

func (p *planter) AppendPersonal(dst []byte, kind dissect.Personal, text []byte) []byte {
	if kind == dissect.PersonGUID || len(text) == 0 {
		return append(dst, text...)
	}
	return append(dst, p.secret("a name or password", text)...)
}

func (p *planter) Addr(a netip.Addr) netip.Addr { return a }

// Every text of messages of Teeworlds, 0.6 and DDNet, and of packets without connection, is a secret: none is written.
func TestPlantedTeeworlds(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../samples/teeworlds/*.pcap")
	if err != nil || len(names) < 4 {
		t.Fatal(err, names)
	}
	secrets, searched := 0, 0
	for _, name := range names {
		p := &planter{newGarden(), map[string]string{}}
		var packets []*dissect.Packet
		records(t, openFile(t, name), dissect.Options{Rewriting: p}, func(rec *dissect.Record) {
			q := &dissect.Packet{
				Frame: uint64(len(packets) + 1), HasTime: true, Time: rec.Time, UDP: rec.UDP, Src: rec.Src,
				Dst: rec.Dst, Payload: slices.Clone(rec.Payload),
			}
			if rec.RewriteState() == dissect.RewriteDone {
				q.Payload = slices.Clone(rec.Rewritten.Payload)
			}
			q.Length = len(q.Payload)
			packets = append(packets, q)
		})
		present := p.present(t, packets)
		if filepath.Base(name) != "07-midsession.pcap" && len(present) < 2 {
			t.Errorf("%s: only %d secrets could be planted", name, len(present))
		}
		p.secrets = present
		searched += checkPlanted(t, name, p.garden, packets, nil)
		secrets += len(present)
	}
	t.Logf("%d secrets, %d forms of them searched for", secrets, searched)
}

// present returns the secrets that the records of some packets show: a text that is too long for its place was cut.
func (p *planter) present(t *testing.T, packets []*dissect.Packet) (list []planted) {
	t.Helper()
	s := p.searcher()
	seen := map[planted]bool{}
	records(t, &source{packets: packets}, dissect.Options{}, func(rec *dissect.Record) {
		if rec.Protocol != nil {
			s.find(everyText(rec), func(n needle) { seen[n.planted] = true })
		}
	})
	for _, secret := range p.secrets {
		if seen[secret] {
			list = append(list, secret)
		}
	}
	return list
}
