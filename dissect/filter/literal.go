package filter

import (
	"encoding/hex"
	"fmt"
	"math"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/fieldpath"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
)

// A term is the other side of an operator: it determines the type of constants.
type term struct {
	kind  kind
	ref   *reference // nil for a function and the like
	words []string   // all possible values of a text, if they are few
	unit  string
	named bool // numbers may be given by name
}

// likelyDate is the least time that is taken for one of a packet, three years after 1970.
const likelyDate = int64(1e17)

// constantFor reads a constant of a term's kind. The result is a literal, or the name of a number.
func (b *builder) constantFor(e expr, t *term) (l *literal, name string, err *Error) {
	s, quoted, err := b.spelling(e)
	if err != nil {
		return nil, "", err
	}
	var message string
	switch t.kind {
	case number:
		l, name, message = numberFor(e, s, quoted, t)
	case boolean:
		l, message = booleanFor(s, quoted)
	case textual:
		l, message = b.textFor(s, quoted, t)
	case binary:
		l, message = bytesFor(s, quoted)
	case address:
		l, message = addressFor(s)
	case timestamp:
		l, message = timeFor(s)
		if _, err := strconv.ParseFloat(s, 64); err == nil && message == "" && l.i < likelyDate {
			b.notes = append(b.notes, "time counts from 1970, and "+s+" s after it was no packet: the time since the first "+
				"packet is time_relative")
		}
	case rank:
		l, message = rankFor(s, t)
	default:
		message = "an object has no value to compare with; name a field in it"
	}
	if message == "" {
		return l, name, nil
	}
	if w, ok := e.(*word); ok && !quoted && fieldLike(s) {
		if unknown := b.unknownField(w); unknown != "" {
			message = unknown
		}
	}
	return nil, "", b.fail(e, "%s", message)
}

// spelling returns the text of a constant.
func (b *builder) spelling(e expr) (s string, quoted bool, err *Error) {
	switch e := e.(type) {
	case *word:
		return e.text, false, nil
	case *text:
		return e.text, true, nil
	}
	return "", false, b.fail(e, "a constant is expected here")
}

// fieldLike reports whether a word can only be meant as a field.
func fieldLike(s string) bool {
	return strings.Contains(s, ".") && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.*") == "" && !digit(s[0])
}

// numberFor reads a number, a duration if the unit is one of time, or a name.
func numberFor(e expr, s string, quoted bool, t *term) (l *literal, name, message string) {
	if quoted {
		if c, ok := e.(*text); ok && c.char {
			return integerLiteral(int64(c.text[0])), "", ""
		}
		if t.named {
			return nil, s, nameProblem(s, t)
		}
		return nil, "", fmt.Sprintf("%q is text, and a number is expected here", s)
	}
	if l, ok := parseNumber(s); ok {
		return l, "", ""
	}
	if d, ok := parseDuration(s); ok {
		scale, ok := map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond}[t.unit]
		if !ok {
			return nil, "", s + " is a duration, and this is not a number of seconds or milliseconds"
		}
		l, ok := parseNumber(strconv.FormatFloat(float64(d)/float64(scale), 'f', -1, 64))
		if ok {
			return l, "", ""
		}
	}
	if t.named {
		return nil, s, nameProblem(s, t)
	}
	return nil, "", s + " is not a number"
}

// parseDuration reads a duration such as 1m30s, or 20:00 and 1:02:03 as lists of matches print it.
func parseDuration(s string) (time.Duration, bool) {
	parts := strings.Split(s, ":")
	if len(parts) == 1 {
		d, err := time.ParseDuration(s)
		return d, err == nil
	}
	var seconds uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || len(parts) > 3 || i > 0 && (len(part) != 2 || n > 59) {
			return 0, false
		}
		seconds = seconds*60 + n
	}
	return time.Duration(seconds) * time.Second, seconds < math.MaxInt64/uint64(time.Second)
}

