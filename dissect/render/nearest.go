package render

import (
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
)

// nearest gives the display name most like a mistyped one, or "" when none is like it. The last key
// counts too: who writes server_time is told the path that ends so.
func nearest(name string, protocols []dissect.Protocol) string {
	best, bestCost := "", max(len(name)/3, 2)+1
	var row []int
	for _, info := range ListFields(protocols) {
		cost := distance(name, info.Path, &row)
		if strings.HasSuffix(info.Path, "."+name) {
			cost = 1
		}
		if cost < bestCost {
			best, bestCost = info.Path, cost
		}
	}
	return best
}

// distance counts the bytes to insert, delete or replace to make b of a (Levenshtein).
func distance(a, b string, scratch *[]int) int {
	row := (*scratch)[:0]
	for j := 0; j <= len(b); j++ {
		row = append(row, j)
	}
	*scratch = row
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = min(diagonal, row[j], row[j+1]) + 1
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
