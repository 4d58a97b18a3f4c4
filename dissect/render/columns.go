package render

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Columns describes how a Selector writes its columns, like tshark's -E for -T fields. The zero value is not
// useful; begin with FieldColumns or CSVColumns.
type Columns struct {
	Header     bool   // a first line with the names of the fields
	BOM        bool   // a byte order mark before everything
	Separator  string // between columns
	Quote      byte   // around every value; 0: none
	Occurrence byte   // of several values of a field: 'f' the first, 'l' the last, 'a' all
	Aggregator string // between all values of a field
	Guard      bool   // an apostrophe before cells that a spreadsheet would take for formulas
	Escape     bool   // control characters as \x19; without it they can reach a terminal

	csv bool // RFC 4180
}

// FieldColumns is -T fields: values of one line between tabs, no header.
func FieldColumns() Columns {
	return Columns{Separator: "\t", Occurrence: 'a', Aggregator: ",", Escape: true}
}

// CSVColumns is -T csv: RFC 4180 with a header.
func CSVColumns() Columns {
	return Columns{Header: true, Separator: ",", Occurrence: 'a', Aggregator: ",", Escape: true, csv: true}
}

// Set sets one value of -E: header=y|n, bom=y|n, separator=, (or /t, /s), quote=d|s|n, occurrence=f|l|a,
// aggregator=, (or /s), escape=y|n, formulas=keep|guard. Except for the last, names and values are those of
// tshark's man page.
func (c *Columns) Set(option string) error {
	name, value, _ := strings.Cut(option, "=")
	switch name {
	case "header":
		return setSwitch(&c.Header, option, value)
	case "bom":
		return setSwitch(&c.BOM, option, value)
	case "escape":
		return setSwitch(&c.Escape, option, value)
	case "separator":
		return setCharacter(&c.Separator, option, value)
	case "aggregator":
		return setCharacter(&c.Aggregator, option, value)
	case "occurrence":
		if value != "f" && value != "l" && value != "a" {
			return fmt.Errorf("-E %s: want f, l or a", option)
		}
		c.Occurrence = value[0]
		return nil
	case "formulas":
		if value != "keep" && value != "guard" {
			return fmt.Errorf("-E %s: want keep or guard", option)
		}
		c.Guard = value == "guard"
		return nil
	case "quote":
		switch value {
		case "d":
			c.Quote = '"'
		case "s":
			c.Quote = '\''
		case "n":
			c.Quote = 0
		default:
			return fmt.Errorf("-E %s: want d, s or n", option)
		}
		return nil
	}
	return fmt.Errorf("-E %s: want header, separator, quote, occurrence, aggregator, escape, formulas or bom", option)
}

func setSwitch(to *bool, option, value string) error {
	if value != "y" && value != "n" {
		return fmt.Errorf("-E %s: want y or n", option)
	}
	*to = value == "y"
	return nil
}

func setCharacter(to *string, option, value string) error {
	switch {
	case value == "/t":
		value = "\t"
	case value == "/s":
		value = " "
	case value == "":
		return fmt.Errorf("-E %s: want a character, /t or /s", option)
	}
	*to = value
	return nil
}

// AppendRow appends texts as a line of cells, with a line feed.
func (c *Columns) AppendRow(dst []byte, cells []string) []byte {
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, c.Separator...)
		}
		from := len(dst)
		if c.Escape {
			dst = wiretext.AppendVisible(dst, []byte(cell))
		} else {
			dst = append(dst, cell...)
		}
		dst = c.close(dst, from)
	}
	return append(dst, '\n')
}

// endLine is the end of a line.
func (c *Columns) endLine() string {
	if c.csv {
		return "\r\n"
	}
	return "\n"
}

// close finishes the column in dst from index from on: guards and quotes it.
func (c *Columns) close(dst []byte, from int) []byte {
	if c.Guard && isFormula(dst[from:]) {
		dst = append(dst, 0)
		copy(dst[from+1:], dst[from:])
		dst[from] = '\''
	}
	quote := c.Quote
	if c.csv {
		quote = 0
		if c.Quote != 0 || c.needsQuotes(dst[from:]) {
			quote = '"'
		}
	}
	if quote == 0 {
		return dst
	}
	end := len(dst)
	dst = append(dst, quote)
	for i := from; i < end; i++ {
		if dst[i] == quote {
			dst = append(dst, quote)
		}
		dst = append(dst, dst[i])
	}
	dst = append(dst, quote)
	return dst[:from+copy(dst[from:], dst[end:])]
}

// isFormula reports whether a spreadsheet would evaluate a cell: it begins with one of = + - @, a tab or a
// carriage return and is not just a number. OWASP, CSV Injection.
func isFormula(b []byte) bool {
	if len(b) == 0 || bytes.IndexByte([]byte("=+-@\t\r"), b[0]) < 0 {
		return false
	}
	_, err := strconv.ParseFloat(string(b), 64)
	return err != nil
}

// needsQuotes reports whether CSV has to quote a value: RFC 4180, section 2, and blanks at the ends, which many
// readers drop.
func (c *Columns) needsQuotes(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if b[0] == ' ' || b[len(b)-1] == ' ' {
		return true
	}
	for _, x := range b {
		if x == '"' || x == '\r' || x == '\n' {
			return true
		}
	}
	return bytes.Contains(b, []byte(c.Separator))
}
