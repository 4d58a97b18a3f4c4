package hexdump

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// read returns the dumps of a text as hex, with their time, and the error.
func read(text string) (dumps []string, err error) {
	r := NewReader(iotest.OneByteReader(strings.NewReader(text)))
	for {
		d, err := r.Next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return dumps, err
		}
		s := hex.EncodeToString(d.Data)
		if d.HasTime {
			s += fmt.Sprintf(" at %d", d.Time)
		}
		dumps = append(dumps, s)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"digits", "ffffffff67657473\n", []string{"ffffffff67657473"}},
		{"no line feed", "FFfF", []string{"ffff"}},
		{"blanks", " ff ff\tff ff \r\n", []string{"ffffffff"}},
		{"groups", "ffff ff 67657473", []string{"ffffff67657473"}},
		{"languages", `0xff, 0xFE,\x01\x02:03`, []string{"fffe010203"}},
		{"several lines", "ffff\n0001\n", []string{"ffff0001"}},
		{"an empty line", "ffff\n\n \n0001\n\n", []string{"ffff", "0001"}},
		{"comments", "# said\nffff\n# more\n0001\n", []string{"ffff0001"}},
		{"a row", "0000 ff fe", []string{"fffe"}},
		{"indented", "  000  ff fe\n  002  01", []string{"fffe01"}},
		{"text of a row", "0000   ff fe   ab cd\n0002   01   ef", []string{"fffe01"}},
		{"text in marks", "00000000  ff fe  01  |ab c|\n00000003\n", []string{"fffe01"}},
		{"od's text", "000000 ff fe  >ab<\n000002\n", []string{"fffe"}},
		{"colon", "00000000: fffe 01  ab cd\n00000003: 02       ef\n", []string{"fffe0102"}},
		{"0x", "\t0x0000:  4500 00\tab\n\t0x0003:  01\n", []string{"45000001"}},
		{"two dumps", "0000 ff\n0001 fe\n0000 01\n", []string{"fffe", "01"}},
		{"listed", "    1  1.5 a\n0000 ff\n  100  2.5 a → b\n0000 01\n", []string{"ff", "01"}},
		{"an end twice", "0000 ff\n0001\n0000 fe\n0001\n", []string{"ff", "fe"}},
		{"octal", "0000000 00 01 02 03 04 05 06 07\n0000010 08\n0000011\n", []string{"000102030405060708"}},
		{"decimal", "0000000 00 01 02 03 04 05 06 07 08 09\n0000010 0a\n", []string{"000102030405060708090a"}},
		{"repeated", "000000 01 02\n*\n000006 03\n000007\n", []string{"01020102010203"}},
		{"repeated to the end", "00000000: 0000\n*\n00000004: 0000\n", []string{"000000000000"}},
		{"time", "1795245221.050692 IP a > b\n\t0x0000:  01\n1795245221.5 IP\n1795245222.000000001 IP\n\t0x0000:  02\n0x0000: 03", []string{
			"01 at 1795245221050692000", "02 at 1795245222000000001", "03",
		}},
		{"lines between", "Packet:\n00000000: 01\nand\n00000001: 02\n", []string{"0102"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if !Sniff([]byte(test.text)) {
				t.Error("it is not found to be a dump")
			}
			got, err := read(test.text)
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text, want string
		dumps, offset    int
	}{
		{"odd", "ffff fff\n", "line 1, column 6: an odd number of digits: a byte has two", 0, 0},
		{"no digit", "ffff\n\nff zz\n", "line 3, column 4: 'z' is not a hexadecimal digit", 1, 6},
		{"glued", "ffff 01020304 05060708090a z 0b", "line 1, column 28: 'z' is not a hexadecimal digit", 0, 0},
		{"no first row", "said\n\t0x0010:  4500\n", "line 2: the first row is missing: its offset is 0", 0, 5},
		{"no first row of pairs", "0010  45 00\n", "line 1: the first row is missing: its offset is 0", 0, 0},
		{"a row is missing", "0000 ff\n0002 ff\n", "line 2, column 1: offset 0002 where 1 was expected: rows are missing", 0, 8},
		{"the second row is missing", "0000 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n0020 10\n", "line 2, column 1: offset 0020 where 10 was expected: rows are missing", 0, 53},
		{"a later dump", "0000: ff\n0000: ff\n0011: ff\n", "line 3, column 1: offset 0011 where 1 was expected: rows are missing", 1, 18},
		{"octal", "0000000 00 01 02 03 04 05 06 07\n0000010 01\n0000012 03\n", "line 3, column 1: offset 0000012 where 11 was expected: rows are missing", 0, 43},
		{"a bad byte of a row", "0000 ff\n0001 f\n", "line 2, column 6: an odd number of digits: a byte has two", 0, 8},
		{"a bad group", "00000000: ffff\n00000002: ffxf\n", "line 2, column 13: 'x' is not a hexadecimal digit", 0, 15},
		{"a group in a row", "0000 ff\n0001 ffff\n", "line 2, column 6: 4 digits where a byte of two was expected", 0, 8},
		{"words", "0000000 ffff 6567\n", "line 1: numbers of several bytes, whose order cannot be told: use hexdump -C, xxd or od -Ax -tx1", 0, 0},
		{"a wrong end", "0000 ff\n0002\n", "line 2, column 1: offset 0002 where 1 was expected: rows are missing", 0, 8},
		{"repeated, no end", "0000 ff\n*\n", "line 3: no offset says how often the row before is repeated", 0, 10},
		{"repeated, new dump", "0000 ff\n*\n0000 fe\n", "line 3: no offset says how often the row before is repeated", 0, 10},
		{"repeated, odd end", "0000 ff fe\n*\n0005\n", "line 3, column 1: offset 0005 where 2 was expected: rows are missing", 0, 13},
		{"repeated, a huge end", "0000 ff fe\n*\n7ffffffe\n", "line 3, column 1: offset 7ffffffe where 2 was expected: rows are missing", 0, 13},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dumps, err := read(test.text)
			var fault *Error
			if !errors.As(err, &fault) || err.Error() != test.want || len(dumps) != test.dumps ||
				fault.Offset != int64(test.offset) {
				t.Errorf("%d dumps, %v (byte %+v); want %d, %s (byte %d)", len(dumps), err, fault, test.dumps,
					test.want, test.offset)
			}
		})
	}
	if _, err := read(strings.Repeat("ff ", maxDump+1)); err == nil ||
		!strings.Contains(err.Error(), "more than 262144 bytes") {
		t.Errorf("too long: %v", err)
	}
	if _, err := read("ff" + strings.Repeat(" ", maxLine)); err == nil ||
		!strings.Contains(err.Error(), "line 1: longer") {
		t.Errorf("too long a line: %v", err)
	}
	broken := errors.New("broken")
	if _, err := NewReader(iotest.ErrReader(broken)).Next(); err != broken {
		t.Errorf("a fault of the input: %v", err)
	}
}

