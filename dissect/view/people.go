package view

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
)

// playersKind lists the players.
func playersKind() Kind {
	return Kind{
		Name: "players", Usage: "players", Doc: "who is who: clients with addresses, ports, GUIDs and names over time, and players that servers named",
		Needs: Needs{Tree: true, Events: true},
		Columns: []Column{
			{Key: "kind", Type: "string", Doc: "client: by its own datagrams; seen: by what a server told another client"},
			fileColumn, streamColumn,
			{Key: "server", Type: "string", Doc: "endpoint of the server", Place: BelowLine},
			{Key: "address", Type: "string", Doc: "address of the client"},
			{Key: "ports", Type: "string", Doc: "its ports, in the order in which it used them"},
			{Key: "qport", Type: "integer", Doc: "number by which the server knows it"},
			{Key: "guid", Type: "string", Doc: "the GUID that it sent last", Place: BelowLine},
			{Key: "client_num", Type: "integer", Doc: "seen: number of the client"},
			{Key: "names", Type: "string", Doc: "its names, in the order in which it had them, with commas"},
			{Key: "connects", Type: "integer", Doc: "how often it came"},
			startColumn.at(BelowLine),
			{Key: "end", Type: "number", Unit: "s", Doc: "last it was heard of", Place: BelowLine},
			{Key: "guids_of_address", Type: "integer", Doc: "different GUIDs that clients with its address sent", Place: BelowLine},
			{Key: "addresses_of_guid", Type: "integer", Doc: "different addresses that sent its GUID", Place: BelowLine},
		},
		make: withoutArguments("players", func(*Env) Statistic {
			return &players{clients: newTop[fileStream, client](topKeys / 10), seen: newTop[seenKey, seenPlayer](topKeys / 10)}
		}),
	}
}

type client struct {
	server, address netip.AddrPort
	ports           []uint16
	qport           uint16
	hasQport        bool
	guid            string
	guids           []string
	names           []string
	connects        uint64
	lastRequest     int64
	named           bool // the client gave its name
	times
}

type seenKey struct {
	fileStream
	number int64
}

type seenPlayer struct {
	server   netip.AddrPort
	names    []string
	connects uint64
	times
}

// listed is how many names, ports and so on are kept of one player.
const listed = 32

// addNew appends a value unless it is the last one already.
func addNew[T comparable](list []T, v T) []T {
	if n := len(list); n > 0 && list[n-1] == v || n >= listed {
		return list
	}
	return append(list, v)
}

type players struct {
	clients *top[fileStream, client]
	seen    *top[seenKey, seenPlayer]
	id      dissect.Introduction
}

func (s *players) Add(rec *dissect.Record) {
	if rec.Stream < 0 || rec.Protocol == nil {
		return
	}
	key := fileStream{rec.File, rec.Stream}
	if rec.Direction != dissect.Undecidable && rec.Src.IsValid() {
		server, address := rec.Dst, rec.Src
		if rec.Direction == dissect.ServerToClient {
			server, address = address, server
		}
		c := s.clients.add(key, 1)
		c.server, c.address = server, address
		c.ports = addNew(c.ports, address.Port())
		c.times.add(rec)
		s.identify(rec, c)
	}
	s.events(rec, key)
}

func (s *players) identify(rec *dissect.Record, c *client) {
	source, ok := rec.Protocol.(dissect.IntroductionSource)
	if !ok || !source.Introduction(rec, &s.id) {
		return
	}
	c.named = true
	c.names = addNew(c.names, wireText(s.id.Name))
	if len(s.id.GUID) > 0 {
		c.guid = wireText(s.id.GUID)
		if !slices.Contains(c.guids, c.guid) {
			c.guids = addNew(c.guids, c.guid)
		}
	}
	if s.id.HasQport {
		c.qport, c.hasQport = s.id.Qport, true
	}
	// A client that gets no answer asks again every few seconds.
	if s.id.Connect {
		if c.connects == 0 || rec.Time-c.lastRequest > 10e9 {
			c.connects++
		}
		c.lastRequest = rec.Time
	}
}

// events adds the players that a server names.
func (s *players) events(rec *dissect.Record, stream fileStream) {
	for e := range rec.Events.Top().Children() {
		who := e.Get("client")
		number := who.Get("client_num")
		if !number.Exists() {
			continue
		}
		kind := e.Get(dissect.EventKind.Key).String()
		p := s.seen.add(seenKey{stream, number.Int()}, 1)
		p.times.add(rec)
		if p.server = rec.Src; rec.Direction == dissect.ClientToServer {
			p.server = rec.Dst
		}
		if kind == event.Connect {
			p.connects++
		}
		if name := who.Get("name"); name.Exists() && (kind == event.Connect || kind == event.Rename || len(p.names) == 0) {
			p.names = addNew(p.names, wireText(name.Bytes()))
		}
	}
	for e := range rec.Events.Top().Children() {
		for p := range e.Get("players").Children() { // players of a game in progress
			if number := p.Get("client_num"); number.Exists() {
				seen := s.seen.add(seenKey{stream, number.Int()}, 1)
				seen.times.add(rec)
				seen.names = addNew(seen.names, wireText(p.Get("name").Bytes()))
			}
		}
	}
}

func (s *players) Tables() []Table {
	t := Table{Name: "players", Columns: playersKind().Columns, Notes: append(s.clients.notes("clients"), s.seen.notes("players")...)}
	guids, addresses := map[netip.Addr]map[string]bool{}, map[string]map[netip.Addr]bool{}
	for c := range s.clients.inOrder() {
		for _, guid := range c.value.guids {
			a := c.value.address.Addr()
			if guids[a] == nil {
				guids[a] = map[string]bool{}
			}
			if addresses[guid] == nil {
				addresses[guid] = map[netip.Addr]bool{}
			}
			guids[a][guid], addresses[guid][a] = true, true
		}
	}
	for c := range s.clients.inOrder() {
		v := &c.value
		if !v.named {
			continue
		}
		row := []any{
			"client", orNil(c.key.file), int64(c.key.stream), v.server.String(), v.address.Addr().String(), joinPorts(v.ports), nil, orNil(v.guid), nil,
			strings.Join(v.names, ", "), v.connects, v.start(), v.seconds(v.last - v.base), nil, nil,
		}
		if v.hasQport {
			row[6] = int64(v.qport)
		}
		if v.guid != "" {
			row[13], row[14] = int64(len(guids[v.address.Addr()])), int64(len(addresses[v.guid]))
		}
		t.Rows = append(t.Rows, row)
	}
	order := func(a, b *counted[seenKey, seenPlayer]) int {
		return cmp.Or(cmp.Compare(a.key.file, b.key.file), cmp.Compare(a.key.stream, b.key.stream), cmp.Compare(a.key.number, b.key.number))
	}
	for c := range s.seen.all(order) {
		v := &c.value
		var server any
		if v.server.IsValid() {
			server = v.server.String()
		}
		t.Rows = append(t.Rows, []any{
			"seen", orNil(c.key.file), int64(c.key.stream), server, nil, nil, nil, nil, c.key.number, strings.Join(v.names, ", "), v.connects,
			v.start(), v.seconds(v.last - v.base), nil, nil,
		})
	}
	return []Table{t}
}

func joinPorts(ports []uint16) string {
	var list []string
	for _, p := range ports {
		list = append(list, strconv.Itoa(int(p)))
	}
	return strings.Join(list, ", ")
}
