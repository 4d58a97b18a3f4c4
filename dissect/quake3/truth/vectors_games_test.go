package truth_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/enginetest"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A messageVector is one message of a session that the engines' writers made and their readers read back. The two files
// name their members differently.
type messageVector struct {
	Game       string          `json:"game"`
	Protocol   int             `json:"protocol"`
	Kind       string          `json:"kind"`
	Session    json.RawMessage `json:"session"`
	Sequence   uint32          `json:"seq"`
	Challenge  int32           `json:"challenge"`
	Datagrams  []string        `json:"datagrams"` // as the netchan sends them
	Enciphered string          `json:"cipherhex"` // where it is said without the netchan's header
	Hex        string          `json:"hex"`

	ReliableAck json.Number     `json:"relack"`
	ServerID    json.Number     `json:"serverid"`
	MessageAck  json.Number     `json:"messageack"`
	Ops         json.RawMessage `json:"ops"`
	Bits        int             `json:"bits"`
	Binary      string          `json:"binary"`

	Text string  `json:"text"`         // of a connect, without the four bytes FF
	Read *string `json:"decompressed"` // what its reader makes of a connect that its writer cut
}

// TestVectorsGamesSessions reads the sessions of the vectors as a capture of them would be, and compares every message.
func TestVectorsGamesSessions(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"wolf", "jk"} {
		sessions := map[string][]messageVector{}
		var order []string
		readMessageVectors(t, name, func(v messageVector) {
			if v.Kind == "connect" || len(v.Session) == 0 {
				return
			}
			key := fmt.Sprintf("%s-%d-session%s", cmp.Or(v.Game, jediGames[v.Protocol]), v.Protocol, bytes.Trim(v.Session, `"`))
			if sessions[key] == nil {
				order = append(order, key)
			}
			sessions[key] = append(sessions[key], v)
		})
		if len(order) < 6 {
			t.Errorf("sessions %q alone in %s", order, name)
		}
		for _, key := range order {
			t.Run(key, func(t *testing.T) {
				t.Parallel()
				messages := sessions[key]
				jedi := jediGames[messages[0].Protocol]
				w := &vectorCapture{jedi: jedi != ""}
				w.session(t, messages)
				d := departure{game: cmp.Or(messages[0].Game, jedi), unordered: true}
				if key == "jo-16-sessionC" { // made up times of commands contradict those of a snapshot
					d.experts = []string{"warning time_unknown"}
				}
				w.compare(t, d)
			})
		}
	}
}

// TestVectorsGamesConnect compares the text of compressed connect packets, also of such as their sender cut.
func TestVectorsGamesConnect(t *testing.T) {
	t.Parallel()
	cut := map[string][]string{"jk": {"note userinfo_cut"}}
	for _, name := range []string{"wolf", "jk"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &vectorCapture{}
			readMessageVectors(t, name, func(v messageVector) {
				if v.Kind != "connect" {
					return
				}
				w.port++
				text := v.Text
				if v.Read != nil {
					text = *v.Read
				}
				w.oob(t, true, enginetest.Unhex(t, v.Hex), text)
			})
			w.compare(t, departure{experts: cut[name]})
		})
	}
}

var vectorKinds = regexp.MustCompile(`"kind":"(connect|(server|client) ?(msg|message))"`)

var jediGames = map[int]string{15: "jo", 16: "jo", 25: "jka", 26: "jka"}

