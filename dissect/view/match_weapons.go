package view

import (
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/view/internal/match"
)

// weaponRows returns the weapons as rows, and as "railgun 37 % of 27, gauntlet 0 % of 2".
func weaponRows(list []match.WeaponUse) (rows [][]any, text string) {
	var parts []string
	for _, w := range list {
		rows = append(rows, []any{w.Weapon, w.Shots, w.Hits, w.Accuracy, w.Kills, w.Deaths, w.Done})
		percent, known := w.Accuracy.(float64)
		if !known {
			continue
		}
		one := w.Weapon + " " + strconv.FormatFloat(round(percent, 0), 'f', 0, 64) + " %"
		if shots, ok := w.Shots.(int64); ok {
			one += " of " + strconv.FormatInt(shots, 10)
		}
		parts = append(parts, one)
	}
	return rows, strings.Join(parts, ", ")
}
