package dissect

// A Kind is the type of a field's value, which determines how every view writes it.
type Kind uint8

// The kinds. Containers have children; all others are leaves.
const (
	Object  Kind = iota // container: children under their own keys
	List                // container: a JSON array, every element described by the only child
	Choices             // container: a JSON array of single-key objects, one of the children each
	Sparse              // container: an object with decimal keys, elements described by the only child
	Bool                // true or false
	Uint                // unsigned number of up to 64 bits
	Int                 // signed number of up to 64 bits
	Float               // IEEE 754 single precision
	Text                // bytes of the wire that are meant as text
	Label               // text that the dissector chose; always valid UTF-8
	Hex                 // bytes, written as lower-case hexadecimal
	Info                // an infostring, \key\value\key\value, as on the wire; children describe known keys
)

var kindNames = [...]string{
	"object", "list", "choices", "sparse", "bool", "uint", "int", "float", "text", "label", "hex", "info",
}

// String returns the name that --list-fields prints.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Container reports whether nodes of the kind have children.
func (k Kind) Container() bool { return k <= Sparse }

// Number reports whether the kind is Uint or Int.
func (k Kind) Number() bool { return k == Uint || k == Int }

// bytes reports whether the value is bytes in the tree's buffer.
func (k Kind) bytes() bool { return k >= Text }

// A Scope is what the bit positions of a field count from.
type Scope uint8

// The scopes. A field without one has its parent's.
const (
	Inherit  Scope = iota
	Datagram       // the UDP payload as it was captured
	Message        // the reassembled, deciphered message
)

// String returns the word for the scope of positions in JSON.
func (s Scope) String() string {
	if s == Message {
		return "message"
	}
	return "datagram"
}

// UnitTurn16 is the Unit of angles in 65536ths of a circle. Views show them in degrees too.
const UnitTurn16 = "1/65536 turn"

// A Field describes one field of a protocol, once. Filters, schema, field lists, tables and the
// documents all read it; decoders pass its address, so nothing is built or allocated per value.
//
// Fields are package-level values and never change after initialisation. Two fields may share a
// parent and a key when they differ only in Enum: the views treat them as one.
type Field struct {
	Key      string   // output key, snake_case; empty for the element of a List
	Name     string   // the engine's own spelling; empty: the same as Key
	Kind     Kind     //
	Bits     int      // width on the wire in bits; 0 where it varies
	Enum     *Enum    // names of the value, or of the indices for a Sparse; may be nil
	Unit     string   // unit of the value, for people
	Doc      string   // what it means, one sentence
	Source   string   // where that is documented: file and function, or document and section
	Scope    Scope    // what positions count from, inherited by the children
	Aside    bool     // the value of another field under a name or in words; views without names leave it out
	Secret   bool     // a password or key: views mask the value, records show it
	Children []*Field // of a container, in output order
	Frame    []*Field // of a container: what frames its fields; in trees only with Tree.Framing
	Framing  Framing  // of a field in a Frame, and of the leaves of a container in it
}

// EngineName returns the spelling in the game's own sources.
func (f *Field) EngineName() string {
	if f.Name != "" {
		return f.Name
	}
	return f.Key
}

// An Enum maps numbers to names.
//
// Games of one family number things differently, so an Enum has one table for each family; the conversation
// determines which one applies (Tree.Family). A missing table means that the names are not known.
type Enum struct {
	Mask   bool       // the value is a set of bits, each with a name of its own (table index: bit number)
	Ignore uint64     // bits that do not belong to the number, cleared before the look-up
	First  int64      // number of the first entry of the tables, mostly 0
	Tables [][]string // by family, then by value from First on; "" where there is no name

	// Make makes large tables when the first of their names is asked for, in place of Tables: a sync.OnceValue.
	Make func() [][]string
}

// All returns the tables.
func (e *Enum) All() [][]string {
	if e.Make != nil {
		return e.Make()
	}
	return e.Tables
}

// Name returns the name of v in a family, or "". A negative number is passed as its two's complement.
func (e *Enum) Name(family uint8, v uint64) string {
	tables := e.All()
	if int(family) >= len(tables) {
		return ""
	}
	t := tables[family]
	if v = v&^e.Ignore - uint64(e.First); v < uint64(len(t)) {
		return t[v]
	}
	return ""
}

// BitName returns the name of a bit of a Mask, numbered from 0, as records show it: "0x400" if it has none.
func (e *Enum) BitName(family uint8, bit int) string {
	if e.Known(family) {
		if t := e.All()[family]; bit < len(t) && t[bit] != "" {
			return t[bit]
		}
	}
	return unnamedBits[bit&3][:len("0x1")+bit/4]
}

// unnamedBits are the longest names of bits without one, of the four in a hexadecimal digit.
var unnamedBits = [4]string{"0x1000000000000000", "0x2000000000000000", "0x4000000000000000", "0x8000000000000000"}

// Known reports whether the family has a table at all.
func (e *Enum) Known(family uint8) bool {
	tables := e.All()
	return int(family) < len(tables) && tables[family] != nil
}

// Undecoded holds the bytes from a fault on. It is a child of every object that can be left incomplete.
var Undecoded = Field{
	Key: "undecoded", Kind: Hex,
	Doc: "bytes from the one that holds the fault to the end, not decoded; the expert entry has the reason",
}
