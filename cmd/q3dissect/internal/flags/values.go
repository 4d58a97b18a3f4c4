// Package flags has the types of flags whose values are not just a text, a number or a switch.
package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

// A Number is the value of a flag: at least 1, at most limit, 0 while it is not given. It is a pflag.Value,
// as are the other types here.
type Number struct{ Value, Limit uint64 }

// String returns the default value.
func (n *Number) String() string {
	if n.Value == 0 {
		return ""
	}
	return strconv.FormatUint(n.Value, 10)
}

// Set takes a number.
func (n *Number) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return errors.New("want a number from 1 on")
	case err != nil || v > n.Limit:
		return fmt.Errorf("want at most %d", n.Limit)
	case v == 0:
		return errors.New("want at least 1")
	}
	n.Value = v
	return nil
}

// Type is what completions call the value.
func (n *Number) Type() string { return "N" }

// A DecodeAs is the value of -d: udp.port==N,PROTO or udp.port==A-B,PROTO, or PROTO for packets without ports.
// Whether the protocol exists is checked later.
type DecodeAs []engine.DecodeAs

// String returns the default value.
func (d *DecodeAs) String() string { return "" }

// Set adds a rule.
func (d *DecodeAs) Set(s string) error {
	if s = strings.TrimSpace(s); s != "" && !strings.ContainsAny(s, "=, ") {
		*d = append(*d, engine.DecodeAs{Name: s})
		return nil
	}
	selector, name, ok := strings.Cut(s, ",")
	field, value, equals := strings.Cut(selector, "==")
	if !ok || !equals || name == "" {
		return errors.New("want udp.port==N,PROTO or udp.port==A-B,PROTO")
	}
	if field = strings.TrimSpace(field); field != "udp.port" {
		return fmt.Errorf("%s: only udp.port can be given to a protocol", field)
	}
	rule := engine.DecodeAs{Name: strings.TrimSpace(name)}
	first, last, isRange := strings.Cut(value, "-")
	if rule.Port, ok = port(first); ok && isRange {
		rule.Last, ok = port(last)
	}
	switch {
	case !ok:
		return errors.New("want a port from 1 to 65535, or two with - between them")
	case isRange && rule.Last < rule.Port:
		return errors.New("the range ends before it begins")
	}
	*d = append(*d, rule)
	return nil
}

func port(s string) (uint16, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 16)
	return uint16(n), err == nil && n > 0
}

// RuleText returns a rule as it is written.
func RuleText(d engine.DecodeAs) string {
	if d.Port == 0 {
		return d.Name
	}
	if d.Last > 0 {
		return fmt.Sprintf("udp.port==%d-%d,%s", d.Port, d.Last, d.Name)
	}
	return fmt.Sprintf("udp.port==%d,%s", d.Port, d.Name)
}

// Type is what completions call the value.
func (d *DecodeAs) Type() string { return "RULE" }

// A Size is a number of bytes: 64M.
type Size int

// Sizes that the engine accepts.
const (
	leastSize = 1 << 20
	mostSize  = 1 << 40
)

// String returns the default value.
func (*Size) String() string { return "" }

// Set takes a number of bytes, with K, M or G after it or without.
func (z *Size) Set(s string) error {
	digits, shift := strings.TrimRight(strings.ToUpper(s), "KMGTIB"), 0
	switch unit := strings.ToUpper(s)[len(digits):]; unit {
	case "":
	case "K", "KB", "KIB":
		shift = 10
	case "M", "MB", "MIB":
		shift = 20
	case "G", "GB", "GIB":
		shift = 30
	default:
		return errors.New("want a size, as 64M")
	}
	v, err := strconv.ParseUint(digits, 10, 40)
	if err != nil {
		return errors.New("want a size, as 64M")
	}
	if v <<= shift; v < leastSize || v > mostSize {
		return errors.New("want 1M to 1024G")
	}
	*z = Size(v)
	return nil
}

// Type is what completions call the value.
func (*Size) Type() string { return "size" }

// A Length is how long something lasts: in seconds, or as Go writes durations.
type Length time.Duration

// String returns the length as a duration.
func (l *Length) String() string { return time.Duration(*l).String() }

// Type is what completions call the value.
func (l *Length) Type() string { return "LENGTH" }

// Set takes a length.
func (l *Length) Set(s string) error {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "s"
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return errors.New("want seconds, as in 3 or 2.5, or a duration, as in 500ms or 1m30s")
	}
	*l = Length(d)
	return nil
}
