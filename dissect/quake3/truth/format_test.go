package truth_test

import "encoding/json"

// A truthLine is one line of a truth file: what the engine's own code read of a message or out-of-band
// packet.
type truthLine struct {
	Frame       uint64       `json:"frame"`  // of the completing packet
	Frames      []uint64     `json:"frames"` // of all its netchan fragments
	Dir         string       `json:"dir"`    // s2c, c2s
	ClientPort  uint16       `json:"cport"`
	ServerPort  uint16       `json:"sport"`
	Kind        string       `json:"kind"` // oob, msg
	Len         int          `json:"len"`  // bytes behind the netchan header or the four FF
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
	Bits        int          `json:"bits"` // consumed
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

	// snapshot; flags of voip too
	Time     json.Number   `json:"time"`
	Delta    json.Number   `json:"delta"`
	Flags    json.Number   `json:"flags"`
	AreaMask string        `json:"areamask"`
	Player   *truthPlayer  `json:"ps"`
	Entities []truthEntity `json:"ents"`

	// move, movenodelta
	Count    json.Number    `json:"count"`
	Commands []truthUsercmd `json:"cmds"`
}

// truthFields are changed fields by the engine's name.
type truthFields map[string]json.Number

type truthEntity struct {
	Number json.Number `json:"num"`
	Fields truthFields `json:"f"`
	Kind   string      `json:"kind"` // delta, baseline, removed, nochange
	Source string      `json:"src"`  // of nochange: delta, baseline
}

type truthPlayer struct {
	Fields     truthFields `json:"f"`
	Stats      truthFields `json:"stats"`
	Persistant truthFields `json:"persistant"`
	Ammo       truthFields `json:"ammo"`
	Powerups   truthFields `json:"powerups"`
}

type truthUsercmd struct {
	ServerTime  json.Number    `json:"serverTime"`
	Angles      [3]json.Number `json:"angles"`
	ForwardMove json.Number    `json:"forwardmove"`
	RightMove   json.Number    `json:"rightmove"`
	UpMove      json.Number    `json:"upmove"`
	Buttons     json.Number    `json:"buttons"`
	Weapon      json.Number    `json:"weapon"`
	TimeCoding  string         `json:"st"` // d8: relative, 8 bits; abs: 32 bits
	Changed     []string       `json:"f"`
}
