// Package suggest finds the name that was probably meant by a mistyped one.
package suggest

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Path returns the dotted name that was probably meant by a mistyped one, or "" if none is similar. The last
// key is compared too: server_time suggests the path that ends with it.
func Path(mistyped string, names iter.Seq[string]) string {
	return nearest(mistyped, names, func(name string, cost int) int {
		if strings.HasSuffix(name, "."+mistyped) {
			return 1
		}
		return cost
	})
}

// Word returns the word that was probably meant by a mistyped one, or "" if none is similar.
func Word(mistyped string, words iter.Seq[string]) string {
	return nearest(mistyped, words, func(_ string, cost int) int { return cost })
}

// Choices names the words of a closed list, after the one that was probably meant: "did you mean match? There are conv,
// match", or "there are conv, match".
func Choices(mistyped string, words []string) string { return SomeChoices(mistyped, words, len(words)) }

// SomeChoices is Choices for lists of any length: it names their first words.
func SomeChoices(mistyped string, words []string, most int) string {
	list := strings.Join(words[:min(most, len(words))], ", ")
	switch more := len(words) - most; {
	case more == 1:
		list += " and 1 other"
	case more > 1:
		list += " and " + strconv.Itoa(more) + " others"
	}
	if best := Word(mistyped, slices.Values(words)); best != "" {
		return "did you mean " + best + "? There are " + list
	}
	return "there are " + list
}

// nearest returns the name of the least cost, which weigh computes from the distance; "" if all are too far.
func nearest(mistyped string, names iter.Seq[string], weigh func(name string, cost int) int) string {
	best, bestCost := "", min(max(len(mistyped)/3, 2)+1, len(mistyped)) // at least one letter is the same
	for name, cost := range distances(mistyped, names) {
		if cost = weigh(name, cost); cost < bestCost {
			best, bestCost = name, cost
		}
	}
	return best
}

// distances returns the number of insertions, deletions, replacements and swaps of neighbours that turn a word
// into each of others (optimal string alignment).
func distances(word string, others iter.Seq[string]) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		var before, last, row []int // of the table, a row for each byte of the word
		for other := range others {
			row = row[:0]
			for j := 0; j <= len(other); j++ {
				row = append(row, j)
			}
			for i := range len(word) {
				before, last, row = last, row, append(before[:0], i+1)
				for j := range len(other) {
					cost := last[j]
					if word[i] != other[j] {
						cost = min(cost, last[j+1], row[j]) + 1
					}
					if i > 0 && j > 0 && word[i] == other[j-1] && word[i-1] == other[j] {
						cost = min(cost, before[j-1]+1)
					}
					row = append(row, cost)
				}
			}
			if !yield(other, row[len(other)]) {
				return
			}
		}
	}
}
