package dissecttest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// events: the kinds of events that the protocol lists are those in its table of docs/events.md, its samples have no
// other kinds, each event has a description, and each key of events is on the page, and has one type in all protocols.
func (s *suite) events() {
	source := s.Protocol
	if source.EventRoot == nil {
		return
	}
	together := slices.Clone(s.Beside)
	for _, other := range s.Others {
		if !slices.ContainsFunc(together, func(p *dissect.Protocol) bool { return p.Name == other.Name }) {
			together = append(together, other)
		}
	}
	if err := schema.CheckEvents(together); err != nil {
		s.report("the keys of events, with those of %d protocols: %v", len(together), err)
	}
	kinds := source.EventKinds
	if !s.Elsewhere {
		s.documentedEvents(source)
	}
	for _, sample := range s.samples {
		for rec := range s.dissect(sample, engine.Config{Options: dissect.Options{Events: true}}) {
			if own := rec.EventSource(); own == nil || own.Name != s.Protocol.Name {
				continue
			}
			for at := 0; at < len(rec.Events.Nodes); at = int(rec.Events.Nodes[at].End) {
				kind := rec.Events.At(at).Get(dissect.EventKind.Key).String()
				if !slices.Contains(kinds, kind) {
					s.report("%s, packet %d: the event %s is not among the kinds that %s lists", sample.name,
						rec.Frame, kind, s.Protocol.Name)
				}
				if len(source.AppendEvent(nil, &rec.Events, at)) == 0 {
					s.report("%s, packet %d: the event %s has no description", sample.name, rec.Frame, kind)
				}
			}
			if s.full() {
				return
			}
		}
	}
}

var (
	eventRow = regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|")
	quoted   = regexp.MustCompile("`([^`]+)`")
)

// eventRows returns the kinds in the tables of docs/events.md of a protocol: in the section whose heading has its name,
// or else in the one that is called Kinds.
func eventRows(page, name string) (heading string, kinds []string) {
	heading, text := "Kinds", ""
	for i, section := range strings.Split("\n"+page, "\n## ") {
		title, body, _ := strings.Cut(section, "\n")
		named := i > 0 && strings.Contains(strings.ToLower(title), name)
		if named || title == "Kinds" && text == "" {
			heading, text = title, body
		}
		if named {
			break
		}
	}
	for _, row := range eventRow.FindAllStringSubmatch(text, -1) {
		for _, kind := range quoted.FindAllStringSubmatch(row[1], -1) {
			kinds = append(kinds, kind[1])
		}
	}
	return heading, kinds
}

// documentedEvents: docs/events.md has the kinds of events and their keys.
func (s *suite) documentedEvents(source *dissect.Protocol) {
	kinds, page := source.EventKinds, s.text("docs/events.md")
	heading, documented := eventRows(page, s.Protocol.Name)
	for _, kind := range kinds {
		if !slices.Contains(documented, kind) {
			s.report("docs/events.md has no row for %s under %s", kind, heading)
		}
	}
	for _, kind := range documented {
		if !slices.Contains(kinds, kind) {
			s.report("docs/events.md has a row for %s under %s, which is no kind of events of %s", kind,
				heading, s.Protocol.Name)
		}
	}
	for _, f := range source.EventRoot.Children {
		if !strings.Contains(page, "`"+f.Key+"`") {
			s.report("docs/events.md does not mention the key %s", f.Key)
		}
	}
}
