package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/view"
)

const instructions = `q3dissect explains captures (pcap) and demos of games: the Quake III family, Teeworlds, DDNet, GameStudio.
Begin with files. events says what happened in the game, matches and players are about many files, list shows packets, packet every
field of a few. filter_help and fields show how to select; explain says what a word of an answer means.
` + data

// A page is the part of an answer that is asked for.
type page struct {
	Skip  int `json:"skip,omitempty" jsonschema:"rows to leave out; next of the page before"`
	Limit int `json:"limit,omitempty" jsonschema:"most rows of this page, 100 unless given, 1000 at most"`
}

// A choice is what of a file is asked for.
type choice struct {
	Filter string `json:"filter,omitempty" jsonschema:"a display filter, see filter_help"`
	Frames string `json:"frames,omitempty" jsonschema:"packets by number: 100-200,1042,5000-"`
	From   string `json:"from,omitempty" jsonschema:"a time: 20.5 (seconds), 1:20, 2026-11-21T07:11:46Z"`
	To     string `json:"to,omitempty" jsonschema:"a time"`
}

func (c *choice) arguments() (list []string) {
	return appendGiven(nil, "--display-filter", c.Filter, "--frames", c.Frames, "--from", c.From, "--to", c.To)
}

// appendGiven appends flags that have a value, from pairs of names and values.
func appendGiven(list []string, pairs ...string) []string {
	for ; len(pairs) > 0; pairs = pairs[2:] {
		if pairs[1] != "" {
			list = append(list, pairs[0]+"="+pairs[1])
		}
	}
	return list
}

// set is a word of the command line that is there or not.
func set(word string, is bool) []string {
	if !is {
		return nil
	}
	return []string{word}
}

// query is the flag of a jq program whose results are JSON.
func query(program string) []string {
	if program == "" {
		return nil
	}
	return []string{"--jq=(" + program + "\n) | tojson"}
}

// Inputs are what a question is about. Every tool takes both names, since people use one for the other.
type inputs struct {
	File  string   `json:"file,omitempty" jsonschema:"a name that files lists"`
	Files []string `json:"files,omitempty" jsonschema:"several of them; file and files may both be given"`
}

// errNoFile is the error of a question about nothing.
var errNoFile = errors.New(`name a file: "file": "NAME", or "files": ["NAME", ...]; the tool files lists the names`)

// names returns the inputs in the order in which they were given.
func (i *inputs) names() ([]string, error) {
	list := i.Files
	if i.File != "" {
		list = append([]string{i.File}, list...)
	}
	if len(list) == 0 {
		return nil, errNoFile
	}
	return list, nil
}

// A source is one or more files, and what of them is asked for.
type source struct {
	inputs
	choice
	page
}

// listed fields of a packet.
const listQuery = "{frame,time,stream,direction,src,src_port,dst,dst_port,protocol,length,info,expert} | " +
	"with_entries(select(.value != null))"

