package teeworlds

import (
	"bytes"
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/internal/leap"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/events"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/message"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/snapshot"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// maxDemoChunk is the maximum size of a decompressed chunk of a demo, in bytes: CDemoPlayer::DoTick
// in src/engine/shared/demo.cpp has buffers of MAX_SIZE.
const maxDemoChunk = 64 << 10

const demoHeaderSource = "CDemoHeader, src/engine/demo.h"

// Fields that only records of demos have.
var (
	demoField = dissect.Field{
		Key: "demo", Kind: dissect.Object,
		Doc:    "record of a demo file: its kind, tick and, of the first one, the file's header",
		Source: "src/engine/shared/demo.cpp",
		Children: []*dissect.Field{
			&demoType, &demoTick, &demoKeyframeField, &demoChunkSize, &demoFileVersion, &demoNetVersion, &demoMapName,
			&demoMapSize, &demoMapCRC, &demoRecordedBy, &demoLength, &demoTimestamp, &demoMarkersField,
			&demoSHA256, &dissect.Undecoded,
		},
		Frame: []*dissect.Field{
			&demoMagicField, &demoMarkerCount, &demoUnusedMarkers, &demoSHA256Mark, &demoChunkHead, &messagePart,
		},
	}
	demoType = dissect.Field{
		Key: "type", Kind: dissect.Label,
		Doc: "header: the first record; snapshot: a complete one; delta: a difference to the snapshot before; message; " +
			"hole: bytes that are none of these",
	}
	demoTick          = dissect.Field{Key: "tick", Kind: dissect.Int, Unit: "ticks", Doc: "server tick at which it was recorded; absent before the first one, and where that of the file leaps"}
	demoKeyframeField = dissect.Field{Key: "keyframe", Kind: dissect.Bool, Doc: "true: players can begin here; absent otherwise"}
	demoChunkSize     = dissect.Field{Key: "size", Kind: dissect.Uint, Unit: "bytes", Doc: "length of the record's compressed data"}
	demoFileVersion   = dissect.Field{Key: "version", Kind: dissect.Uint, Bits: 8, Source: demoHeaderSource, Doc: "version of the file format"}
	demoNetVersion    = dissect.Field{Key: "net_version", Kind: dissect.Text, Bits: 512, Source: demoHeaderSource, Doc: "version of the network protocol"}
	demoMapName       = dissect.Field{Key: "map_name", Kind: dissect.Text, Bits: 512, Source: demoHeaderSource, Doc: "name of the map"}
	demoMapSize       = dissect.Field{Key: "map_size", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: demoHeaderSource, Doc: "length of the map, which follows the header; 0: it is not in the file"}
	demoMapCRC        = dissect.Field{Key: "map_crc", Kind: dissect.Int, Bits: 32, Source: demoHeaderSource, Doc: "CRC-32 of the map file"}
	demoRecordedBy    = dissect.Field{Key: "recorded_by", Name: "m_aType", Kind: dissect.Text, Bits: 64, Source: demoHeaderSource, Doc: "who recorded: client or server"}
	demoLength        = dissect.Field{Key: "length", Kind: dissect.Uint, Bits: 32, Unit: "s", Source: demoHeaderSource, Doc: "how long the recording is; 0 if it was not stopped properly"}
	demoTimestamp     = dissect.Field{Key: "timestamp", Kind: dissect.Text, Bits: 160, Source: demoHeaderSource, Doc: "when the recording began, in local time"}
	demoMarkersField  = dissect.Field{
		Key: "markers", Name: "m_aTimelineMarkers", Kind: dissect.List,
		Children: []*dissect.Field{{Kind: dissect.Int, Bits: 32, Unit: "ticks"}}, Source: demoHeaderSource,
		Doc: "ticks that somebody marked while recording",
	}
	demoSHA256 = dissect.Field{Key: "map_sha256", Kind: dissect.Hex, Bits: 256, Source: "CDemoRecorder::Start, DDNet's src/engine/shared/demo.cpp", Doc: "SHA-256 of the map file"}
)

var demoChunkNames = [...]string{
	demoHeaderChunk: "header", demoSnapshot: "snapshot",
	demoMessage: "message", demoDelta: "delta",
}

// dissectRecorded decodes the header or a chunk of a demo.
func (c *conversation) dissectRecorded(rec *dissect.Record) {
	h := demoHint(rec.Hint)
	t := rec.Decoding()
	c.packet.dialect = h.dialect()
	if c.reader == nil {
		c.reader = &message.Reader{Demo: true}
	}
	if c.snapshots == nil {
		c.snapshots = snapshot.NewReader(c.wants.state)
	}
	t.Open(&rootField, 0)
	t.AddLabel(&versionField, c.packet.dialect.String(), 0, 0)
	if h.chunk() == demoHeaderChunk && rec.Frame == 1 {
		showDemoHeader(t, rec.Payload, h.version())
		if p := rec.Attached; p != nil && c.wants.files {
			rec.Files = append(rec.Files, *p)
			if length := int64(len(p.Data)); length == p.File.Size {
				rec.Files = append(rec.Files, extract.File{Offset: length, End: true})
			}
		}
	} else {
		c.dissectDemoChunk(rec, t, h)
	}
	if t != nil {
		t.CloseAll(len(rec.Payload) << 3)
		t.Family = uint8(c.packet.dialect)
	}
	c.rewriter.recorded(c, rec)
	c.copyChunk(rec, h)
	if c.events != nil {
		c.addRecordedEvents(rec, h)
	}
	if c.wants.inputs {
		c.addPlaces(rec)
	}
	if c.wants.scenes {
		c.addScene(rec)
	}
}

// addRecordedEvents adds the events of the demo record that was just decoded.
func (c *conversation) addRecordedEvents(rec *dissect.Record, h demoHint) {
	d := events.Datagram{
		Dialect: c.packet.dialect, Snapshots: c.snapshots, Recorded: true, Tick: h.tick(), Untimed: h&hintTick == 0,
	}
	if b := rec.Payload; h.chunk() == demoHeaderChunk && rec.Frame == 1 && len(b) >= demoMapSizeAt {
		d.Header = true
		d.MapName, _, _ = bytes.Cut(b[demoMapNameAt:demoMapSizeAt], []byte{0})
		if len(b) >= demoTimestampAt+demoTimestampSize {
			d.Began, _, _ = bytes.Cut(b[demoTimestampAt:demoTimestampAt+demoTimestampSize], []byte{0})
		}
		d.ByServer = len(b) > demoRecorderAt && bytes.HasPrefix(b[demoRecorderAt:], []byte("server"))
	}
	c.events.Finish(rec, &d)
}

// Byte positions of the map's name and of the recorder in the header of a demo: CDemoHeader in
// src/engine/demo.h.
const (
	demoMapNameAt     = 72
	demoRecorderAt    = 144
	demoTimestampAt   = 156
	demoTimestampSize = 20
)

// showDemoHeader adds the header of a demo.
func showDemoHeader(t *dissect.Tree, b []byte, version int) {
	text := func(f *dissect.Field, at, size int) {
		s := b[at : at+size]
		if end := bytes.IndexByte(s, 0); end >= 0 {
			s = s[:end]
		}
		t.AddBytes(f, s, at<<3, size<<3)
	}
	number := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
	t.Open(&demoField, 0)
	t.AddLabel(&demoType, demoChunkNames[demoHeaderChunk], 0, 0)
	t.Add(&demoFileVersion, uint64(version), demoVersionByte<<3, 8)
	text(&demoNetVersion, 8, 64)
	text(&demoMapName, 72, 64)
	t.Add(&demoMapSize, uint64(number(demoMapSizeAt)), demoMapSizeAt<<3, 32)
	t.AddInt(&demoMapCRC, int64(int32(number(140))), 140<<3, 32)
	text(&demoRecordedBy, 144, 8)
	t.Add(&demoLength, uint64(number(152)), 152<<3, 32)
	text(&demoTimestamp, demoTimestampAt, demoTimestampSize)
	if version >= demoMarkers {
		t.Open(&demoMarkersField, demoHead3<<3)
		for i := range min(number(demoHead3), 64) {
			at := demoHead3 + 4 + 4*int(i)
			t.AddInt(demoMarkersField.Children[0], int64(int32(number(at))), at<<3, 32)
		}
		t.Close(demoHead4 << 3)
	}
	if len(b) >= demoHead6 {
		t.AddBytes(&demoSHA256, b[demoHead4+tables.UUIDBytes:demoHead6], (demoHead4+tables.UUIDBytes)<<3, 256)
	}
	frameDemoHeader(t, b, version)
	t.Close(len(b) << 3)
}

// dissectDemoChunk decodes a chunk of a demo.
func (c *conversation) dissectDemoChunk(rec *dissect.Record, t *dissect.Tree, h demoHint) {
	header, size := demoSize(rec.Payload)
	if h&hintHole != 0 {
		header, size = 0, len(rec.Payload)
	}
	coded := rec.Payload[header:]
	t.Open(&demoField, 0)
	t.AddLabel(&demoType, demoChunkName(h), 0, 8)
	if h&hintTick != 0 {
		t.AddInt(&demoTick, int64(h.tick()), 0, 0)
	}
	if h&hintDoubt != 0 {
		rec.Expert(dissect.Warning, leap.ExpertTimeUnknown, &demoTick, 0,
			"the tick in the file cannot be: it leaps from those around it")
	}
	if h&hintKeyframe != 0 {
		t.AddBool(&demoKeyframeField, true, 0, 0)
	}
	if h&hintHole != 0 {
		t.AddBytes(&dissect.Undecoded, coded, 0, len(coded)<<3)
		rec.Expert(dissect.Fault, message.ExpertMalformed, &dissect.Undecoded, 0,
			"%d bytes are not chunks: reading goes on at the next keyframe", size)
		return
	}
	t.Add(&demoChunkSize, uint64(size), 0, header<<3)
	if t.Framed() {
		t.Open(&demoChunkHead, 0)
		for i, b := range rec.Payload[:header] {
			t.Add(demoChunkHead.Children[0], uint64(b), i<<3, 8)
		}
		t.Close(header << 3)
	}
	var err error
	c.packet.inflated, _, err = huffcodec.DecodeTeeworlds(c.packet.inflated[:0], coded, maxDemoChunk)
	if err != nil && size > 0 {
		t.AddBytes(&dissect.Undecoded, coded, header<<3, len(coded)<<3)
		rec.Expert(dissect.Fault, message.ExpertMalformed, &dissect.Undecoded, header<<3, "the chunk cannot be decompressed")
		return
	}
	if t.Framed() && size > 0 {
		t.Add(&messagePart, uint64(len(coded)), header<<3, len(coded)<<3)
	}
	t.Close(len(rec.Payload) << 3)
	rec.MessageDone = true
	data := c.packet.inflated
	t.Open(&chunksField, 0)
	t.Open(&chunkField, 0)
	if h.chunk() == demoMessage {
		c.dissectDemoMessage(rec, t, data)
	} else {
		rec.Message = data
		c.snapshots.Untimed = h&hintDoubt != 0
		c.snapshots.TakeRecorded(rec, t, h.dialect(), h.tick(), h.chunk() != demoDelta, data)
	}
	t.Close(len(rec.Message) << 3)
	t.Close(len(rec.Message) << 3)
}

func demoChunkName(h demoHint) string {
	if h&hintHole != 0 {
		return "hole"
	}
	return demoChunkNames[h.chunk()]
}

// dissectDemoMessage decodes a message. The recorder's padding is not shown.
func (c *conversation) dissectDemoMessage(rec *dissect.Record, t *dissect.Tree, data []byte) {
	var err error
	c.unpacked, err = unpackDemoMessage(c.unpacked[:0], data)
	if err != nil {
		rec.Expert(dissect.Fault, message.FaultCode(err), nil, 0, "%v", err)
	}
	payload := c.unpacked
	rec.Message = payload
	c.reader.Decode(nil, nil, c.packet.dialect, false, payload, 0)
	if rest := c.reader.Rest(); len(rest) < 4 && zeros(rest) {
		if payload = payload[:len(payload)-len(rest)]; t.Framed() && len(rest) > 0 {
			t.AddBytes(&paddingZeros, rest, len(payload)<<3, len(rest)<<3)
		}
	}
	m := c.reader.Decode(t, rec, c.packet.dialect, false, payload, 0)
	if c.told = ""; m.Def != nil {
		c.told = m.Def.Key
	}
	c.events.Add(&m, false, payload)
}
