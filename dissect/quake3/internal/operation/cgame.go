package operation

import (
	"bytes"
	"math"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

const cgameSource = "CG_ParseCGMessage, code/cgame/cg_parsemsg.cpp of openmohaa"

// Fields of svc_cgameMessage of Medal of Honor.
var (
	CGame = dissect.Field{
		Key: "cgame_message", Name: "svc_cgameMessage", Kind: dissect.Object, Source: cgameSource,
		Doc:      "effects, and what the head-up display shows, for the game's module (Medal of Honor)",
		Children: []*dissect.Field{&cgameList, &dissect.Undecoded}, Frame: opFrame,
	}
	cgameList = dissect.Field{
		Key: "messages", Kind: dissect.List, Source: cgameSource, Doc: "the messages, in wire order",
		Children: []*dissect.Field{&cgameEntry},
	}
	cgameEntry = dissect.Field{
		Kind: dissect.Object, Source: cgameSource, Doc: "a message: what it has depends on its type",
		Children: append([]*dissect.Field{&cgameType}, append(cgameChildren(),
			&cgameAlpha, &cgamePathCount, &cgameText, &cgamePoints, &dissect.Undecoded)...),
		Frame: []*dissect.Field{&decode.Terminator, &cgameAlphaSent, &cgameMore},
	}
	cgameType = dissect.Field{
		Key: "type", Kind: dissect.Uint, Bits: 6, Enum: &tables.CGameTypeNames, Source: cgameSource,
		Doc: "kind of message; the numbers of Allied Assault are not those of its expansions",
	}
	cgamePoints = dissect.Field{
		Key: "points", Kind: dissect.List, Source: cgameSource, Doc: "places, in wire order",
		Children: []*dissect.Field{&cgamePoint},
	}
	cgamePoint = dissect.Field{
		Kind: dissect.Object, Source: cgameSource, Doc: "a place", Children: cgameAxes[:],
	}
	cgameAxes = [3]*dissect.Field{cgameAxis("x"), cgameAxis("y"), cgameAxis("z")}

	cgameAlpha = dissect.Field{
		Key: "alpha", Kind: dissect.Float, Bits: 10, Source: cgameSource, Doc: "opacity, at least 0.002; absent: 1",
	}
	cgamePathCount = dissect.Field{
		Key: "path_count", Kind: dissect.Uint, Bits: 6, Source: cgameSource,
		Doc: "how many places, the last ones, are a path",
	}
	cgameText = dissect.Field{Key: "text", Kind: dissect.Text, Source: cgameSource, Doc: "text, or name of a shader or font"}
)

// cgameNumbers are the letters of tables.CGameMessages that mean a number.
var cgameNumbers = [...]struct {
	letter byte
	field  dissect.Field
}{
	{'v', cgameNumber("parameter", 6, "depends on the type")},
	{'d', cgameNumber("direction", 8, "index in the table of normals")},
	{'s', cgameNumber("size", 1, "size of the effect")},
	{'S', cgameNumber("size", 2, "size of the effect (Spearhead, Breakthrough)")},
	{'k', cgameNumber("value", 8, "depends on the type")},
	{'m', cgameNumber("value_2", 8, "depends on the type")},
	{'i', cgameNumber("element", 8, "element of the head-up display")},
	{'h', cgameNumber("align_horizontal", 2, "side of the screen that the element is placed from")},
	{'j', cgameNumber("align_vertical", 2, "side of the screen that the element is placed from")},
	{'x', cgameNumber("x", -16, "place of the element")},
	{'y', cgameNumber("y", -16, "place of the element")},
	{'w', cgameNumber("width", -16, "width of the element")},
	{'z', cgameNumber("height", -16, "height of the element")},
	{'f', cgameNumber("virtual_size", 1, "1: place and size are those on a virtual screen")},
	{'r', cgameNumber("red", 8, "colour of the element")},
	{'g', cgameNumber("green", 8, "colour of the element")},
	{'b', cgameNumber("blue", 8, "colour of the element")},
	{'o', cgameNumber("opacity", 8, "opacity of the element")},
	{'l', cgameNumber("local", 1, "1: the voice is heard at its place")},
	{'c', cgameNumber("client", 6, "client number")},
}

// cgameNumber describes a number of a width, negative for one with a sign.
func cgameNumber(key string, width int, doc string) dissect.Field {
	kind := dissect.Uint
	if width < 0 {
		kind, width = dissect.Int, -width
	}
	return dissect.Field{Key: key, Kind: kind, Bits: width, Source: cgameSource, Doc: doc}
}

func cgameAxis(key string) *dissect.Field {
	return &dissect.Field{Key: key, Kind: dissect.Float, Bits: cgameCoordBits, Source: cgameSource, Doc: "game units"}
}

func cgameChildren() (fields []*dissect.Field) {
	for i := range cgameNumbers {
		fields = append(fields, &cgameNumbers[i].field)
	}
	return fields
}

const (
	cgameCoordBits = 19 // the highest is the sign
	cgameCoordUnit = 16 // to the game unit
	cgameAlphaUnit = 512
	cgameLeast     = .002 // alpha

	maxCGamePoints = 3 + 63
)

// A cgamePlace is a place as it was read, with its position in the message, in bits.
type cgamePlace struct {
	value     [3]float32
	at, after [3]int
}

// cgamePlaces are the places of a message.
type cgamePlaces struct {
	list  [maxCGamePoints]cgamePlace
	count int
}

// A Voice is a voice message that is heard where its speaker is.
type Voice struct {
	Client int
	Name   []byte
}

// ReadCGame reads svc_cgameMessage after its op: messages without a length, which can only be skipped by reading them.
// Texts are read into text, which is returned. Voices are appended to heard.
func ReadCGame(d *decode.Decoder, at int, bodies tables.CGameMessages, text []byte, heard *[]Voice) []byte {
	d.EnterOp(&CGame, at)
	defer d.Leave()
	d.Enter(&cgameList)
	defer d.Leave()
	for {
		text = readCGameEntry(d, bodies, text, heard)
		if more := d.Bit(); !more || d.Failed() {
			return text
		}
	}
}

func readCGameEntry(d *decode.Decoder, bodies tables.CGameMessages, text []byte, heard *[]Voice) []byte {
	d.Enter(&cgameEntry)
	defer d.Leave()
	at := d.Pos()
	kind := int(d.Uint(&cgameType))
	if d.Failed() || kind >= len(bodies) || bodies[kind] == tables.CGameUnknown {
		d.Malformed(&cgameType, at, "the game's module has no message %d", kind)
		return text
	}
	var places cgamePlaces
	local, client := uint32(0), uint32(0)
	for _, letter := range []byte(bodies[kind]) {
		switch letter {
		case 'P':
			places.read(d)
		case 'n':
			for n := d.Uint(&cgamePathCount); n > 0 && !d.Failed(); n-- {
				places.read(d)
			}
		case 'a':
			readCGameAlpha(d)
		case 't':
			text = d.Text(&cgameText, text)
		case 'l':
			local = readCGameNumber(d, letter)
		case 'c':
			client = readCGameNumber(d, letter)
		default:
			readCGameNumber(d, letter)
		}
	}
	if local != 0 && !d.Failed() {
		*heard = append(*heard, Voice{int(client), bytes.Clone(text)})
	}
	places.add(d)
	d.FrameBool(&cgameMore, d.Pos())
	return text
}

// readCGameNumber reads the number of a letter, if it is unsigned.
func readCGameNumber(d *decode.Decoder, letter byte) uint32 {
	for i := range cgameNumbers {
		if n := &cgameNumbers[i]; n.letter == letter {
			if n.field.Kind == dissect.Int {
				d.Int(&n.field)
				return 0
			}
			return d.Uint(&n.field)
		}
	}
	return 0
}

func readCGameAlpha(d *decode.Decoder) {
	sent := d.Bit()
	if d.FrameBool(&cgameAlphaSent, d.Pos()-1); !sent {
		return
	}
	at := d.Pos()
	v := max(float32(d.Bits(cgameAlpha.Bits))/cgameAlphaUnit, cgameLeast)
	if d.Check(&cgameAlpha) {
		d.Tree().Add(&cgameAlpha, uint64(math.Float32bits(v)), at, d.Pos()-at)
	}
}

// read reads a place.
func (p *cgamePlaces) read(d *decode.Decoder) {
	place := &p.list[p.count]
	for i, axis := range cgameAxes {
		place.at[i] = d.Pos()
		u := d.Bits(cgameCoordBits)
		if !d.Check(axis) {
			return
		}
		v := float32(u&(1<<(cgameCoordBits-1)-1)) / cgameCoordUnit
		if u>>(cgameCoordBits-1) != 0 {
			v = -v
		}
		place.value[i], place.after[i] = v, d.Pos()
	}
	p.count++
}

// add shows the places that were read whole.
func (p *cgamePlaces) add(d *decode.Decoder) {
	tree := d.Tree()
	if tree == nil || p.count == 0 {
		return
	}
	tree.Open(&cgamePoints, 0)
	for i := range p.count {
		place := &p.list[i]
		tree.Open(&cgamePoint, 0)
		for n, axis := range cgameAxes {
			tree.Add(axis, uint64(math.Float32bits(place.value[n])), place.at[n], place.after[n]-place.at[n])
		}
		tree.Close(0)
	}
	tree.Close(0)
}