func readMessageVectors(t *testing.T, name string, each func(v messageVector)) {
	t.Helper()
	file := filepath.Join(reference.Folder(t, "reference", "idtech3"), name+"-vectors.jsonl.gz")
	lines := reference.Lines(t, file)
	for lines.Scan() {
		var v messageVector
		if !vectorKinds.Match(lines.Bytes()) {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%v in %.200s", err, lines.Bytes())
		}
		each(v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// A vectorCapture is a capture, and the truth about it, made of vectors.
type vectorCapture struct {
	packets, truth bytes.Buffer
	frame          uint64
	port           uint16 // of the client, less firstPort
	jedi           bool
}

const firstPort, vectorServerPort = 40000, 27960

// session writes a handshake with the challenge of a session and the session.
func (w *vectorCapture) session(t *testing.T, messages []messageVector) {
	t.Helper()
	challenge, protocol := messages[0].Challenge, messages[0].Protocol
	w.text(t, true, "getchallenge")
	w.text(t, false, fmt.Sprintf("challengeResponse %d", challenge))
	connect := fmt.Sprintf(`connect "\name\Lab\protocol\%d\qport\%d\challenge\%d"`, protocol, 31337, challenge)
	w.oob(t, true, append([]byte("\xff\xff\xff\xffconnect "),
		huffcodec.EncodeAdaptive(nil, []byte(connect[len("connect "):]))...), connect)
	w.text(t, false, "connectResponse")
	for i := range messages {
		w.message(t, &messages[i])
	}
}

// message writes the datagrams of a message.
func (w *vectorCapture) message(t *testing.T, v *messageVector) {
	t.Helper()
	fromClient := v.Kind[0] == 'c'
	var datagrams [][]byte
	for _, d := range v.Datagrams {
		datagrams = append(datagrams, enginetest.Unhex(t, d))
	}
	if v.Datagrams == nil {
		header := binary.LittleEndian.AppendUint32(nil, v.Sequence)
		if fromClient {
			header = binary.LittleEndian.AppendUint16(header, 31337)
		}
		datagrams = [][]byte{append(header, enginetest.Unhex(t, v.Enciphered)...)}
	}
	truth := map[string]any{
		"kind": "msg", "sess": 1, "enc": "legacy", "seq": v.Sequence, "frag": len(datagrams) > 1, "len": len(v.Hex) / 2,
		"relack": v.ReliableAck, "ops": v.Ops, "bits": v.Bits,
	}
	if v.Protocol == 61 {
		truth["enc"] = "native"
	}
	if fromClient {
		truth["qport"], truth["serverid"], truth["messageack"] = 31337, v.ServerID, v.MessageAck
	}
	if v.Binary != "" {
		truth["binary"] = v.Binary
	}
	var frames []uint64
	for _, d := range datagrams {
		w.packet(fromClient, d)
		frames = append(frames, w.frame)
	}
	truth["frames"] = frames
	w.say(t, fromClient, truth)
}

// text writes an out-of-band packet that is not compressed.
func (w *vectorCapture) text(t *testing.T, fromClient bool, text string) {
	t.Helper()
	w.oob(t, fromClient, []byte("\xff\xff\xff\xff"+text), text)
}

// oob writes an out-of-band packet and the text that it means, one rune a byte.
func (w *vectorCapture) oob(t *testing.T, fromClient bool, payload []byte, text string) {
	t.Helper()
	w.packet(fromClient, payload)
	read, length := wire(text), len(payload)-oobMarkerLen
	if w.jedi {
		length = len(payload) // as their truth files have it, see normalise
	}
	w.say(t, fromClient, map[string]any{
		"kind": "oob", "frames": []uint64{w.frame}, "len": length, "text": text,
		"textlen": len(read), "textcrc32": fmt.Sprintf("%08x", crc32.ChecksumIEEE(read)),
		"compressed": !bytes.Contains(payload, read),
	})
}

// say writes the truth about the packets written last.
func (w *vectorCapture) say(t *testing.T, fromClient bool, truth map[string]any) {
	t.Helper()
	truth["frame"], truth["cport"], truth["sport"], truth["ok"] = w.frame, firstPort+w.port, vectorServerPort, true
	if truth["dir"] = "s2c"; fromClient {
		truth["dir"] = "c2s"
	}
	b, err := json.Marshal(truth)
	if err != nil {
		t.Fatal(err)
	}
	w.truth.Write(append(b, '\n'))
}

// packet writes a record of a classic capture: IPv4 and UDP, without a link layer.
func (w *vectorCapture) packet(fromClient bool, payload []byte) {
	const headers, linkRaw = 20 + 8, 101
	put := func(v any) { binary.Write(&w.packets, binary.BigEndian, v) }
	if w.frame++; w.frame == 1 {
		put([]uint32{0xa1b2c3d4, 2<<16 | 4, 0, 0, 1 << 16, linkRaw})
	}
	length := uint32(headers + len(payload))
	put([]uint32{1700000000 + uint32(w.frame/20), uint32(w.frame%20) * 50000, length, length})
	put([]uint16{0x4500, uint16(length), 0, 0, 64<<8 | 17, 0})
	client, server := uint32(192<<24|2<<8|1), uint32(192<<24|2<<8|2)
	ports := []uint16{firstPort + w.port, vectorServerPort}
	if fromClient {
		put([]uint32{client, server})
	} else {
		put([]uint32{server, client})
		ports[0], ports[1] = ports[1], ports[0]
	}
	put(append(ports, uint16(8+len(payload)), 0))
	w.packets.Write(payload)
}

// compare dissects the capture and compares its records with the truth.
func (w *vectorCapture) compare(t *testing.T, d departure) {
	t.Helper()
	capture, truth := filepath.Join(t.TempDir(), "vectors.pcap"), filepath.Join(t.TempDir(), "truth.gz")
	if err := os.WriteFile(capture, w.packets.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(w.truth.Bytes())
	z.Close()
	if err := os.WriteFile(truth, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	compareTruth(t, capture, truth, d)
}
