package gamestudio

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// The sources of the types. The byte order of numbers follows from the manual's worked sample; its
// text mentions both.
const (
	typesSource  = "manual, prog_cserver, table of types"
	inferredType = "manual, prog_cserver: inferred from the worked sample"
)

// A kind is how an argument of a message is read and shown.
type kind uint8

const (
	kindNumber    kind = iota // Byte, Short or Long, by the field's width
	kindFloat                 // Float
	kindFixed                 // Fixed: 22.10 in four bytes
	kindFixed3                // three Fixed in a row, a list
	kindString                // String
	kindScale                 // Scale(x): one byte
	kindPosition              // three Position
	kindCPosition             // three CPosition, of the width of the dialect
	kindVelocity              // three Fixed, a vector
	kindAngle                 // Angle
	kindVar                   // a Short that counts Fixed, and these
	kindScale3                // three Short in quarters of a 22.10 number
	kindColor                 // three bytes whose order is undetermined
	kindFrame                 // Short, Scale(1), and in the late edition another Short
	kindFixedUV               // two Fixed
	kindShortUV               // two Short
	kindSync                  // a Long with the constant of the 2002 edition
)

// An argument is one of a message's values.
type argument struct {
	kind  kind
	field *dissect.Field
	scale int // x of Scale(x)
}

const (
	positionUnit = 128  // 1.0 as Position: 1024 / 8
	fixedUnit    = 1024 // 1.0 as Fixed
	turn         = 360.0 / 65535
)

// Parts of values.
var (
	valueX = dissect.Field{Key: "x", Kind: dissect.Float}
	valueY = dissect.Field{Key: "y", Kind: dissect.Float}
	valueZ = dissect.Field{Key: "z", Kind: dissect.Float}
	rawX   = dissect.Field{Key: "x", Kind: dissect.Int, Bits: 32, Source: typesSource, Doc: "x as sent: the value times 1024 if it is a 22.10 number"}
	rawY   = dissect.Field{Key: "y", Kind: dissect.Int, Bits: 32, Source: typesSource, Doc: "y as sent: the value times 1024 if it is a 22.10 number"}
	rawZ   = dissect.Field{Key: "z", Kind: dissect.Int, Bits: 32, Source: typesSource, Doc: "z as sent: the value times 1024 if it is a 22.10 number"}

	vector    = []*dissect.Field{&valueX, &valueY, &valueZ}
	rawVector = []*dissect.Field{&rawX, &rawY, &rawZ}

	fixedValue = dissect.Field{
		Key: "value", Kind: dissect.Float, Source: inferredType,
		Doc: "raw / 1024, rounded to a 32-bit float",
	}
	fixedRaw = dissect.Field{
		Key: "raw", Kind: dissect.Int, Bits: 32, Source: inferredType,
		Doc: "the integer as sent; later engines can send values other than 22.10 numbers in the same message",
	}
	fixedParts = []*dissect.Field{&fixedValue, &fixedRaw}

	scaleValue = dissect.Field{Key: "value", Kind: dissect.Float, Source: typesSource, Doc: "raw * N / 255, where N is the number in the type Scale(N)"}
	scaleRaw   = dissect.Field{Key: "raw", Kind: dissect.Uint, Bits: 8, Source: typesSource, Doc: "the byte as sent"}
	scaleParts = []*dissect.Field{&scaleValue, &scaleRaw}

	angleDegrees = dissect.Field{
		Key: "degrees", Kind: dissect.Float, Unit: "degrees", Source: typesSource,
		Doc: "raw * 360 / 65535, if the number is little-endian like all others",
	}
	angleRaw     = dissect.Field{Key: "raw", Kind: dissect.Int, Bits: 16, Source: typesSource, Doc: "the bytes as a little-endian number"}
	angleBytes   = dissect.Field{Key: "bytes", Kind: dissect.Hex, Bits: 16, Source: typesSource, Doc: "the two bytes as sent"}
	angleSwapped = dissect.Field{
		Key: "degrees_swapped", Kind: dissect.Float, Unit: "degrees", Source: "manual, prog_cserver, worked sample",
		Doc: "the same if the two bytes are big-endian and unsigned, as the manual's only sample has them; absent where " +
			"both orders read the same",
	}
	angleOrder = dissect.Field{
		Key: "angle_order", Kind: dissect.Label, Source: "manual, prog_cserver: text and sample contradict each other",
		Doc: "undetermined: no public statement or capture settles the byte order; absent where both orders read the same",
	}
	angleParts = []*dissect.Field{&angleDegrees, &angleRaw, &angleBytes, &angleSwapped, &angleOrder}

	fixedElement = dissect.Field{Kind: dissect.Object, Children: fixedParts}
)

