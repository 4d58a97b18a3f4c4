package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/suggest"
	"github.com/q3dissect/q3dissect/dissect/view/outliers"
)

// A Statistic collects data from records. It is for one goroutine.
type Statistic interface {
	// Add reads a record and keeps no reference to it.
	Add(rec *dissect.Record)
	// Tables returns the results.
	Tables() []Table
}

// Needs are what the records of a statistic must have been made with.
type Needs struct {
	Tree   bool // the fields
	Events bool // dissect.Options.Events
	Inputs bool // dissect.Options.Inputs
	Shots  bool // dissect.Options.Shots
	Files  bool // dissect.Options.Files
	Link   bool // the facts of the link layer
	// Framing is dissect.Options.Framing: the tree has what frames the fields. Others must not get it.
	Framing bool
	Quotes  bool // datagrams that ICMP errors quote too (engine.Config.Quotes)
}

// Counts reports whether a record is one for the statistic. What ICMP errors quote, the beginnings of datagrams whose
// fragments are missing, and the records that end a conversation are for few.
func (n *Needs) Counts(rec *dissect.Record) bool {
	return !rec.Partial && (rec.Quote == nil || n.Quotes) && (!rec.Closing || n.Events)
}

// A Kind is a statistic that a user can ask for.
type Kind struct {
	Name    string
	Usage   string // with its arguments: "io,SECONDS[,FILTER]"
	Doc     string // one line
	Needs   Needs
	Columns []Column
	make    func(args []string, env *Env) (Statistic, error)
}

// An Env holds what statistics depend on.
type Env struct {
	Secrets bool // passwords are shown as they are
	Masked  bool // passwords are asterisks, not tags
	// CommunityID adds the Community IDs of flows, to the statistic of conversations.
	CommunityID bool
	// Rows is how many rows are wanted; 0: as many as there are. Statistics whose rows take much memory keep no more.
	Rows int
	// Walls returns what is solid in a map, nil if that is not known. It may be nil.
	Walls func(mapName string) outliers.Clear
	// Filter compiles a filter for one goroutine.
	Filter func(text string) (func(*dissect.Record) bool, error)
	// Values compiles a field or a calculation with fields, for one goroutine: the function that it returns calls
	// another with each value. numbers means that the values have to be numbers; others are passed as 0.
	Values func(text string, numbers bool) (func(*dissect.Record, func(float64)), error)
}

// Kinds returns all statistics.
func Kinds() []Kind {
	kinds := []Kind{
		convKind(), endpointsKind(), ioKind(), protoKind(), expertKind(), fieldsKind(), coverageKind(), bandwidthKind(),
		lossKind(), playersKind(), matchKind(), rconKind(), drdosKind(), serversKind(), inputKind(), momentsKind(),
		shotsKind(), consistencyKind(),
	}
	for i := range kinds {
		kinds[i].Columns = withFiles(kinds[i].Columns)
	}
	return kinds
}

// Usages lists the statistics as a user asks for them, follow last.
func Usages() (list []string) {
	for _, k := range append(Kinds(), FollowKind()) {
		list = append(list, k.Usage)
	}
	return list
}

// Find returns the kind that a value of -z begins with, and the arguments after its name.
func Find(value string) (kind Kind, args []string, err error) {
	name, rest, more := strings.Cut(value, ",")
	if more {
		args = strings.Split(rest, ",")
	}
	if ours := tsharkNames[value]; ours != "" {
		name, args = ours, nil
	}
	for tsharks, hint := range tsharkOthers {
		if value == tsharks || strings.HasPrefix(value, tsharks+",") {
			return Kind{}, nil, fmt.Errorf("no statistic is called %q: %s", value, hint)
		}
	}
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, args, nil
		}
		names = append(names, k.Name)
	}
	for _, k := range Kinds() {
		if slices.ContainsFunc(k.Columns, func(c Column) bool { return c.Key == name }) {
			return Kind{}, nil, fmt.Errorf("no statistic is called %q, which is a column of %s", name, k.Name)
		}
	}
	return Kind{}, nil, fmt.Errorf("no statistic is called %q; %s", name,
		suggest.Choices(name, append(names, FollowKind().Name)))
}

// tsharkNames are tshark's names of statistics that are called otherwise here.
var tsharkNames = map[string]string{
	"io,phs": "proto", "conv,udp": "conv", "endpoints,udp": "endpoints",
	"conv,ip": "conv", "endpoints,ip": "endpoints", "hosts": "endpoints", "ip_hosts,tree": "endpoints",
}

// tsharkOthers answers tshark's statistics that have another form here.
var tsharkOthers = map[string]string{
	"plen":          "lengths are calculated by io,SECONDS,AVG(length)length",
	"proto,colinfo": "columns are chosen with -T fields -e FIELD",
}

// New returns a new statistic. The error names what is wrong with the arguments.
func (k *Kind) New(args []string, env *Env) (Statistic, error) { return k.make(args, env) }

// withoutArguments adapts the constructor of a statistic without arguments.
func withoutArguments(name string, do func(env *Env) Statistic) func([]string, *Env) (Statistic, error) {
	return func(args []string, env *Env) (Statistic, error) {
		if len(args) > 0 {
			return nil, fmt.Errorf("%s takes no arguments", name)
		}
		return do(env), nil
	}
}

// seconds parses a positive number of seconds as nanoseconds.
func seconds(s string) (int64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 1e-6) || f > 1e9 {
		return 0, false
	}
	return int64(f * 1e9), true
}