// nameProblem returns the reason why no value of a field has a name, or "".
func nameProblem(name string, t *term) string {
	var names []string
	for _, f := range t.ref.Fields {
		f = fieldpath.Innermost(f)
		if f.Enum == nil {
			continue
		}
		for _, table := range f.Enum.All() {
			if name != "" && slices.Contains(table, name) {
				return ""
			}
			names = append(names, table...)
		}
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	message := fmt.Sprintf("no value of %s is called %s", t.ref.path, quoteIfOdd(name))
	if best := suggest.Word(name, slices.Values(names)); best != "" {
		return message + "; did you mean " + best + "?"
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) <= 12 && len(names) > 0 {
		return message + "; there are " + strings.Join(names, ", ")
	}
	return message
}

func quoteIfOdd(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-") == "" && s != "" {
		return s
	}
	return strconv.Quote(s)
}

func integerLiteral(i int64) *literal {
	l, _ := parseNumber(strconv.FormatInt(i, 10))
	return l
}

// parseNumber reads a number as C writes it, with 0b for binary ones as well, or inf, -inf or nan.
func parseNumber(s string) (*literal, bool) {
	l := new(literal)
	digits, negative := strings.CutPrefix(s, "-")
	switch {
	case digits == "inf":
		l.setFloat(math.Inf(1))
	case digits == "nan" && !negative:
		l.isNaN = true
		l.setFloat(math.NaN())
	case digits == "" || !digit(digits[0]) && digits[0] != '.':
		return nil, false
	default:
		if u, err := strconv.ParseUint(digits, 0, 64); err == nil && !strings.Contains(digits, "_") {
			l.setUint(u)
			if negative && l.kind == isUint {
				l.setFloat(float64(u))
			}
		} else if f, err := strconv.ParseFloat(digits, 64); err == nil && !strings.ContainsAny(digits, "xXpP_") {
			l.setFloat(f)
			l.setNano(digits, negative)
		} else {
			return nil, false
		}
	}
	if negative {
		l.i, l.f = -l.i, -l.f
	}
	l.complete()
	return l, true
}

// setNano stores a decimal as billionths.
func (l *literal) setNano(digits string, negative bool) {
	whole, fraction, _ := strings.Cut(digits, ".")
	if strings.ContainsAny(digits, "eE") {
		return
	}
	more := strings.Trim(fraction[min(9, len(fraction)):], "0") != ""
	fraction = (fraction + "000000000")[:9]
	n, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil {
		return
	}
	if negative {
		if n = -n; more {
			n--
		}
	}
	l.nano, l.moreNano, l.hasNano = n, more, true
}

// complete prepares the values for comparisons with floats and times.
func (l *literal) complete() {
	f := l.float()
	single := float32(f)
	l.single = float64(single)
	shown := value{kind: isFloat32, f: l.single}
	switch d := shown.float(); {
	case d < f:
		l.beside = -1
	case d > f:
		l.beside = 1
	}
	if l.kind == isInt && l.i > -1<<33 && l.i < 1<<33 {
		l.nano, l.hasNano = l.i*1e9, true
	}
}

func booleanFor(s string, quoted bool) (*literal, string) {
	l := new(literal)
	l.kind = isBool
	switch strings.ToLower(s) {
	case "true", "1":
		l.i = 1
	case "false", "0":
	default:
		return nil, quoteIfOdd(s) + " is neither true nor false"
	}
	if quoted {
		return nil, fmt.Sprintf("%q is text; true and false stand without quotes", s)
	}
	return l, ""
}

func (b *builder) textFor(s string, quoted bool, t *term) (*literal, string) {
	if t.words != nil && !slices.Contains(t.words, s) {
		message := fmt.Sprintf("%s is never %s", t.ref.path, quoteIfOdd(s))
		if slices.Contains(t.ref.Fields, &dissect.EventKind) {
			switch field := b.longer(s); {
			case b.eventKind(s) != "":
				return nil, message + "; did you mean " + strings.TrimSuffix(strings.ToLower(s), "s") + "?"
			case field != "":
				return nil, message + "; did you mean the field " + field + "?"
			}
		}
		if best := suggest.Word(s, slices.Values(t.words)); best != "" {
			return nil, message + "; did you mean " + best + "?"
		}
		return nil, message + "; it is " + strings.Join(t.words, ", ")
	}
	if !quoted && fieldLike(s) {
		if _, err := netip.ParseAddr(s); err != nil {
			return nil, fmt.Sprintf("%s is neither a field nor in quotes, as text is", s)
		}
	}
	l := new(literal)
	l.setString(s)
	return l, ""
}