type (
	filesInput struct {
		Folder string `json:"folder,omitempty" jsonschema:"a folder among them; all files unless given"`
		page
	}
	listInput struct {
		source
		JQ    string `json:"jq,omitempty" jsonschema:"a jq program over each whole record, instead of the columns of the list"`
		State bool   `json:"state,omitempty" jsonschema:"jq: records with the complete state of players and entities"`
	}
	packetInput struct {
		source
		Bits  bool `json:"bits,omitempty" jsonschema:"with the position of each field in bits"`
		State bool `json:"state,omitempty" jsonschema:"with the complete state of players and entities"`
	}
	eventsInput struct {
		source
		Merge bool   `json:"merge,omitempty" jsonschema:"the streams of one server, or recordings of one match, as one game"`
		Shots bool   `json:"shots,omitempty" jsonschema:"each shot too, as an event"`
		JQ    string `json:"jq,omitempty" jsonschema:"a jq program over each event"`
	}
	statisticsInput struct {
		source
		Name string `json:"name" jsonschema:"the statistic, as -z takes it"`
	}
	manyInput struct {
		inputs
		Filter string `json:"filter,omitempty" jsonschema:"a filter of rows by their keys: kills > 100 and not bot"`
		Sort   string `json:"sort,omitempty" jsonschema:"a key of the rows"`
		page
	}
	momentsInput struct {
		source
		Player string `json:"player,omitempty" jsonschema:"a name, or a number as #3; all players unless given"`
	}
	compareInput struct {
		inputs
		Seconds bool `json:"seconds,omitempty" jsonschema:"a row for each second too"`
		Session bool `json:"session,omitempty" jsonschema:"the last file is what a server recorded (teehistorian)"`
		page
	}
	fieldsInput struct {
		Word   string `json:"word,omitempty" jsonschema:"in the name or description"`
		Events bool   `json:"events,omitempty" jsonschema:"fields of events instead of packets"`
		page
	}
	filterInput struct {
		Filter string `json:"filter,omitempty" jsonschema:"to be checked; the help alone unless given"`
		Events bool   `json:"events,omitempty" jsonschema:"it is about events instead of packets"`
	}
	explainInput struct {
		Word string `json:"word" jsonschema:"a field, a kind of event, a statistic, a column or the code of an expert entry"`
	}
)

// newServer makes the server.
func newServer(f folders, l limits) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "q3dissect", Title: "q3dissect: game traffic explained", Version: "1"},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	q := &asker{f, l, make(chan struct{}, atOnce)}
	add(s, "files", "the files that can be asked about, with their sizes", q.files)
	add(s, "list", "packets, one line each: who sent what to whom", q.list)
	add(s, "packet", "every field of packets; choose a few by frames or a filter", q.packet)
	add(s, "events", "what happened in the game: kills, chat, who came and left, scores, votes, rcon", q.events)
	add(s, "statistics", "counts over a file. Names: "+strings.Join(view.Usages(), " "), q.statistics)
	add(s, "matches", "the matches of many files: when, what was played where, who won", q.matches)
	add(s, "players", "the people of many files: names, matches, kills, accuracy", q.players)
	add(s, "moments", "where play is most unusual, by player; unusual is not forbidden", q.moments)
	add(s, "compare", "one session captured at several places: what was lost and how long it took between them", q.compare)
	add(s, "fields", "the fields that filters and jq know, by a word", q.fields)
	add(s, "filter_help", "how to write display filters; checks one", q.filterHelp)
	add(s, "explain", "what a field, event, statistic, column or expert code means", q.explain)
	addPages(s)
	return s
}

// add adds a tool, which reads alone. Its answers are the whole content: what was not asked is an error of the tool, so
// that the agent can mend it.
func add[In any](s *mcp.Server, name, does string, answer func(context.Context, In) (any, error)) {
	closed := false
	mcp.AddTool(s, &mcp.Tool{
		Name: name, Description: does,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		out, err := answer(ctx, in)
		return nil, out, err
	})
}

func (q *asker) files(ctx context.Context, in filesInput) (any, error) {
	a := newAnswer(in.page, q.bytes)
	err := q.folders.all(ctx, in.Folder, func(file listed) {
		row, err := json.Marshal(file)
		if err == nil {
			a.add(row, len(row))
		}
	})
	return a, err
}

func (q *asker) list(ctx context.Context, in listInput) (any, error) {
	program := in.JQ
	if program == "" {
		program = listQuery
	}
	return q.file(ctx, in.source, slices.Concat(packets, set("--state", in.State), query(program))...)
}

func (q *asker) packet(ctx context.Context, in packetInput) (any, error) {
	return q.file(ctx, in.source, slices.Concat(packets, set("--bits", in.Bits), set("--state", in.State))...)
}

func (q *asker) statistics(ctx context.Context, in statisticsInput) (any, error) {
	return q.file(ctx, in.source, "--quiet", "--json", "--hide-secrets", "--statistic="+in.Name)
}

