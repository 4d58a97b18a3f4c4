package outliers

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// A Class are the players of recordings whose nature is known.
type Class uint8

// The classes: people in public demos; bots of the games; clients of unmodified games that scripts played, the only
// ones with user commands.
const (
	People Class = iota
	Bots
	Clients
	classes
)

// Classes are all classes.
var Classes = [classes]Class{People, Bots, Clients}

// String returns the word that rows use.
func (c Class) String() string { return [...]string{"people", "bots", "clients"}[c] }

// A cohort are players of one class whose values can be compared: by game, source and time between two moments.
type cohort struct {
	Class   string    `json:"class"`
	Group   string    `json:"group"`
	Kind    string    `json:"kind"`
	Rate    int       `json:"rate"` // rateOf
	Measure string    `json:"measure"`
	Values  []float32 `json:"values"` // the summary of each player, sorted
}

// A calibration are the players of recordings whose nature is known.
type calibration struct {
	Of      string   `json:"of"` // which recordings
	Cohorts []cohort `json:"cohorts"`
}

// calibrationFile is a calibration. go test ./dissect/view/outliers -run TestCalibration -update writes it.
//
//go:embed calibration.json
var calibrationFile []byte

// cohorts are those of the file, read when they are first needed.
var cohorts = sync.OnceValue(func() []cohort {
	var c calibration
	if err := json.Unmarshal(calibrationFile, &c); err != nil {
		panic(err) // the file is part of the program
	}
	return c.Cohorts
})

// rateOf returns the class of a time between two moments, in ms.
func rateOf(ms int) int {
	for _, class := range [...]struct{ most, name int }{{17, 13}, {29, 25}, {41, 33}, {70, 50}} {
		if ms <= class.most {
			return class.name
		}
	}
	return 100
}

// How many players a comparison needs: with so many it stays with the narrower ones, and with fewer than least there is
// none.
const (
	ample = 20
	least = 8
)

// A Comparison is how a player's values compare with those of a class.
type Comparison struct {
	N      int     // players of the class
	Beyond float64 // percent of them whose summary is less unusual
	With   string  // which ones
}

// Compare compares the summary of a measure with those of a class: players of the same game at the same rate, or of all
// games if these are few, or at all rates. ok is false if there are not enough of them, or not enough values.
func (p *Player) Compare(class Class, v *Values) (c Comparison, ok bool) {
	return p.compareWith(cohorts(), class.String(), v)
}

func (p *Player) compareWith(all []cohort, class string, v *Values) (c Comparison, ok bool) {
	if !v.Enough {
		return c, false
	}
	rate, kind := rateOf(p.Rate), p.Kind.String()
	levels := [...]struct {
		with string
		fits func(*cohort) bool
	}{
		{fmt.Sprintf("%s, %s, %d ms", p.Group, p.Kind, rate), func(o *cohort) bool {
			return o.Group == p.Group && o.Rate == rate
		}},
		{fmt.Sprintf("all games, %s, %d ms", p.Kind, rate), func(o *cohort) bool { return o.Rate == rate }},
		{fmt.Sprintf("all games, %s, all rates", p.Kind), func(*cohort) bool { return true }},
	}
	for i := range levels {
		n, beyond := 0, 0
		for j := range all {
			o := &all[j]
			if o.Class != class || o.Kind != kind || o.Measure != v.Key || !levels[i].fits(o) {
				continue
			}
			n += len(o.Values)
			for _, value := range o.Values {
				if v.Side.before(v.Summary, float64(value)) {
					beyond++
				}
			}
		}
		if n > c.N {
			c = Comparison{n, 100 * float64(beyond) / float64(n), levels[i].with}
		}
		if n >= ample {
			break
		}
	}
	return c, c.N >= least
}
