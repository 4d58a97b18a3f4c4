// Package demos writes demos of Teeworlds and DDNet.
package demos

import (
	"encoding/binary"
	"time"

	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A Header is what the beginning of a demo says. Texts that are too long are cut.
//
// CDemoRecorder::Start, src/engine/shared/demo.cpp of DDNet; CDemoHeader, src/engine/demo.h.
type Header struct {
	NetVersion string
	Map        string
	MapSHA256  [32]byte // zero: not known
	MapCRC     uint32
	MapData    []byte // the map's file, which follows; nil: it is not in the demo
	By         string // who recorded: "client" or "server"
	Began      time.Time
	Seconds    uint32  // from the first tick to the last
	Markers    []int32 // ticks that the player's time line shows
}

// NetVersion06 is GAME_NETVERSION of 0.6 and of DDNet, src/game/version.h.
const NetVersion06 = "0.6 626fce9a778df4d4"

const (
	version    = 6  // with the SHA-256 of the map
	maxMarkers = 64 // MAX_TIMELINE_MARKERS, src/engine/demo.h

	// Magic is how each demo begins.
	Magic = "TWDEMO\x00"
	// HeaderSize is the length of a header without the map, in bytes.
	HeaderSize = 484
)

// SHA256Mark precedes the SHA-256 in version 6.
var SHA256Mark = tables.UUIDOf("demoitem-sha256@ddnet.tw")

// Mark adds a tick to the time line, not before those that it has. Those that do not fit are left out.
func (h *Header) Mark(tick int32) {
	if n := len(h.Markers); n < maxMarkers && (n == 0 || h.Markers[n-1] != tick) {
		h.Markers = append(h.Markers, tick)
	}
}

// Append appends the header, without the map.
func (h *Header) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(append(dst, Magic...), version)
	dst = appendText(dst, h.NetVersion, 64)
	dst = appendText(dst, h.Map, 64)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(h.MapData)))
	dst = binary.BigEndian.AppendUint32(dst, h.MapCRC)
	dst = appendText(dst, h.By, 8)
	dst = binary.BigEndian.AppendUint32(dst, h.Seconds)
	dst = appendText(dst, h.Began.Format("2006-01-02_15-04-05"), 20)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(h.Markers)))
	for _, tick := range h.Markers {
		dst = binary.BigEndian.AppendUint32(dst, uint32(tick))
	}
	dst = append(dst, make([]byte, 4*(maxMarkers-len(h.Markers)))...)
	dst = append(append(dst, SHA256Mark[:]...), h.MapSHA256[:]...)
	return dst[:start+HeaderSize]
}

// appendText appends a text with zeros up to a size, at least one.
func appendText(dst []byte, text string, size int) []byte {
	end := len(dst) + size
	dst = append(dst, text[:min(len(text), size-1)]...)
	return append(dst, make([]byte, end-len(dst))...)
}

// Ticks that a player takes: MIN_TICK and MAX_TICK, src/engine/shared/protocol.h of DDNet.
const (
	minTick = 0
	maxTick = 0x6fffffff
)

// IsTick reports whether a player takes a number for a tick.
func IsTick(tick int64) bool { return tick >= minTick && tick < maxTick }
