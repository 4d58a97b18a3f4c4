package flags

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/extract"
)

// Highlights are the flags about remarkable moments. The zero value asks for none.
type Highlights struct {
	all   bool
	rules *extract.Highlights // nil: no flag has changed them
}

// Define declares the flags. all is the use of --highlights; "": the verb is about them anyway.
func (h *Highlights) Define(f *pflag.FlagSet, all string) {
	if all != "" {
		f.BoolVar(&h.all, "highlights", false, all)
	}
	f.Var(&rule{h, setMultikill}, "multikill",
		"`KILLS,TIME` of a multikill, and of one shot: 3,5s,2 (at most TIME between two kills)")
	f.Var(&rule{h, setMidair}, "midair",
		"`UNITS,TIME` of a midair: 300,0s (how far the shot went, how long the victim flew)")
	f.Var(&rule{h, setFlick}, "flick", "`DEGREES,SPEED` of a flick: 40,800 (how far and how fast the view turned)")
}

// Rules returns the rules if something asks for moments: a flag, or a filter that names a kind of them; nil: nothing
// does.
func (h *Highlights) Rules(filters ...string) *extract.Highlights {
	usual := extract.UsualHighlights()
	switch {
	case h.rules != nil:
		return h.rules
	case h.all:
		return &usual
	}
	for _, f := range filters {
		for _, kind := range [...]string{event.Multikill, event.Midair, event.Flick} {
			if strings.Contains(f, kind) {
				return &usual
			}
		}
	}
	return nil
}

// Always returns the rules for a verb that is about moments.
func (h *Highlights) Always() *extract.Highlights {
	if h.rules != nil {
		return h.rules
	}
	usual := extract.UsualHighlights()
	return &usual
}

// A rule is the flag of one kind.
type rule struct {
	of  *Highlights
	set func(r *extract.Highlights, words []string) error
}

func (*rule) String() string { return "" }
func (*rule) Type() string   { return "RULE" }

// Set takes the thresholds; those that are left out stay.
func (r *rule) Set(s string) error {
	rules := extract.UsualHighlights()
	if r.of.rules != nil {
		rules = *r.of.rules
	}
	if err := r.set(&rules, strings.Split(s, ",")); err != nil {
		return err
	}
	r.of.rules = &rules
	return nil
}

var (
	errMultikill = errors.New("want kills from 2 on, a time between two, and kills of one shot: 3,5s,2")
	errMidair    = errors.New("want a distance in units and a time in the air: 300,200ms")
	errFlick     = errors.New("want an angle in degrees and a speed in degrees per second: 40,800")
)

func setMultikill(r *extract.Highlights, words []string) error {
	const most = 1000
	ok := len(words) <= 3
	count := func(i int, to *int) {
		if i < len(words) {
			n, err := strconv.Atoi(strings.TrimSpace(words[i]))
			*to, ok = n, ok && err == nil && 2 <= n && n <= most
		}
	}
	count(0, &r.Kills)
	count(2, &r.OneShot)
	if len(words) > 1 {
		ok = span(words[1], &r.Window) && r.Window > 0 && ok
	}
	return unless(ok, errMultikill)
}

func setMidair(r *extract.Highlights, words []string) error {
	ok := len(words) <= 2 && quantity(words[0], &r.Distance)
	if len(words) > 1 {
		ok = span(words[1], &r.Air) && ok
	}
	return unless(ok, errMidair)
}

func setFlick(r *extract.Highlights, words []string) error {
	ok := len(words) <= 2 && quantity(words[0], &r.Angle) && r.Angle <= 180
	if len(words) > 1 {
		ok = quantity(words[1], &r.Speed) && ok
	}
	return unless(ok, errFlick)
}

func span(word string, to *time.Duration) bool {
	var l Length
	err := l.Set(strings.TrimSpace(word))
	*to = time.Duration(l)
	return err == nil && 0 <= l && *to <= time.Hour
}

func quantity(word string, to *float64) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
	*to = v
	return err == nil && v >= 0 && v <= math.MaxFloat32
}

func unless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}
