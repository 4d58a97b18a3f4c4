package view

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// playersKind lists the players.
func playersKind() Kind {
	return Kind{
		Name: "players", Usage: "players",
		Doc:     "who is who: clients with addresses, ports, GUIDs and names over time, and players that servers named",
		Needs:   Needs{Tree: true, Events: true},
		Columns: playerColumns().described(),
		make: withoutArguments("players", func(*Env) Statistic {
			return &players{clients: newTop[fileStream, client](topKeys / 10), seen: newTop[seenKey, person](topKeys / 10)}
		}),
	}
}

// A playerRow is a row of the statistic players: a client, or a player that a server named.
type playerRow struct {
	fileStream
	*person
	client    *client // nil: a player that was seen
	number    int64   // of the player that was seen
	guids     int     // different ones of the client's address
	addresses int     // different ones of the client's GUID
}

func playerColumns() columns[playerRow] {
	// own is a column that clients have, by their own datagrams.
	ports := valuesColumn("ports", "integer", "its ports, in the order in which it used them")
	names := valuesColumn("names", "string", "its names, in the order in which it had them")
	own := func(c Column, value func(playerRow) any) column[playerRow] {
		return column[playerRow]{c, func(r playerRow) any {
			if r.client == nil {
				return nil
			}
			return value(r)
		}}
	}
	return columns[playerRow]{
		{
			textColumn("kind", "client: by its own datagrams; seen: by what a server told another client"),
			func(r playerRow) any {
				if r.client == nil {
					return "seen"
				}
				return "client"
			},
		},
		{fileColumn, func(r playerRow) any { return orNil(r.file) }},
		{streamColumn, func(r playerRow) any { return int64(r.stream) }},
		{textColumn("server", "endpoint of the server").at(BelowLine), func(r playerRow) any { return onlyIf(r.client != nil || r.server.IsValid(), r.server.String()) }},
		own(textColumn("address", "address of the client"),
			func(r playerRow) any { return r.client.address.Addr().String() }),
		own(ports, func(r playerRow) any { return values(&ports, r.client.ports, joinPorts(r.client.ports)) }),
		own(integerColumn("qport", "number by which the server knows it"),
			func(r playerRow) any { return onlyIf(r.client.hasQport, int64(r.client.qport)) }),
		own(textColumn("guid", "the GUID that it sent last").at(BelowLine),
			func(r playerRow) any { return orNil(r.client.guid) }),
		{integerColumn("client_num", "seen: number of the client"), func(r playerRow) any { return onlyIf(r.client == nil, r.number) }},
		{names, func(r playerRow) any { return values(&names, r.names, strings.Join(r.names, ", ")) }},
		{integerColumn("connects", "how often it came"), func(r playerRow) any { return r.connects }},
		{startColumn.at(BelowLine), func(r playerRow) any { return r.start() }},
		{startTimeColumn, func(r playerRow) any { return r.startTime() }},
		{numberColumn("end", "s", "last it was heard of").at(BelowLine), func(r playerRow) any { return r.seconds(r.last - r.base) }},
		own(integerColumn("guids_of_address", "different GUIDs that clients with its address sent").at(BelowLine),
			func(r playerRow) any { return onlyIf(r.client.guid != "", int64(r.guids)) }),
		own(integerColumn("addresses_of_guid", "different addresses that sent its GUID").at(BelowLine),
			func(r playerRow) any { return onlyIf(r.client.guid != "", int64(r.addresses)) }),
	}
}

// A person is what is known of a client, and of a player that a server named.
type person struct {
	server   netip.AddrPort
	names    []string
	connects uint64
	times
}

type client struct {
	person
	address     netip.AddrPort
	ports       []uint16
	qport       uint16
	hasQport    bool
	guid        string
	guids       []string
	lastRequest int64
	named       bool // the client gave its name
}

