package view

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// rconKind lists who used remote control, or tried to.
func rconKind() Kind {
	return Kind{
		Name: "rcon", Usage: "rcon", Doc: "remote control by source: attempts, answers, guessed passwords",
		Needs:   Needs{Tree: true, Events: true},
		Columns: rconColumns(false).described(),
		make: withoutArguments("rcon", func(env *Env) Statistic {
			return &rcon{sources: newTop[sourceKey, rconSource](topKeys / 10), secrets: env.Secrets, masked: env.Masked}
		}),
	}
}

type rconRow = *counted[sourceKey, rconSource]

// rconColumns are the columns; masked: with asterisks for passwords.
func rconColumns(masked bool) columns[rconRow] {
	passwords := valuesColumn("passwords", "string", "the first of the passwords, in the order in which they came: tags "+
		"that are the same for the same password, the passwords with --show-secrets, asterisks with --hide-secrets")
	return columns[rconRow]{
		{textColumn("server", "endpoint of the server"), func(c rconRow) any { return c.key.server.String() }},
		{textColumn("source", "address of whoever asked"), func(c rconRow) any { return c.key.source.String() }},
		{integerColumn("attempts", "commands for remote control, and logins"), func(c rconRow) any { return c.value.attempts }},
		{integerColumn("denied", "answers that refuse"), func(c rconRow) any { return c.value.denied }},
		{integerColumn("answered", "attempts with an answer that does not refuse"), func(c rconRow) any { return c.value.answered }},
		{integerColumn("guesses", "different passwords"), func(c rconRow) any { return uint64(len(c.value.passwords)) + c.value.more }},
		{passwords, func(c rconRow) any {
			shown := c.value.passwords
			if masked {
				shown = slices.Repeat([]string{dissect.SecretMask}, len(shown))
			}
			text := strings.Join(shown, ", ")
			if c.value.more > 0 {
				text += ", ..."
			}
			return values(&passwords, shown, text)
		}},
		{startColumn, func(c rconRow) any { return c.value.start() }},
		{startTimeColumn, func(c rconRow) any { return c.value.startTime() }},
		{durationColumn, func(c rconRow) any { return c.value.duration() }},
	}
}

type sourceKey struct {
	server netip.AddrPort
	source netip.Addr
}

func sourceOf(rec *dissect.Record) (key sourceKey, ok bool) {
	switch rec.Direction {
	case dissect.ClientToServer:
		return sourceKey{rec.Dst, rec.Src.Addr()}, rec.Src.IsValid()
	case dissect.ServerToClient:
		return sourceKey{rec.Src, rec.Dst.Addr()}, rec.Src.IsValid()
	}
	return key, false
}

type rconSource struct {
	attempts, denied, answered uint64
	waiting                    bool // the last attempt has no answer yet
	passwords                  []string
	more                       uint64 // passwords that are not kept
	times
}

type rcon struct {
	sources *top[sourceKey, rconSource]
	secrets bool
	masked  bool
	query   dissect.Query
}

func (s *rcon) Add(rec *dissect.Record) {
	key, ok := sourceOf(rec)
	if !ok {
		return
	}
	hasEvent := false
	for e := range rec.Events.Top().Children() {
		switch e.Get(dissect.EventKind.Key).String() {
		case event.Rcon:
			hasEvent = true
			r := s.sources.add(key, 1)
			r.attempts++
			r.waiting = true
			r.times.add(rec)
			if password := e.Get("password"); password.Exists() {
				r.guess(s.tag(password.Bytes()))
			}
		case event.RconGranted:
			hasEvent = true
			r := s.sources.add(key, 0)
			r.answered++
			r.waiting = false
			r.times.add(rec)
		case event.RconDenied:
			hasEvent = true
			r := s.sources.add(key, 0)
			r.denied++
			r.waiting = false
			r.times.add(rec)
		}
	}
	if hasEvent || rec.Direction != dissect.ServerToClient {
		return
	}
	if rec.Query(&s.query) && s.query.Name == "print" {
		if c := s.sources.byKey[key]; c != nil && c.value.waiting {
			c.value.waiting = false
			c.value.answered++
			c.value.times.add(rec)
		}
	}
}

// tag returns the form in which a password is shown.
func (s *rcon) tag(password []byte) string {
	switch {
	case len(password) == 0:
		return "(none)"
	case s.secrets:
		return wiretext.String(password)
	}
	sum := sha256.Sum256(password)
	return hex.EncodeToString(sum[:4])
}

func (r *rconSource) guess(tag string) {
	switch {
	case slices.Contains(r.passwords, tag):
	case len(r.passwords) < listed:
		r.passwords = append(r.passwords, tag)
	default:
		r.more++
	}
}

func (s *rcon) Tables() []Table {
	notes := s.sources.notes("sources")
	for c := range s.sources.inOrder() {
		if c.value.more > 0 {
			notes = append(notes, "guesses of "+c.key.source.String()+": beyond the first ones every attempt counts as another")
		}
	}
	return []Table{rconColumns(s.masked).table("rcon", s.sources.inOrder(), notes)}
}

// serversKind lists servers with what they report about themselves.
func serversKind() Kind {
	return Kind{
		Name: "servers", Usage: "servers", Doc: "each server's settings, key by key", Needs: Needs{Tree: true},
		Columns: serverColumns().described(),
		make:    withoutArguments("servers", func(*Env) Statistic { return &servers{facts: newTop[factKey, fact](topKeys)} }),
	}
}

type serverRow = *counted[factKey, fact]

func serverColumns() columns[serverRow] {
	return columns[serverRow]{
		{textColumn("server", "endpoint of the server").at(InHeading), func(c serverRow) any { return c.key.server.String() }},
		{textColumn("key", "as the server spells it"), func(c serverRow) any { return c.key.key }},
		{textColumn("value", "the last value"), func(c serverRow) any { return c.value.value }},
		{integerColumn("answers", "answers that have the key"), func(c serverRow) any { return c.value.answers }},
		{integerColumn("changes", "how often the value was another than before"), func(c serverRow) any { return c.value.changes }},
		{integerColumn("first_frame", "frame of the first answer with it").at(BelowLine), func(c serverRow) any { return c.value.first }},
		{integerColumn("last_frame", "frame of the last one").at(BelowLine), func(c serverRow) any { return c.value.last }},
	}
}

type factKey struct {
	server netip.AddrPort
	key    string
}

type fact struct {
	value            string
	answers, changes uint64
	first, last      uint64
}

type servers struct {
	facts *top[factKey, fact]
	query dissect.Query
}

func (s *servers) Add(rec *dissect.Record) {
	if rec.Direction != dissect.ServerToClient || !rec.Query(&s.query) {
		return
	}
	for _, p := range s.query.Info {
		f := s.facts.add(factKey{rec.Src, wiretext.String(p.Key)}, 1)
		value := wiretext.String(p.Value)
		if f.answers == 0 {
			f.first = rec.Frame
		} else if f.value != value {
			f.changes++
		}
		f.value, f.last = value, rec.Frame
		f.answers++
	}
}

func (s *servers) Tables() []Table {
	order := func(a, b *counted[factKey, fact]) int {
		return cmp.Or(a.key.server.Compare(b.key.server), cmp.Compare(a.born, b.born))
	}
	return []Table{serverColumns().table("servers", s.facts.all(order), s.facts.notes("keys"))}
}
