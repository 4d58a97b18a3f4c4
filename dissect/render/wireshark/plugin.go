package wireshark

import (
	_ "embed" // the program
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed plugin.lua
var program string

// AppendPlugin appends the dissector of the packets that an Encoder makes: a Lua program for Wireshark 4.0 and later.
// version is the name and version of the program that makes it.
func (f *Fields) AppendPlugin(dst []byte, version string) []byte {
	dst = fmt.Appendf(dst,
		"-- %s: the plug-in for captures that were written with -w FILE --pdu. Generated; do not edit.\n", version)
	dst = fmt.Appendf(dst, "-- To install it: q3dissect wireshark install\n\n")
	dst = fmt.Appendf(dst, "local VERSION = %s\nlocal LIST = 0x%08x\n\n", quote(version), f.Hash)
	dst = append(dst, "local NAMES = {}\n"...)
	var tables []string
	var lines []byte
	for i := range f.list {
		e := &f.list[i]
		lines = fmt.Appendf(lines, "%x %c", e.id, e.typ)
		if (e.typ == typeUint32 || e.typ == typeInt32) && e.names != nil {
			table := luaTable(e.names, e.first)
			at := slices.Index(tables, table)
			if at < 0 {
				at = len(tables)
				tables = append(tables, table)
				dst = fmt.Appendf(dst, "NAMES[%d] = %s\n", at, table)
			}
			lines = strconv.AppendInt(lines, int64(at), 10)
		}
		lines = append(append(lines, ' '), e.path...)
		if e.doc != "" {
			lines = append(append(lines, '\t'), e.doc...)
		}
		lines = append(lines, '\n')
	}
	dst = append(dst, "\nlocal FIELDS = [==[\n"...)
	dst = append(append(dst, lines...), "]==]\n\n"...)
	return append(dst, program...)
}

// luaTable returns a table of names by number.
func luaTable(names []string, first int64) string {
	var b strings.Builder
	b.WriteString("{")
	for i, name := range names {
		if name != "" {
			fmt.Fprintf(&b, "[%d]=%s,", first+int64(i), quote(name))
		}
	}
	b.WriteString("}")
	return b.String()
}

// quote returns a Lua string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, "\\%03d", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
