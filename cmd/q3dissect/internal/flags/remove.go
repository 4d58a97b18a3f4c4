package flags

import (
	"errors"
	"strings"
)

// A Remove is the value of --remove: chat, names, or both.
type Remove struct{ Chat, Names bool }

// String returns the default value.
func (r *Remove) String() string { return "" }

// Set adds what is removed.
func (r *Remove) Set(s string) error {
	for _, word := range strings.Split(s, ",") {
		switch strings.TrimSpace(word) {
		case "chat":
			r.Chat = true
		case "names":
			r.Names = true
		default:
			return errors.New("want chat, names or chat,names")
		}
	}
	return nil
}

// Given reports whether something is removed.
func (r *Remove) Given() bool { return r.Chat || r.Names }

// Type is what completions call the value.
func (r *Remove) Type() string { return "WHAT" }
