package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// A Sighting is what one task saw of a player or of an address.
type Sighting struct {
	Input       string
	Others      []string // servers of a player, targets of an address
	First, Last int64    // Unix nanoseconds; 0: no time
	Counts      []int64  // by the names of countNames
}

// countNames are the counts of players and addresses. All but packets and bytes are kinds of events.
var countNames = [...]string{
	"packets", "bytes", event.ConnectRequest, event.Connect, event.Kill,
	"death", event.Chat, event.Rcon,
}

const (
	countPackets = iota
	countBytes
	firstEvent
	countKills  = 4
	countDeaths = 5
)

// A Profile is the sum of all tasks' sightings of one.
type Profile struct {
	Inputs, Others []string // sorted
	First, Last    int64
	Counts         []int64
}

// listed limits the lists of a Profile: of longer ones the first names in alphabetical order are kept, so that
// the result does not depend on the order of joining.
const listed = 10000

// joinFn adds up sightings.
type joinFn struct{}

func (joinFn) CreateAccumulator() Profile { return Profile{} }

func (f joinFn) AddInput(p Profile, s Sighting) Profile {
	others := slices.Sorted(slices.Values(s.Others))
	return f.MergeAccumulators(p, Profile{[]string{s.Input}, others, s.First, s.Last, s.Counts})
}

func (joinFn) MergeAccumulators(a, b Profile) Profile {
	a.Inputs, a.Others = union(a.Inputs, b.Inputs), union(a.Others, b.Others)
	if a.First == 0 || b.First != 0 && b.First < a.First {
		a.First = b.First
	}
	a.Last = max(a.Last, b.Last)
	counts := make([]int64, len(countNames))
	for i := range counts {
		for _, list := range [][]int64{a.Counts, b.Counts} {
			if i < len(list) {
				counts[i] += list[i]
			}
		}
	}
	a.Counts = counts
	return a
}

func (joinFn) ExtractOutput(p Profile) Profile { return p }

// union joins two sorted lists.
func union(a, b []string) []string {
	list := slices.Concat(a, b)
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), listed)]
}

// join adds the sightings up by their keys and writes a line for each.
func (j *job) join(s beam.Scope, name, key string, sightings beam.PCollection) {
	profiles := beam.CombinePerKey(s, &joinFn{}, sightings)
	j.write(s, name, beam.ParDo(s, &profileFn{Key: key}, profiles))
}

// profileFn writes a profile as a line of JSON.
type profileFn struct{ Key string }

// ProcessElement returns the line.
func (f *profileFn) ProcessElement(key string, p Profile, emit func(string)) error {
	others := "servers"
	if f.Key == "address" {
		others = "targets"
	}
	counts := map[string]int64{}
	for i, n := range p.Counts {
		if n > 0 {
			counts[countNames[i]] = n
		}
	}
	line := map[string]any{f.Key: key, "inputs": p.Inputs, others: p.Others, "counts": counts}
	if p.First != 0 {
		line["first_time_ns"], line["last_time_ns"] = p.First, p.Last
	}
	return emitJSON(line, emit)
}

// seen collects the sightings of one task.
type seen struct {
	task             *Task
	players, sources map[string]*Sighting
	player, source   func(string, Sighting)
	schema           *rows.Schema
	next             io.Writer // of events; may be nil
	rest             []byte    // the beginning of a line
}

func newSeen(t *Task, player, source func(string, Sighting)) *seen {
	return &seen{task: t, players: map[string]*Sighting{}, sources: map[string]*Sighting{}, player: player, source: source}
}

// events returns a writer of events that reads them and passes them on.
func (s *seen) events(next io.Writer) io.Writer {
	s.next = next
	return s
}

// file sets the final writer of events.
func (s *seen) file(w io.Writer) io.Writer {
	if w == io.Writer(s) {
		return s.next
	}
	return w
}

// Write reads lines of events.
func (s *seen) Write(b []byte) (int, error) {
	if s.next != nil {
		if n, err := s.next.Write(b); err != nil {
			return n, err
		}
	}
	n := len(b)
	for {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if !whole {
			s.rest = append(s.rest, b...)
			return n, nil
		}
		s.rest = append(s.rest, line...)
		if err := s.event(s.rest); err != nil {
			return 0, err
		}
		s.rest, b = s.rest[:0], rest
	}
}