// What is no dump is not taken for one.
func TestSniff(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "\n\n", "ff", "abc def ghi", "text\nffff", "ffff\x00", "d41d8cd98f00b204e9800998ecf8427e  file", "12:30 Hello",
		"0000 ff fg", "# 0000 ff", "{\"frame\":1}",
	} {
		if Sniff([]byte(text)) {
			t.Errorf("%q is found to be a dump", text)
		}
	}
}

// FuzzRead reads any text: what is found does not depend on how the input comes, errors have a place, and bytes that
// are printed again in another style are the same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"ffff\n\n0x01 \\x02", "0000 ff fe   a\n*\n0004 01\n0000 02",
		"1795245221.050692 IP\n\t0x0000:  4500  E.\n\t0x0002:  00\n", "0000000 ffff 6567",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dumps, err := read(text)
		var fault *Error
		if err != nil && (!errors.As(err, &fault) || fault.Line < 1 || fault.Offset < 0 || fault.Offset > int64(len(text))) {
			t.Fatalf("%v", err)
		}
		var again strings.Builder
		for _, d := range dumps {
			d, _, _ = strings.Cut(d, " ")
			b, err := hex.DecodeString(d)
			if err != nil || len(b) == 0 {
				t.Fatalf("%q: %v", d, err)
			}
			for at := 0; at < len(b); at += 16 {
				fmt.Fprintf(&again, "%06x: %x  text\n", at, b[at:min(at+16, len(b))])
			}
		}
		got, err := read(again.String())
		for i := range dumps {
			dumps[i], _, _ = strings.Cut(dumps[i], " ")
		}
		if diff := cmp.Diff(dumps, got); diff != "" || err != nil {
			t.Errorf("printed again (-first +second): %v\n%s", err, diff)
		}
	})
}
