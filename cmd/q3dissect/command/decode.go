package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/piece"
	"github.com/q3dissect/q3dissect/dissect/render"
)

const decodeHelp = `q3dissect decode reads one piece by itself: a message, a chunk, a datagram.

  q3dissect decode --list
  q3dissect decode --as teeworlds.chunk 40 06 0c 08 00 40 00 91 3b
  q3dissect decode --as quake3.server_message --protocol 71 --json < hex.txt
  q3dissect decode --as huffman.quake3 --pack '"hello"'

Bytes are hexadecimal with any separators, a hex dump, a string of C with its
escapes, or base64; - or none reads them from standard input.
`

// decodeFlags are the flags of the verb decode.
type decodeFlags struct {
	list, json, noNames, framing, pack bool

	kind, protocol, from, key, command string
	sequence                           uint32
}

// newDecodeCommand makes the verb decode.
func newDecodeCommand(p *program) *cobra.Command {
	d := &decodeFlags{}
	cmd := &cobra.Command{
		Use:         "decode --as KIND [BYTES|-]",
		Short:       "one piece by itself, from hexadecimal digits",
		Long:        decodeHelp,
		Annotations: map[string]string{help.Rare: "", readsNothing: ""},
		RunE:        func(_ *cobra.Command, args []string) error { return p.decode(d, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&d.kind, "as", "", "`KIND` of the piece")
	f.BoolVar(&d.list, "list", false, "print the kinds")
	f.BoolVar(&d.json, "json", false, "a JSON record with the positions of its fields")
	f.BoolVar(&d.framing, "framing", false, "what frames the fields too, so that every bit has a name")
	f.BoolVar(&d.noNames, "no-names", false, "JSON without the names of numbers")
	f.StringVar(&d.protocol, "protocol", "", "`N`: the version: 68, 0.7")
	f.StringVar(&d.from, "from", "server", "`server|client` that sent it")
	f.StringVar(&d.key, "key", "", "`N`: the challenge of an enciphered message; of a usercmd the key of its values")
	f.Uint32Var(&d.sequence, "sequence", 0, "`N`: --key: number of the message")
	f.StringVar(&d.command, "command", "", "`TEXT`: --key: the reliable command that the message acknowledges")
	f.BoolVar(&d.pack, "pack", false, "huffman: pack the bytes instead of unpacking them")
	help.MarkMain(f, "as", "list", "json", "protocol", "from", "key")
	return cmd
}

// decode runs the verb.
func (p *program) decode(d *decodeFlags, args []string) error {
	if d.list {
		if len(args) > 0 || d.kind != "" {
			return exit.Usagef("--list prints the kinds, and decodes nothing")
		}
		return p.Print(p.pieceList(d.json))
	}
	if d.kind == "" {
		return exit.Usagef("--as KIND is missing: q3dissect decode --list prints the kinds")
	}
	code, kind := piece.FindCode(d.kind), piece.Find(p.protocols, d.kind)
	if code == nil && kind == nil {
		return exit.Usagef("--as %s: %s", d.kind, piece.Choices(p.protocols, d.kind))
	}
	if d.pack && code == nil {
		return exit.Usagef("--pack is for the Huffman codes, and %s is none", d.kind)
	}
	var o dissect.PieceOptions
	if kind != nil {
		var err error
		if o, err = d.options(kind); err != nil {
			return err
		}
	}
	text, err := p.pieceText(args)
	if err != nil {
		return err
	}
	data, err := piece.Parse(text)
	if err != nil {
		return exit.Usagef("%s: %v", d.kind, err)
	}
	if code != nil {
		return p.decodeCode(d, code, data)
	}
	return p.decodePiece(d, kind, data, o)
}

// options checks the flags about the piece.
func (d *decodeFlags) options(kind *piece.Kind) (o dissect.PieceOptions, err error) {
	if o.Version = d.protocol; d.protocol != "" && !slices.Contains(kind.Versions, d.protocol) {
		if len(kind.Versions) == 0 {
			return o, exit.Usagef("--protocol %s: %s shows its version by itself", d.protocol, d.kind)
		}
		return o, exit.Usagef("--protocol %s: %s has %s", d.protocol, d.kind, strings.Join(kind.Versions, ", "))
	}
	switch d.from {
	case "server":
		o.Direction = dissect.ServerToClient
	case "client":
		o.Direction = dissect.ClientToServer
	default:
		return o, exit.Usagef("--from %s: server or client", d.from)
	}
	switch {
	case d.key == "" && (d.sequence != 0 || d.command != ""):
		return o, exit.Usagef("--sequence and --command belong to --key")
	case d.key == "":
		return o, nil
	case !kind.Keyed:
		return o, exit.Usagef("--key: %s is not enciphered", d.kind)
	}
	n, err := strconv.ParseInt(d.key, 0, 64)
	if err != nil || n != int64(int32(n)) && n != int64(uint32(n)) {
		return o, exit.Usagef("--key %s: a number of 32 bits", d.key)
	}
	o.Key = &dissect.PieceKey{Number: int32(n), Sequence: d.sequence, Command: []byte(d.command)}
	return o, nil
}

// pieceText returns the arguments, or standard input.
func (p *program) pieceText(args []string) (string, error) {
	if len(args) > 0 && (len(args) > 1 || args[0] != input.Standard) {
		return strings.Join(args, " "), nil
	}
	if len(args) == 0 && terminal.Is(p.Stdin) {
		return "", exit.Usagef("no bytes: name them, or give them on standard input")
	}
	b, err := io.ReadAll(io.LimitReader(p.Stdin, piece.MaxText+1))
	if err != nil {
		return "", &exit.Error{Status: exit.Unreadable, Text: "standard input: " + exit.Reason(err)}
	}
	return string(b), nil
}

// decodePiece prints a piece as a table or as JSON.
func (p *program) decodePiece(d *decodeFlags, kind *piece.Kind, data []byte, o dissect.PieceOptions) error {
	o.Framing = d.framing
	rec := kind.Decode(data, o)
	if d.framing {
		rec.Tree.Separate()
	}
	var out []byte
	if d.json {
		out = render.AppendJSON(nil, rec, render.JSON{NoNames: d.noNames, Bits: true})
	} else {
		t := render.Table{Width: terminal.Width(p.Stdout)}
		out = t.Append(nil, rec)
	}
	if err := p.Print(out); err != nil {
		return err
	}
	for _, e := range rec.Experts {
		if e.Severity == dissect.Fault || slices.Contains(leftOver, e.Code) {
			return p.pieceFault(e.BitOffset, e.Message)
		}
	}
	return nil
}

// leftOver are the codes of entries about bytes after the end of what was read: a piece has none.
var leftOver = []string{"ignored_bytes", "trailing_bytes"}

// pieceFault is the error of a piece that cannot be read to its end. What precedes the fault was printed.
func (p *program) pieceFault(bit int, reason string) error {
	return &exit.Error{Status: exit.BrokenOff, Text: fmt.Sprintf("byte %d bit %d: %s", bit>>3, bit&7, reason)}
}

// decodeCode prints a block of a Huffman code, or makes one.
func (p *program) decodeCode(d *decodeFlags, code *piece.Code, data []byte) error {
	if d.pack {
		packed, err := code.Pack(data)
		if err != nil {
			return exit.Usagef("%v", err)
		}
		return p.Print(fmt.Appendf(nil, "% x\n", packed))
	}
	u, fault := code.Unpack(data)
	out := fmt.Appendf(nil, "%d bits, %d bytes: %q\n% x\n", u.Used, len(u.Data), u.Data, u.Data)
	switch {
	case d.json:
		out = appendUnpacked(code.Name, data, &u)
	case len(u.Symbols) > 0:
		sheet := table.Of(u.Symbols, []table.ColumnOf[piece.Symbol]{
			{Column: table.Column{Name: "At"}, Cell: func(s *piece.Symbol) string { return fmt.Sprintf("%d.%d", s.Bit>>3, s.Bit&7) }},
			{Column: table.Column{Name: "Bits", Right: true}, Cell: func(s *piece.Symbol) string { return strconv.Itoa(s.Bits) }},
			{Column: table.Column{Name: "Code"}, Cell: func(s *piece.Symbol) string { return codeOf(data, s) }},
			{Column: table.Column{Name: "Byte"}, Cell: func(s *piece.Symbol) string { return fmt.Sprintf("%02x", s.Value) }},
			{Column: table.Column{Name: "Character"}, Cell: func(s *piece.Symbol) string { return strconv.QuoteRune(rune(s.Value)) }},
		})
		out = append(sheet.AppendText(nil, table.Style{Width: terminal.Width(p.Stdout)}), out...)
	}
	if err := p.Print(out); err != nil {
		return err
	}
	if fault != nil {
		return p.pieceFault(u.Used, fault.Error())
	}
	return nil
}

// codeOf returns the bits of a symbol as they travel, the first on the left.
func codeOf(data []byte, s *piece.Symbol) string {
	var bits []byte
	for at := s.Bit; at < s.Bit+s.Bits; at++ {
		bits = append(bits, '0'+data[at>>3]>>(at&7)&1)
	}
	return string(bits)
}

// appendUnpacked makes the JSON of a block.
func appendUnpacked(kind string, src []byte, u *piece.Unpacked) []byte {
	type symbol struct {
		Bit   int    `json:"bit_offset"`
		Bits  int    `json:"bit_length"`
		Code  string `json:"code"`
		Value byte   `json:"value"`
	}
	line := struct {
		Kind    string   `json:"kind"`
		Length  int      `json:"length"`
		Bits    int      `json:"bits"`
		Data    string   `json:"data"`
		Symbols []symbol `json:"symbols"`
	}{Kind: kind, Length: len(src), Bits: u.Used, Data: fmt.Sprintf("%x", u.Data), Symbols: []symbol{}}
	for i := range u.Symbols {
		s := &u.Symbols[i]
		line.Symbols = append(line.Symbols, symbol{s.Bit, s.Bits, codeOf(src, s), s.Value})
	}
	out, err := json.Marshal(line)
	if err != nil {
		panic(err) // made of numbers and ASCII
	}
	return append(out, '\n')
}

// pieceList is decode --list.
func (p *program) pieceList(asJSON bool) []byte {
	type row struct {
		Kind     string   `json:"kind"`
		Doc      string   `json:"doc"`
		Versions []string `json:"protocols,omitempty"`
	}
	var rows []row
	for _, k := range piece.Kinds(p.protocols) {
		rows = append(rows, row{k.Name, k.Doc, k.Versions})
	}
	for i := range piece.Codes {
		rows = append(rows, row{Kind: piece.Codes[i].Name, Doc: piece.Codes[i].Doc})
	}
	if asJSON {
		var out []byte
		for _, r := range rows {
			line, err := json.Marshal(r)
			if err != nil {
				panic(err) // made of texts of the program
			}
			out = append(append(out, line...), '\n')
		}
		return out
	}
	sheet := table.Of(rows, []table.ColumnOf[row]{
		{Column: table.Column{Name: "Kind"}, Cell: func(r *row) string { return r.Kind }},
		{Column: table.Column{Name: "What it is", Words: true}, Cell: func(r *row) string { return r.Doc }},
		{Column: table.Column{Name: "--protocol", Words: true}, Cell: func(r *row) string { return strings.Join(r.Versions, " ") }},
	})
	return sheet.AppendText(nil, table.Style{Width: terminal.Width(p.Stdout)})
}
