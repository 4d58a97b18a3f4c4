package oob

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
)

// marker is the beginning of every out-of-band packet.
const marker = "\xff\xff\xff\xff"

// connectVector is a connect packet made by the engine and decoded by an independent implementation of
// the adaptive coder; its userinfo is connectInfo.
var connectVector = fromHex(`
	ffffffff636f6e6e6563742000924474308e39f4c7219cc4144c8e65864b90f437b6c0d91fc6db5c3cfa1343c546352c2c63076b
	882d230cc7d5c19e0ff9ed80a59bb2c600d329ac4fa30ebc590f9af5ccb8d0cf50e7ba38a1791a657ea176c9fbaf2c3ca8ca6dd83c
	380ee3d8d7db214f60cef4a79cf55d28afebd07a2d4dc1ee923801`)

const connectInfo = `\cg_predictItems\1\sex\male\handicap\100\color1\4\color2\5\snaps\20\rate\25000\model\sarge\name\Visor` +
	`\protocol\68\qport\12345\challenge\-1467280`

// Connect packets whose compressed block was limited to eight bits for each byte of the text, as newer
// ioquake3 does: "\challenge\-1467280\qport\12345\protocol\71\name\Zx" and
// "\protocol\68\qport\345\challenge\-987654321", made by a coder written from its description alone.
var (
	connectTailName = fromHex(`ffffffff636f6e6e65637420
		00354474308e050cc726c314ec8ef967d01a46c142d800fbc374702c0c191c1387c2de710a5c5cb6c21c0856671de9557b6ba4c200be`)
	connectTailChallenge = fromHex(`ffffffff636f6e6e65637420
		002d4474708813ecc7a5612cd8e8b0198e05c7f9c40c73c352b02e120bc6d0a9612ad821e6fc042dc0493eec0c98`)
)

func fromHex(s string) string {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// udpRecord is the record of a datagram of length bytes, from which payload was captured.
func udpRecord(payload string, length int) *dissect.Record {
	return &dissect.Record{
		Packet: dissect.Packet{UDP: true, Payload: []byte(payload), Length: length},
		Tree:   new(dissect.Tree),
	}
}

// dissectOOB parses and dissects a datagram.
func dissectOOB(payload string, length int) (*Packet, *dissect.Record) {
	rec := udpRecord(payload, length)
	p := new(Packet)
	p.Parse(rec.Payload)
	new(Passwords).Follow(p)
	p.Dissect(rec.Decoding(), rec)
	return p, rec
}

// flatten writes the children of the object as lines key=value, lists in brackets.
func flatten(t *dissect.Tree) []string {
	var lines []string
	for i := 1; i < int(t.Nodes[0].End); i = int(t.Nodes[i].End) {
		lines = append(lines, t.Nodes[i].Field.Key+"="+nodeText(t, i))
	}
	return lines
}

func nodeText(t *dissect.Tree, i int) string {
	n := &t.Nodes[i]
	switch n.Field.Kind {
	case dissect.List, dissect.Object:
		var parts []string
		for j := i + 1; j < int(n.End); j = int(t.Nodes[j].End) {
			parts = append(parts, nodeText(t, j))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case dissect.Bool:
		return fmt.Sprint(n.Bool())
	case dissect.Int:
		return fmt.Sprint(n.Int())
	case dissect.Hex:
		return hex.EncodeToString(t.Bytes(n))
	}
	return fmt.Sprintf("%q", t.Bytes(n))
}

func expertCodes(rec *dissect.Record) []string {
	var codes []string
	for _, e := range rec.Experts {
		codes = append(codes, e.Severity.String()+" "+e.Code+" "+e.Field)
	}
	return codes
}

// TestOOBDissect has every form that the protocol reference lists, and others that real servers were sent. The
// texts are from captures of ioquake3 where available.
func TestOOBDissect(t *testing.T) {
	for _, test := range oobTests {
		t.Run(test.name, func(t *testing.T) {
			payload := marker + test.packet
			_, rec := dissectOOB(payload, len(payload))
			if diff := cmp.Diff(test.want, flatten(rec.Tree)); diff != "" {
				t.Errorf("fields (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(test.experts, expertCodes(rec)); diff != "" {
				t.Errorf("experts (-want +got)\n%s", diff)
			}
			if got := string(AppendInfo(nil, rec.Tree, 0, false)); got != test.info {
				t.Errorf("info %q, want %q", got, test.info)
			}
			checkOOB(t, payload, rec)
		})
	}
}

// checkOOB checks what holds for every packet: positions inside the datagram, texts at their positions, the
// same facts and the same damage without a tree.
func checkOOB(t *testing.T, payload string, rec *dissect.Record) {
	t.Helper()
	p := new(Packet)
	p.Parse([]byte(payload))
	blind := udpRecord(payload, rec.Length)
	blind.NoTree = true
	p.Dissect(blind.Decoding(), blind)
	if blind.Damaged != rec.Damaged {
		t.Errorf("damaged: %v without a tree, %v with one", blind.Damaged, rec.Damaged)
	}
	if d := rec.Tree.Depth(); d != 0 {
		t.Fatalf("%d containers left open", d)
	}
	keys := map[string]bool{}
	for i := 1; i < len(rec.Tree.Nodes); i = int(rec.Tree.Nodes[i].End) {
		if key := rec.Tree.Nodes[i].Field.Key; keys[key] {
			t.Errorf("key %q twice", key)
		} else {
			keys[key] = true
		}
	}
	for i := range rec.Tree.Nodes {
		n := &rec.Tree.Nodes[i]
		start, size := int(n.Bit), int(n.Bits)
		if start%8 != 0 || size%8 != 0 || start+size > 8*len(payload) {
			t.Errorf("%s: bits %d+%d of %d", n.Field.Key, start, size, 8*len(payload))
			continue
		}
		isText := n.Field.Kind == dissect.Text || n.Field.Kind == dissect.Hex || n.Field.Kind == dissect.Info
		if isText && !(p.compressed() && start == 8*p.connectBlock()) &&
			string(rec.Tree.Bytes(n)) != payload[start/8:(start+size)/8] {
			t.Errorf("%s: %q is not what stands at its place, %q", n.Field.Key, rec.Tree.Bytes(n),
				payload[start/8:(start+size)/8])
		}
	}
	for _, e := range rec.Experts {
		if e.BitOffset < 0 || e.BitOffset > 8*len(payload) {
			t.Errorf("%s at bit %d of %d", e.Code, e.BitOffset, 8*len(payload))
		}
	}
}