// An eventLine is the part of an event's line that is needed.
type eventLine struct {
	Event     string      `json:"event"`
	TimeEpoch json.Number `json:"time_epoch"`
	Src       string      `json:"src"`
	SrcPort   uint16      `json:"src_port"`
	Dst       string      `json:"dst"`
	DstPort   uint16      `json:"dst_port"`
	Direction string      `json:"direction"`
	Client    *who        `json:"client"`
	Killer    *who        `json:"killer"`
	Victim    *who        `json:"victim"`
}

type who struct {
	Name string `json:"name_clean"`
}

// event adds the players of an event.
func (s *seen) event(line []byte) error {
	var e eventLine
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	kind := slices.Index(countNames[firstEvent:], e.Event)
	if kind >= 0 {
		kind += firstEvent
	}
	server, client, at := e.server(), e.client(), e.nanoseconds()
	if e.Killer != nil {
		s.add(s.players, e.Killer.Name, server, at, countKills, 1)
		kind = -1
	}
	if e.Victim != nil {
		s.add(s.players, e.Victim.Name, server, at, countDeaths, 1)
		kind = -1
	}
	if e.Client != nil {
		s.add(s.players, e.Client.Name, server, at, kind, 1)
	}
	if e.Direction == "client_to_server" {
		s.add(s.sources, client, server, at, kind, 1)
	}
	return nil
}

func (e *eventLine) server() string {
	if e.Direction == "client_to_server" {
		return endpoint(e.Dst, int64(e.DstPort))
	}
	return endpoint(e.Src, int64(e.SrcPort))
}

func (e *eventLine) client() string {
	if e.Direction == "client_to_server" {
		return e.Src
	}
	return e.Dst
}

// nanoseconds reads the time of the event, which has nine decimals.
func (e *eventLine) nanoseconds() int64 {
	n, err := json.Number(bytes.ReplaceAll([]byte(e.TimeEpoch), []byte{'.'}, nil)).Int64()
	if err != nil {
		return 0
	}
	return n
}

// add adds to a sighting. count is -1 if nothing is counted.
func (s *seen) add(list map[string]*Sighting, name, other string, at int64, count int, n int64) {
	if name == "" {
		return
	}
	one := list[name]
	if one == nil {
		one = &Sighting{Input: s.task.Input, Counts: make([]int64, len(countNames))}
		list[name] = one
	}
	if other != "" && len(one.Others) < listed && !slices.Contains(one.Others, other) {
		one.Others = append(one.Others, other)
	}
	if at != 0 && (one.First == 0 || at < one.First) {
		one.First = at
	}
	one.Last = max(one.Last, at)
	if count >= 0 {
		one.Counts[count] += n
	}
}

// Schema returns the schema of the rows.
func (s *seen) Schema() *rows.Schema { return s.schema }

// Rows counts the packets of each address.
func (s *seen) Rows(b []byte) error {
	packets := s.schema.Table("packets")
	for c := s.schema.Read(b); c.Row(); {
		if c.Table() != packets {
			c.Skip()
			continue
		}
		s.packet(c)
	}
	return nil
}

func (s *seen) packet(c *rows.Cursor) {
	var src, dst string
	var port, length int64
	for c.Cell() {
		switch c.Column().Name {
		case "src":
			src = string(c.Bytes())
		case "dst":
			dst = string(c.Bytes())
		case "dst_port":
			port = c.Int()
		case "length":
			length = c.Int()
		default:
			c.SkipCell()
		}
	}
	if src == "" {
		return
	}
	s.add(s.sources, src, endpoint(dst, port), c.Head().Time, countPackets, 1)
	s.sources[src].Counts[countBytes] += length
}

// emit emits the sightings, in order.
func (s *seen) emit() {
	for _, name := range slices.SortedFunc(maps.Keys(s.players), cmp.Compare[string]) {
		s.player(name, *s.players[name])
	}
	for _, name := range slices.SortedFunc(maps.Keys(s.sources), cmp.Compare[string]) {
		s.source(name, *s.sources[name])
	}
}