type seenKey struct {
	fileStream
	number int64
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
	seen    *top[seenKey, person]
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
	if !rec.Introduction(&s.id) {
		return
	}
	c.named = true
	if len(s.id.Name) > 0 {
		c.names = addNew(c.names, wiretext.String(s.id.Name))
	}
	if len(s.id.GUID) > 0 {
		c.guid = wiretext.String(s.id.GUID)
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
		p := s.heardOf(rec, stream, number.Int())
		if kind == event.Connect {
			p.connects++
		}
		if name := who.Get("name"); name.Exists() && (kind == event.Connect || kind == event.Rename || len(p.names) == 0) {
			p.names = addNew(p.names, wiretext.String(name.Bytes()))
		}
	}
	for e := range rec.Events.Top().Children() {
		for line := range e.Get("scores").Children() { // who only watches is in lists of scores alone
			number := line.Get("client_num")
			if _, known := s.seen.byKey[seenKey{stream, number.Int()}]; known && number.Exists() {
				s.heardOf(rec, stream, number.Int())
			}
		}
		for p := range e.Get("players").Children() { // players of a game in progress
			if number := p.Get("client_num"); number.Exists() {
				seen := s.heardOf(rec, stream, number.Int())
				if name := p.Get("name"); name.Exists() { // not in sessions whose beginning was not seen
					seen.names = addNew(seen.names, wiretext.String(name.Bytes()))
				}
			}
		}
	}
}

// heardOf returns the player with a number, who is mentioned in a record.
func (s *players) heardOf(rec *dissect.Record, stream fileStream, number int64) *person {
	p := s.seen.add(seenKey{stream, number}, 1)
	p.times.add(rec)
	if p.server = rec.Src; rec.Direction == dissect.ClientToServer {
		p.server = rec.Dst
	}
	return p
}

func (s *players) Tables() []Table {
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
	var rows []playerRow
	for c := range s.clients.inOrder() {
		if v := &c.value; v.named {
			rows = append(rows, playerRow{
				fileStream: c.key, person: &v.person, client: v, guids: len(guids[v.address.Addr()]),
				addresses: len(addresses[v.guid]),
			})
		}
	}
	order := func(a, b *counted[seenKey, person]) int {
		return cmp.Or(cmp.Compare(a.key.file, b.key.file), cmp.Compare(a.key.stream, b.key.stream),
			cmp.Compare(a.key.number, b.key.number))
	}
	for c := range s.seen.all(order) {
		rows = append(rows, playerRow{fileStream: c.key.fileStream, person: &c.value, number: c.key.number})
	}
	return []Table{playerColumns().table("players", slices.Values(rows),
		append(s.clients.notes("clients"), s.seen.notes("players")...))}
}

func joinPorts(ports []uint16) string {
	var list []string
	for _, p := range ports {
		list = append(list, strconv.Itoa(int(p)))
	}
	return strings.Join(list, ", ")
}

// A playerName is a player's last name.
type playerName struct{ name, clean any }

// playerNames are the last names of players, from events.
type playerNames struct{ list *top[seenKey, playerName] }

func newPlayerNames() playerNames { return playerNames{newTop[seenKey, playerName](topKeys / 10)} }

// add keeps the names that a record shows.
func (p *playerNames) add(rec *dissect.Record, stream fileStream) {
	named := func(who dissect.Value) {
		if number, name := who.Get("client_num"), who.Get("name"); number.Exists() && name.Exists() {
			raw := wiretext.String(name.Bytes())
			one := playerName{raw, raw}
			if clean := who.Get("name_clean"); clean.Exists() {
				one.clean = wiretext.String(clean.Bytes())
			}
			*p.list.add(seenKey{stream, number.Int()}, 1) = one
		}
	}
	for e := range rec.Events.Top().Children() {
		named(e.Get("client"))
		for p := range e.Get("players").Children() { // players of a game in progress
			named(p)
		}
	}
}

// of returns the name of a player.
func (p *playerNames) of(stream fileStream, number int) (name playerName) {
	if n, ok := p.list.byKey[seenKey{stream, int64(number)}]; ok && number >= 0 {
		name = n.value
	}
	return name
}
