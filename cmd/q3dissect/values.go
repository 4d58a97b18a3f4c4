package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect"
)

// A number is the value of a flag: at least 1, at most limit, 0 while it is not given. It is a pflag.Value,
// as are the other types here.
type number struct{ value, limit uint64 }

// String gives the default value.
func (n *number) String() string {
	if n.value == 0 {
		return ""
	}
	return strconv.FormatUint(n.value, 10)
}

// Set takes a number.
func (n *number) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return errors.New("want a number")
	case err != nil || v > n.limit:
		return fmt.Errorf("want at most %d", n.limit)
	case v == 0:
		return errors.New("want at least 1")
	}
	n.value = v
	return nil
}

// Type is what completions call the value.
func (n *number) Type() string { return "N" }

// String gives the default value.
func (s *frameSet) String() string { return "" }

// Set adds the packets that are named: of several --frames all count.
func (s *frameSet) Set(value string) error {
	more, err := parseFrames(value)
	if err != nil {
		return err
	}
	*s = mergeSpans(append(*s, more...))
	return nil
}

// Type is what completions call the value.
func (s *frameSet) Type() string { return "LIST" }

// An inputFlag is -r. It notes where among the other files it stands.
type inputFlag struct {
	settings *settings
	flags    *pflag.FlagSet
}

// String gives the default value.
func (i *inputFlag) String() string { return "" }

// Set takes a file.
func (i *inputFlag) Set(name string) error {
	i.settings.files = append(i.settings.files, namedInput{name, i.flags.NArg()})
	return nil
}

// Type is what completions call the value.
func (i *inputFlag) Type() string { return "FILE" }

// A decodeAs is the value of -d: udp.port==N,PROTO, or PROTO for what has no ports. Whether there is such a protocol is
// checked later.
type decodeAs []dissect.DecodeAs

// String gives the default value.
func (d *decodeAs) String() string { return "" }

// Set takes a rule, beside those before it.
func (d *decodeAs) Set(s string) error {
	if s = strings.TrimSpace(s); s != "" && !strings.ContainsAny(s, "=, ") {
		*d = append(*d, dissect.DecodeAs{Name: s})
		return nil
	}
	selector, name, ok := strings.Cut(s, ",")
	field, value, equals := strings.Cut(selector, "==")
	if !ok || !equals || name == "" {
		return errors.New("want udp.port==N,PROTO")
	}
	if field = strings.TrimSpace(field); field != "udp.port" {
		return fmt.Errorf("%s: only udp.port can be given to a protocol", field)
	}
	port, err := strconv.ParseUint(strings.TrimSpace(value), 10, 16)
	if err != nil || port == 0 {
		return errors.New("want a port from 1 to 65535")
	}
	*d = append(*d, dissect.DecodeAs{Port: uint16(port), Name: strings.TrimSpace(name)})
	return nil
}

// ruleText gives a rule as it is written.
func ruleText(d dissect.DecodeAs) string {
	if d.Port == 0 {
		return d.Name
	}
	return fmt.Sprintf("udp.port==%d,%s", d.Port, d.Name)
}

// Type is what completions call the value.
func (d *decodeAs) Type() string { return "RULE" }

// A size is a number of bytes: 64M.
type size int

// Sizes that the engine takes.
const (
	leastSize = 1 << 20
	mostSize  = 1 << 40
)

// String gives the default value.
func (*size) String() string { return "" }

// Set takes a number of bytes with K, M or G behind it, or none.
func (z *size) Set(s string) error {
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
	*z = size(v)
	return nil
}

// Type is what completions call the value.
func (*size) Type() string { return "size" }