// packets are the flags of a question for packets.
var packets = []string{"--json", "--hide-secrets"}

// file asks the command without a verb about a file.
func (q *asker) file(ctx context.Context, of source, arguments ...string) (any, error) {
	// A name after the flag is never taken for a verb, a flag or a filter.
	names, err := q.inputs("--read-file=", &of.inputs, false)
	if err != nil {
		return nil, err
	}
	return q.rows(ctx, of.page, slices.Concat(names, arguments, of.choice.arguments())...)
}

// inputs returns the names of inputs for the command, each after a prefix. whole means that they may be folders.
func (q *asker) inputs(prefix string, of *inputs, whole bool) (list []string, err error) {
	files, err := of.names()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name, err := q.input(file, whole)
		if err != nil {
			return nil, err
		}
		list = append(list, prefix+name)
	}
	return list, nil
}

func (q *asker) events(ctx context.Context, in eventsInput) (any, error) {
	names, err := q.inputs("--read-file=", &in.inputs, false)
	if err != nil {
		return nil, err
	}
	return q.rows(ctx, in.page, slices.Concat([]string{"events"}, names, []string{"--json"},
		set("--merge", in.Merge), set("--shots", in.Shots), in.choice.arguments(), query(in.JQ))...)
}

func (q *asker) matches(ctx context.Context, in manyInput) (any, error) {
	return q.many(ctx, "catalogue", in)
}

func (q *asker) players(ctx context.Context, in manyInput) (any, error) {
	return q.many(ctx, "players", in)
}

// many asks a verb about many files.
func (q *asker) many(ctx context.Context, verb string, in manyInput) (any, error) {
	arguments := appendGiven([]string{verb, "--json", "--no-cache"}, "--display-filter", in.Filter, "--sort", in.Sort)
	return q.verb(ctx, in.page, &in.inputs, true, arguments...)
}

// verb asks a verb about files, and folders if whole is set.
func (q *asker) verb(ctx context.Context, p page, of *inputs, whole bool, arguments ...string) (any, error) {
	names, err := q.inputs("", of, whole)
	if err != nil {
		return nil, err
	}
	return q.rows(ctx, p, slices.Concat(arguments, []string{"--"}, names)...)
}

func (q *asker) moments(ctx context.Context, in momentsInput) (any, error) {
	arguments := appendGiven([]string{"moments", "--json"}, "--player", in.Player)
	return q.verb(ctx, in.page, &in.inputs, false, append(arguments, in.choice.arguments()...)...)
}

func (q *asker) compare(ctx context.Context, in compareInput) (any, error) {
	return q.verb(ctx, in.page, &in.inputs, false, slices.Concat([]string{"compare", "--json"},
		set("--seconds", in.Seconds), set("--session", in.Session))...)
}

func (q *asker) fields(ctx context.Context, in fieldsInput) (any, error) {
	arguments := append(set("events", in.Events), "--list-fields", "--json")
	if in.Word != "" {
		arguments = append(arguments, "--", in.Word)
	}
	return q.rows(ctx, in.page, arguments...)
}

// An explanation is an answer in words.
type explanation struct {
	Text string `json:"text"`
}

func (q *asker) explain(ctx context.Context, in explainInput) (any, error) {
	text, err := q.text(ctx, "help", "--", strings.TrimLeft(in.Word, "-"))
	return explanation{text}, err
}

func (q *asker) filterHelp(ctx context.Context, in filterInput) (any, error) {
	if in.Filter == "" {
		text, err := q.text(ctx, "help", "filters")
		return explanation{text}, err
	}
	names := filter.Records(all.Protocols())
	if in.Events {
		names = filter.Events(all.Protocols())
	}
	if _, err := names.Compile(in.Filter); err != nil {
		return nil, err
	}
	return explanation{"this is a filter of what it was checked for"}, nil
}
