package truth_test

import (
	"encoding/json"
	"strings"
)

// A truthLine is one line of a truth file: what the engine's own code read of a message or out-of-band
// packet.
type truthLine struct {
	Frame       uint64       `json:"frame"`  // of the completing packet
	Frames      []uint64     `json:"frames"` // of all its netchan fragments
	Dir         string       `json:"dir"`    // s2c, c2s
	ClientPort  uint16       `json:"cport"`
	ServerPort  uint16       `json:"sport"`
	Kind        string       `json:"kind"` // oob, msg
	Len         int          `json:"len"`  // bytes after the netchan header, or after the four FF
	OK          bool         `json:"ok"`
	Text        *string      `json:"text"` // bytes as Latin-1, decompressed
	Redacted    *string      `json:"text_redacted_firstline"`
	TextLen     int          `json:"textlen"`
	TextCRC32   string       `json:"textcrc32"`
	Compressed  bool         `json:"compressed"`
	Session     int          `json:"sess"` // from 1 in the file
	Encoding    string       `json:"enc"`
	Sequence    uint32       `json:"seq"`
	Qport       *json.Number `json:"qport"`
	Fragmented  bool         `json:"frag"`
	Duplicate   bool         `json:"dup"`
	Late        bool         `json:"late"`
	ReliableAck json.Number  `json:"relack"`
	ServerID    json.Number  `json:"serverid"`
	MessageAck  json.Number  `json:"messageack"`
	Ops         []truthOp    `json:"ops"`
	Bits        int          `json:"bits"`   // consumed
	Binary      string       `json:"binary"` // after the end of a message of Enemy Territory
	Err         string       `json:"err"`
	Message     int          `json:"n"` // of a recording
}

// A truthOp is one operation of a message.
type truthOp struct {
	Op string `json:"op"`

	// gamestate
	CommandSequence json.Number       `json:"cmdseq"`
	Configstrings   map[string]string `json:"cs"`
	Baselines       []truthEntity     `json:"baselines"`
	ClientNum       json.Number       `json:"clientnum"`
	ChecksumFeed    json.Number       `json:"feed"`

	RandomMap     json.Number   `json:"rmg"` // Jedi Academy: size of its data
	CurrentStates []truthEntity `json:"currentstates"`

	// servercommand, clientcommand
	Number json.Number `json:"num"`
	Text   string      `json:"text"`

	// download, voip
	Block      json.Number `json:"block"`
	FileSize   json.Number `json:"filesize"`
	Size       json.Number `json:"size"`
	CRC32      string      `json:"crc32"` // of the data
	Codec      string      `json:"codec"`
	Sender     json.Number `json:"sender"`
	Recipients string      `json:"recips"`
	Generation json.Number `json:"generation"`
	Sequence   json.Number `json:"sequence"`
	Frames     json.Number `json:"frames"`

	Error string `json:"error"`
	URL   string `json:"url"`

	// snapshot; flags of voip and downloads too
	Time     json.Number   `json:"time"`
	Delta    json.Number   `json:"delta"`
	Flags    json.Number   `json:"flags"`
	AreaMask string        `json:"areamask"`
	Player   *truthPlayer  `json:"ps"`
	Vehicle  *truthPlayer  `json:"vps"` // Jedi Academy
	Entities []truthEntity `json:"ents"`

	// ettv_playerstates
	Players []struct {
		Client json.Number  `json:"client"`
		Player *truthPlayer `json:"ps"`
	} `json:"players"`

	// move, movenodelta
	Count    json.Number    `json:"count"`
	Commands []truthUsercmd `json:"cmds"`
}

// truthFields are changed fields by the engine's name.
type truthFields map[string]json.Number

type truthEntity struct {
	Number json.Number `json:"num"`
	Fields truthFields `json:"f"`
	Kind   string      `json:"kind"`   // delta, baseline, removed, nochange
	Source string      `json:"src"`    // of nochange: delta, baseline
	Shared any         `json:"shared"` // 284: changed fields, or "removed"
}

type truthPlayer struct {
	Fields     truthFields `json:"f"`
	Stats      truthFields `json:"stats"`
	Persistant truthFields `json:"persistant"`
	Ammo       truthFields `json:"ammo"`
	Powerups   truthFields `json:"powerups"`
	Holdable   truthFields `json:"holdable"`
	Ammoclip   truthFields `json:"ammoclip"`
	Pilot      bool        `json:"pilot"`
}

type truthUsercmd struct {
	ServerTime  json.Number    `json:"serverTime"`
	Angles      [3]json.Number `json:"angles"`
	ForwardMove json.Number    `json:"forwardmove"`
	RightMove   json.Number    `json:"rightmove"`
	UpMove      json.Number    `json:"upmove"`
	Buttons     json.Number    `json:"buttons"`
	Weapon      json.Number    `json:"weapon"`
	// Of Wolfenstein and Jedi Knight; "" elsewhere.
	Wbuttons    json.Number `json:"wbuttons"`
	Holdable    json.Number `json:"holdable"`
	Wolfkick    json.Number `json:"wolfkick"`
	MpSetup     json.Number `json:"mpSetup"`
	Flags       json.Number `json:"flags"`
	DoubleTap   json.Number `json:"doubleTap"`
	IdentClient json.Number `json:"identClient"`
	ForceSel    json.Number `json:"forcesel"`
	InvenSel    json.Number `json:"invensel"`
	GenericCmd  json.Number `json:"generic_cmd"`

	TimeCoding string   `json:"st"` // d8: relative, 8 bits; abs: 32 bits
	Changed    []string `json:"f"`
}

// normalise makes up for what truth files of other games leave out: those of Jedi Knight count the four FF of an
// out-of-band packet, and none marks a connect as compressed.
func (t *truthLine) normalise(game string) {
	if t.Kind != "oob" || t.Text == nil {
		return
	}
	if game == "jka" || game == "jo" {
		t.Len -= oobMarkerLen
	}
	t.Compressed = strings.HasPrefix(*t.Text, "connect ") && t.Len != t.TextLen
}
