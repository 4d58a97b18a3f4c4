package anonymize_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A garden makes secrets, each other than all before, and remembers where they were planted.
type garden struct {
	*rand.Rand
	secrets []planted
}

type planted struct{ place, secret string }

func newGarden() *garden { return &garden{Rand: rand.New(rand.NewPCG(1, 2))} }

// plant returns a new secret: letters and digits that are no word, beginning with letters.
func (g *garden) plant(place string) string {
	const letters = "BCDFGHJKLMNPQRSTVWXZbcdfghjkmnpqrstvwxz"
	b := make([]byte, 12)
	for i := range b {
		if b[i] = letters[g.IntN(len(letters))]; i > 2 && i%3 == 0 {
			b[i] = "23456789"[g.IntN(8)]
		}
	}
	g.secrets = append(g.secrets, planted{place, string(b)})
	return string(b)
}

// text returns texts with secrets, as they are and in printable codings.
func (g *garden) text(place string) string {
	return g.plant(place) + " " + hex.EncodeToString([]byte(g.plant(place+" (hex)"))) + " " +
		base64.StdEncoding.EncodeToString([]byte(g.plant(place+" (base64)")))
}

// data returns bytes with secrets, plain, in UTF-16 of both byte orders, and Huffman coded.
func (g *garden) data(place string) []byte {
	b := []byte(g.plant(place) + "\x01")
	b = append(b, wide(g.plant(place+" (UTF-16LE)"), binary.LittleEndian)...)
	b = append(b, wide(g.plant(place+" (UTF-16BE)"), binary.BigEndian)...)
	var w huffcodec.Writer
	w.Bits(1, 3) // not at the beginning of a byte
	w.Bytes([]byte(g.plant(place + " (static Huffman)")))
	b = append(b, w.Data()...)
	return huffcodec.EncodeTeeworlds(b, []byte(g.plant(place+" (Huffman code of the other family)")))
}