// coordinates are the nodes of a vector's parts.
var (
	coordinates    = [3]*dissect.Field{&valueX, &valueY, &valueZ}
	rawCoordinates = [3]*dissect.Field{&rawX, &rawY, &rawZ}
)

// The functions below take all bytes of a value before they open its object, so that the bytes of a
// truncated value stay in the message's object.

// position reads coordinates of the given width in bytes: 3 (Position) or 4 (Fixed).
func (r *reader) position(f *dissect.Field, width, count int) {
	at := r.At
	b := r.Take(f, width*count)
	if b == nil || r.Tree == nil {
		return
	}
	unit := float32(positionUnit)
	if width == 4 {
		unit = fixedUnit
	}
	r.EnterAt(f, at)
	for i := range count {
		v := float32(cursor.Signed(cursor.Little(b[width*i:width*(i+1)]), width<<3))
		r.Tree.AddFloat(coordinates[i], v/unit, (at+width*i)<<3, width<<3)
	}
	r.Leave()
}

// exact adds the wire integers of the Fixed or Short vector just read: a float has too few bits for
// a large Fixed.
func (r *reader) exact(f *dissect.Field, width, count int) {
	if r.Tree == nil || r.Why() != nil {
		return
	}
	at := r.At - width*count
	r.EnterAt(f, at)
	for i := range count {
		place := at + width*i
		r.Tree.AddInt(rawCoordinates[i], cursor.Signed(cursor.Little(r.B[place:place+width]), width<<3), place<<3, width<<3)
	}
	r.Leave()
}

// fixed reads a Fixed into an object with its value and its wire integer.
func (r *reader) fixed(f *dissect.Field) {
	at := r.At
	if b := r.Take(f, 4); b != nil && r.Tree != nil {
		n := cursor.Signed(cursor.Little(b), 32)
		r.EnterAt(f, at)
		r.Tree.AddFloat(&fixedValue, float32(float64(n)/fixedUnit), at<<3, 32)
		r.Tree.AddInt(&fixedRaw, n, at<<3, 32)
		r.Leave()
	}
}

// scaled reads a Scale(x) into an object with its value and its byte.
func (r *reader) scaled(f *dissect.Field, x int) {
	at := r.At
	if b := r.Take(f, 1); b != nil {
		r.addScale(f, b[0], x, at)
	}
}

func (r *reader) addScale(f *dissect.Field, b byte, x, at int) {
	r.EnterAt(f, at)
	r.Tree.AddFloat(&scaleValue, float32(float64(b)*float64(x)/255), at<<3, 8)
	r.Tree.Add(&scaleRaw, uint64(b), at<<3, 8)
	r.Tree.Close((at + 1) << 3)
}

// angle reads an Angle. It reports whether the byte order matters.
func (r *reader) angle(f *dissect.Field) (matters bool) {
	at := r.At
	b := r.Take(f, 2)
	if b == nil {
		return false
	}
	matters = b[0] != b[1]
	low, high := int16(cursor.Little(b)), uint16(b[0])<<8|uint16(b[1])
	r.EnterAt(f, at)
	r.Tree.AddFloat(&angleDegrees, float32(float64(low)*turn), at<<3, 16)
	r.Tree.AddInt(&angleRaw, int64(low), at<<3, 16)
	r.Tree.AddBytes(&angleBytes, b, at<<3, 16)
	if matters {
		r.Tree.AddFloat(&angleSwapped, float32(float64(high)*turn), at<<3, 16)
		r.Tree.AddLabel(&angleOrder, "undetermined", at<<3, 0)
	}
	r.Leave()
	return matters
}