// bytesFor reads bytes: hexadecimal with or without : - and . between them, or a text in quotes.
func bytesFor(s string, quoted bool) (*literal, string) {
	l := new(literal)
	l.kind = isBytes
	if quoted {
		if _, err := hex.DecodeString(s); err == nil && s != "" {
			return nil, fmt.Sprintf("%q would be the characters; without quotes it is the bytes", s)
		}
		l.b = []byte(s)
		return l, ""
	}
	plain := strings.NewReplacer(":", "", "-", "", ".", "").Replace(s)
	data, err := hex.DecodeString(plain)
	if err != nil || len(data) == 0 {
		return nil, s + " is not bytes: write them as fe:ff or feff, text in quotes"
	}
	l.b = data
	return l, ""
}

// addressFor reads an address, with the length of a prefix or without.
func addressFor(s string) (*literal, string) {
	l := new(literal)
	l.kind = isAddress
	if strings.Contains(s, "/") {
		prefix, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, s + " is not an address with the length of a prefix, as 10.0.0.0/8 is"
		}
		l.prefix = prefix.Masked()
		l.a = l.prefix.Addr()
		return l, ""
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		if _, err := netip.ParseAddrPort(s); err == nil {
			return nil, s + " is an address with a port; the ports are src_port and dst_port"
		}
		return nil, quoteIfOdd(s) + " is not an IP address; names are not looked up"
	}
	l.a = a.Unmap()
	return l, ""
}

// timeLayouts are the formats of a time; without a zone it is UTC. The last one is Wireshark's.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 MST", "2006-01-02 15:04", "2006-01-02",
	"Jan 2, 2006 15:04:05.999999999", "Jan 2, 2006 15:04:05.999999999 MST",
}

func timeFor(s string) (*literal, string) {
	l := new(literal)
	for _, layout := range timeLayouts {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if zone, _ := t.Zone(); strings.HasSuffix(layout, "MST") && zone != "UTC" && zone != "GMT" {
			return nil, fmt.Sprintf("the zone %s is not known here; write Z, UTC or +02:00", zone)
		}
		if t.Year() < 1678 || t.Year() > 2261 {
			return nil, s + " is outside the years 1678 to 2261"
		}
		l.setTime(t.UnixNano())
		return l, ""
	}
	if n, ok := parseNumber(s); ok && n.hasNano {
		l.setTime(n.nano)
		return l, ""
	}
	return nil, quoteIfOdd(s) + ` is not a time: write "2026-11-21 07:11:46.447", 2026-11-21T07:11:46Z or seconds since 1970`
}

func rankFor(s string, t *term) (*literal, string) {
	i := slices.Index(t.words, s)
	if i < 0 {
		return nil, fmt.Sprintf("%s is none of %s", quoteIfOdd(s), strings.Join(t.words, ", "))
	}
	l := new(literal)
	l.kind, l.i = isRank, int64(i)
	return l, ""
}

// pattern reads a regular expression of Go's RE2 syntax. Case is ignored, as in Wireshark, except after (?-i).
func (b *builder) pattern(e expr) (*regexp.Regexp, *Error) {
	s, quoted, err := b.spelling(e)
	if err != nil {
		return nil, err
	}
	if !quoted {
		return nil, b.fail(e, `a regular expression stands in quotes, as in "^say" or r"\d+"`)
	}
	re, problem := regexp.Compile("(?i)" + s)
	if problem != nil {
		return nil, b.fail(e, "%s", strings.TrimPrefix(problem.Error(), "error parsing regexp: "))
	}
	return re, nil
}

// unitOf returns the unit of a field's numbers, if all have the same.
func unitOf(fields []*dissect.Field) string {
	unit := ""
	for i, f := range fields {
		f = fieldpath.Innermost(f)
		if i > 0 && f.Unit != unit {
			return ""
		}
		unit = f.Unit
	}
	return unit
}
