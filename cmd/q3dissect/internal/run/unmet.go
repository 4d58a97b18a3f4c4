package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
)

// meeting returns the engine's Before that also keeps which protocols the input has: a filter may leave out all of
// their packets.
func (r *pass) meeting(before func(*engine.Routed) engine.Fate) func(*engine.Routed) engine.Fate {
	if r.display == nil || before == nil {
		return before
	}
	return func(p *engine.Routed) engine.Fate {
		r.total.Met.Add(p.Protocol)
		for _, possible := range p.Possible {
			r.total.Met.Add(possible)
		}
		return before(p)
	}
}

// unmet returns a line for somebody whose filter matched nothing because no protocol of the inputs has a field of it;
// "": that is not why.
func (r *pass) unmet() string {
	if r.display == nil || r.total.Records > 0 || len(r.total.Met) == 0 {
		return ""
	}
	if r.Events && !r.Shots && strings.Contains(r.Settings.Filter, `"shot"`) {
		return "-Y: shots are among the events with --shots"
	}
	_, err := r.namesOf(r.total.Met).Compile(r.Settings.Filter)
	var fault *filter.Error
	if !errors.As(err, &fault) {
		return ""
	}
	word := fault.Filter[fault.From:fault.To]
	var have []string
	for _, p := range r.protocols {
		if _, err := r.namesOf([]*dissect.Protocol{p}).Compile(word); err == nil && !slices.Contains(r.total.Met, p) {
			have = append(have, p.Name)
		}
	}
	if len(have) == 0 {
		return ""
	}
	var met []string
	for _, p := range r.total.Met {
		met = append(met, p.Name)
	}
	slices.Sort(met)
	what := "record"
	if r.Settings.Events {
		what = "event"
	}
	return fmt.Sprintf("-Y: no %s of %s can have %q; it is a field of %s", what, strings.Join(met, ", "), word,
		strings.Join(have, ", "))
}

// namesOf returns the names that a filter may have for some protocols.
func (pl *plan) namesOf(protocols []*dissect.Protocol) *filter.Names {
	if pl.Settings.Events {
		return filter.Events(protocols)
	}
	return filter.Records(protocols)
}
