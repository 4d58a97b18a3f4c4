package wiretext

import "strings"

// leastRoom is the least room for a description, after which it continues in the next line, in characters.
const leastRoom = 20

// AppendWrapped appends a text that begins in a column, and continues in that column of the next lines where it does
// not fit.
func AppendWrapped(dst []byte, at int, text string, width int) []byte {
	room, used := max(width-at, leastRoom), 0
	for word := range strings.SplitSeq(text, " ") {
		size := len([]rune(word))
		switch {
		case used == 0:
		case used+1+size > room:
			dst = append(append(dst, '\n'), strings.Repeat(" ", at)...)
			used = 0
		default:
			dst = append(dst, ' ')
			used++
		}
		dst = append(dst, word...)
		used += size
	}
	return append(dst, '\n')
}