func wide(text string, order binary.AppendByteOrder) (b []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// A searcher finds secrets in whatever form: by their first bytes as they are, in lower case, or at any bit.
type searcher struct {
	count               int
	exact, folded, bits map[head][]needle
}

type head [6]byte

type needle struct {
	planted
	form  string
	bytes []byte
}

func (g *garden) searcher() *searcher {
	s := &searcher{exact: map[head][]needle{}, folded: map[head][]needle{}, bits: map[head][]needle{}}
	for _, p := range g.secrets {
		add := func(to map[head][]needle, form string, b []byte) {
			to[head(b)] = append(to[head(b)], needle{planted: p, form: form, bytes: b})
			s.count++
		}
		text := []byte(p.secret)
		add(s.folded, "plain", bytes.ToLower(text))
		add(s.exact, "UTF-16LE", wide(p.secret, binary.LittleEndian))
		add(s.exact, "UTF-16BE", wide(p.secret, binary.BigEndian))
		add(s.folded, "hex", []byte(hex.EncodeToString(text)))
		for skip := range 3 { // the place of the secret in groups of three bytes
			coded := base64.RawStdEncoding.EncodeToString(append(make([]byte, skip), text...))
			add(s.exact, "base64", []byte(coded[[]int{0, 2, 3}[skip]:len(coded)-1]))
		}
		var w huffcodec.Writer
		w.Bytes(text)
		add(s.bits, "static Huffman", packed(bitsOf(w.Data())[:w.Pos()]))
		add(s.bits, "Huffman code of the other family", packed(sharedBits(p.secret)))
	}
	return s
}

// packed returns the whole bytes of digits.
func packed(bits string) (b []byte) {
	for ; len(bits) >= 8; bits = bits[8:] {
		var c byte
		for i := range 8 {
			c |= (bits[i] - '0') << i
		}
		b = append(b, c)
	}
	return b
}

// sharedBits returns the bits of a secret in the other family's code: those that it has whatever follows it.
func sharedBits(secret string) string {
	bits := bitsOf(huffcodec.EncodeTeeworlds(nil, []byte(secret+"a")))
	for c := range 256 {
		other := bitsOf(huffcodec.EncodeTeeworlds(nil, append([]byte(secret), byte(c))))
		n := 0
		for n < min(len(bits), len(other)) && bits[n] == other[n] {
			n++
		}
		bits = bits[:n]
	}
	return bits
}

// bitsOf returns bytes as digits, the lowest bit of each first.
func bitsOf(b []byte) string {
	bits := make([]byte, 0, 8*len(b))
	for _, c := range b {
		for i := range 8 {
			bits = append(bits, '0'+c>>i&1)
		}
	}
	return string(bits)
}

// find calls found for each secret that occurs in some bytes.
func (s *searcher) find(b []byte, found func(n needle)) {
	findIn(b, s.exact, found)
	findIn(bytes.ToLower(b), s.folded, found)
	for range 8 {
		findIn(b, s.bits, found)
		shifted := make([]byte, len(b))
		for i := range b {
			shifted[i] = b[i] >> 1
			if i+1 < len(b) {
				shifted[i] |= b[i+1] << 7
			}
		}
		b = shifted
	}
}

func findIn(b []byte, needles map[head][]needle, found func(n needle)) {
	for i := 0; i+len(head{}) <= len(b); i++ {
		for _, n := range needles[head(b[i:])] {
			if bytes.HasPrefix(b[i:], n.bytes) {
				found(n)
			}
		}
	}
}

// A wire writes the datagrams of a session.
type wire struct {
	*garden
	protocol  int
	native    bool
	challenge uint32
	sequence  [2]uint32 // of the server and of the client
	said      []string  // commands of the client
	packets   []*dissect.Packet
	plain     [][]byte // the messages before they were enciphered
}

var plantServer, plantClient = netip.MustParseAddrPort("198.51.100.7:27960"),
	netip.MustParseAddrPort("203.0.113.9:27961")

func (w *wire) send(fromClient bool, payload []byte) {
	p := &dissect.Packet{
		Frame: uint64(len(w.packets) + 1), HasTime: true, Time: int64(len(w.packets)+1) * 20e6, UDP: true,
		Payload: payload, Length: len(payload),
	}
	p.Src, p.Dst = plantServer, plantClient
	if fromClient {
		p.Src, p.Dst = p.Dst, p.Src
	}
	w.packets = append(w.packets, p)
}

func (w *wire) oob(fromClient bool, text string) {
	w.send(fromClient, append([]byte{0xff, 0xff, 0xff, 0xff}, text...))
}

// message sends a message whose clear beginning is that of its direction, enciphered as SV_Netchan_Encode and
// CL_Netchan_Encode do.
func (w *wire) message(fromClient bool, key uint32, clear int, command string, body []byte) {
	w.plain = append(w.plain, slices.Clone(body))
	side := 0
	if fromClient {
		side = 1
	}
	w.sequence[side]++
	sequence := w.sequence[side]
	head := binary.LittleEndian.AppendUint32(nil, sequence)
	if fromClient {
		head = binary.LittleEndian.AppendUint16(head, 4711)
	}
	if w.native {
		head = binary.LittleEndian.AppendUint32(head, w.challenge^sequence*w.challenge)
	} else {
		k, at := byte(w.challenge^key), 0
		text := append([]byte(command), 0)
		for i := clear; i < len(body); i++ {
			if at == len(text) || text[at] == 0 {
				at = 0
			}
			c := text[at]
			if c == '%' || c > 127 {
				c = '.'
			}
			k ^= c << (i & 1)
			at++
			body[i] ^= k
		}
	}
	w.send(fromClient, append(head, body...))
}

// end returns the number of the operation that ends a message of the server.
func (w *wire) end() uint32 {
	switch w.protocol {
	case 15, 16:
		return 9
	case 26:
		return 10
	}
	return 8
}

// fromServer sends operations.
func (w *wire) fromServer(command string, ops func(m *huffcodec.Writer)) {
	var m huffcodec.Writer
	m.Bits(uint32(len(w.said)), 32)
	ops(&m)
	m.Bits(w.end(), 8)
	w.message(false, w.sequence[0]+1, 4, command, w.withTail(&m, "bytes after a server's message"))
}

// withTail returns a message with secrets after its end.
func (w *wire) withTail(m *huffcodec.Writer, place string) []byte {
	m.Align()
	return append(append(slices.Clone(m.Data()[:m.Pos()>>3]), 0), w.data(place)...)
}

func (w *wire) fromClient(serverID uint32, texts ...string) {
	var m huffcodec.Writer
	m.Bits(serverID, 32)
	m.Bits(w.sequence[0], 32)
	m.Bits(0, 32)
	for _, text := range texts {
		w.said = append(w.said, text)
		m.Bits(4, 8)
		m.Bits(uint32(len(w.said)), 32)
		m.String(text)
	}
	m.Bits(5, 8)
	w.message(true, serverID^w.sequence[0], 12, "", w.withTail(&m, "bytes after a client's message"))
}

// userinfo returns a userinfo with secrets in all kinds of keys.
func (w *wire) userinfo() string {
	return fmt.Sprintf(`\protocol\%d\qport\4711\challenge\%d\name\%s\password\%s\cl_guid\%s\labOwn\%s\rate\25000\%s\1\ja_guid\%s\authl\%s`,
		w.protocol, int32(w.challenge), w.plant("userinfo: name"), w.plant("userinfo: password"), w.plant("userinfo: guid"),
		w.text("userinfo: unknown key"),
		w.plant("userinfo: a key"), w.plant("userinfo: ja_guid"), w.plant("userinfo: authl"))
}

// session writes a session with secrets in every place.
func (w *wire) session() {
	w.challenge = 0x1234567
	w.oob(true, "getchallenge")
	if w.native {
		w.oob(false, fmt.Sprintf("challengeResponse %d %d %d", w.challenge, 0, w.protocol))
	} else {
		w.oob(false, fmt.Sprintf("challengeResponse %d", w.challenge))
	}
	connect := []byte("\xff\xff\xff\xffconnect ")
	w.send(true, huffcodec.EncodeAdaptive(connect, []byte(`"`+w.userinfo()+`"`)))
	if w.native {
		w.oob(false, fmt.Sprintf("connectResponse %d", w.challenge))
	} else {
		w.oob(false, "connectResponse")
	}
	w.outOfBand()
	w.fromServer("", w.gamestate)
	w.fromClient(77, `userinfo "`+w.userinfo()+`"`, "say "+w.text("chat of the client"), `rcon"`+w.plant("rcon in quotes")+`" status`, "rcon/**/"+w.plant("rcon after a comment")+" x",
		"rconrecovery "+w.text("rconrecovery"), "callvote map "+w.text("vote"), "set g_password "+w.text("set"),
		w.plant("command of the client")+" 1", "tell 1 "+w.text("tell"))
	w.fromServer(w.said[len(w.said)-1], w.play)
}

func (w *wire) outOfBand() {
	w.oob(true, "rcon "+w.plant("rcon")+" set sv_password "+w.text("rcon: set"))
	w.oob(true, `rcon "`+w.plant("rcon: quoted")+`" say `+w.text("rcon: say"))
	w.oob(true, "rconrecovery "+w.text("rconrecovery out of band"))
	w.oob(false, "print\n\"rconPassword\" is:\""+w.text("answer of rcon")+"^7\" default:\"^7\"\n")
	w.oob(false, "print\n    R     masterPassword \""+w.plant("cvarlist")+"\"\n"+w.text("print"))
	w.oob(false, `statusResponse`+"\n\\sv_hostname\\"+w.text("statusResponse")+`\g_password\`+w.plant("statusResponse: password")+"\n1 2 \""+w.plant("statusResponse: player")+"\"\n3 4 "+w.text("statusResponse: words")+"\n")
	w.oob(false, "infoResponse\n\\hostname\\"+w.text("infoResponse")+"\\mapname\\q3dm17\\x\\"+w.plant("infoResponse: x"))
	w.oob(true, "getinfo "+w.plant("getinfo"))
	w.oob(false, "print\n"+w.plant("print")+"\x00"+string(w.data("bytes after a print")))
	w.oob(false, w.plant("unknown word")+" "+w.text("unknown out-of-band text"))
	w.oob(false, "strange"+string(w.data("unknown out-of-band bytes")))
	w.oob(false, "getserversResponse "+w.text("before a list of servers")+`\`+"\x01\x02\x03\x04\x05\x06"+`\EOT`+"\x00\x00\x00"+string(w.data("after a list of servers")))
	w.oob(true, "getKeyAuthorize 0 "+w.plant("CD key"))
}

func (w *wire) gamestate(m *huffcodec.Writer) {
	m.Bits(2, 8)
	m.Bits(0, 32)
	for _, c := range []struct {
		index uint32
		text  string
	}{
		{0, fmt.Sprintf(`\protocol\%d\mapname\q3dm17\sv_hostname\%s\masterpassword\%s\refereePasswd\%s\sv_unknown\%s\%s\x`, w.protocol, w.text("serverinfo: hostname"),
			w.plant("serverinfo: masterpassword"), w.plant("serverinfo: passwd"), w.text("serverinfo: unknown key"),
			w.plant("serverinfo: key"))},
		{1, `\sv_serverid\77\sv_pakNames\` + w.text("systeminfo") + `\nxmac\` + w.plant("systeminfo: nxmac")},
		{25, w.text("configstring")},
		{300, "models/" + w.plant("model") + "/" + w.plant("model's file") + ".md3"},
		{600, `n\` + w.plant("player") + `\t\0\c\` + w.plant("player: clan") + `\steamid64\` + w.plant("player: steamid64")},
		{610, `title\` + w.text("configstring with an unknown key") + `\t\0`},
	} {
		m.Bits(3, 8)
		m.Bits(c.index, 16)
		m.String(c.text)
	}
	m.Bits(w.end(), 8)
	m.Bits(0, 32)
	m.Bits(99, 32)
	if w.protocol == 26 {
		m.Bits(0, 16)
	}
}

// play writes commands of a server, parts of files and voice.
func (w *wire) play(m *huffcodec.Writer) {
	for i, text := range []string{
		`print "` + w.text("print of the server") + "\n\"", `chat "` + w.plant("speaker") + ": " + w.text("chat of the server") + `"`, `tchat "` + w.text("chat of a team") + `"`,
		`cp "` + w.text("centre print") + `"`, `cs 25 "` + w.text("cs") + `"`, `cs 0 "\g_password\` + w.plant("cs: password") + `\x\` + w.text("cs: x") + `"`,
		`bcs0 1 "\sv_paks\1\password\` + w.plant("bcs: password"), `bcs2 1 "` + w.plant("bcs: rest") + `\y\` + w.plant("bcs: y") + `"`,
		w.plant("command of the server") + " " + w.text("arguments"), `disconnect "` + w.text("disconnect") + `"`, "scores 1 2 " + w.plant("scores"),
	} {
		m.Bits(5, 8)
		m.Bits(uint32(i+1), 32)
		m.String(text)
	}
	file := w.data("file")
	m.Bits(6, 8)
	m.Bits(0, 16)
	m.Bits(uint32(len(file)), 32)
	m.Bits(uint32(len(file)), 16)
	m.Bytes(file)
	if w.protocol == 71 {
		voice := w.data("voice")
		m.Bits(10, 8)
		m.Bits(1, 16)
		m.Bits(0, 8)
		m.Bits(5, 32)
		m.Bits(1, 8)
		m.Bits(uint32(len(voice)), 16)
		m.Bits(0, 2)
		m.Bytes(voice)
	}
	if w.protocol == 26 {
		m.Bits(8, 8)
		m.String(w.plant("setgame"))
	}
}

// Secrets in every place of sessions of every live protocol are nowhere in what is written: not in the datagrams, not
// in the deciphered messages, not in the fields, in no coding.
func TestPlantedSecrets(t *testing.T) {
	t.Parallel()
	total, places := 0, 0
	for _, c := range []struct {
		protocol int
		native   bool
	}{
		{66, false},
		{67, false},
		{68, false},
		{71, false},
		{71, true},
		{60, false},
		{84, false},
		{26, false},
		{15, false},
		{16, false},
	} {
		w := &wire{garden: newGarden(), protocol: c.protocol, native: c.native}
		w.session()
		name := fmt.Sprintf("protocol %d, native %v", c.protocol, c.native)
		forms := checkPlanted(t, name, w.garden, w.packets, w.plain)
		total, places = total+forms, places+len(w.secrets)
	}
	t.Logf("%d secrets, %d forms of them searched for", places, total)
}
