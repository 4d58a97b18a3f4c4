package people

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view/internal/objects"
)

// Fields of a Career, for filters: those of its JSON.
var (
	caID             = dissect.Field{Key: "id", Kind: dissect.Text, Doc: "GUID, name and address, or name"}
	caIDKind         = dissect.Field{Key: "id_kind", Kind: dissect.Text, Doc: "guid, name_address or name"}
	caGUIDKind       = dissect.Field{Key: "guid_kind", Kind: dissect.Text, Doc: "what the GUID is: cl_guid"}
	caName           = dissect.Field{Key: "name", Kind: dissect.Text, Doc: "the name used most, without colours"}
	caEvidence       = dissect.Field{Key: "evidence", Kind: dissect.Text, Doc: "why appearances are one person"}
	caNames          = dissect.Field{Key: "names", Kind: dissect.List, Doc: "names, the most frequent first", Children: []*dissect.Field{objects.Object(&caNamed, &caTimes, &caNameFirst, &caNameLast)}}
	caNamed          = dissect.Field{Key: "name", Kind: dissect.Text, Doc: "without colours"}
	caTimes          = dissect.Field{Key: "times", Kind: dissect.Int, Doc: "in how many matches, or files without one"}
	caNameFirst      = dissect.Field{Key: "first_seen", Kind: dissect.Text, Doc: "when the name was first seen; without a zone in local time"}
	caNameLast       = dissect.Field{Key: "last_seen", Kind: dissect.Text, Doc: "when the name was last seen"}
	caAddresses      = dissect.Field{Key: "addresses", Kind: dissect.List, Doc: "of the client, without ports", Children: []*dissect.Field{{Kind: dissect.Text}}}
	caServers        = dissect.Field{Key: "servers", Kind: dissect.List, Doc: "endpoints of servers", Children: []*dissect.Field{{Kind: dissect.Text}}}
	caBot            = dissect.Field{Key: "bot", Kind: dissect.Bool, Doc: "present for bots"}
	caFiles          = dissect.Field{Key: "files", Kind: dissect.Int, Doc: "files with the person"}
	caMatches        = dissect.Field{Key: "matches", Kind: dissect.Int, Doc: "matches played"}
	caWon            = dissect.Field{Key: "won", Kind: dissect.Int, Doc: "matches won"}
	caLost           = dissect.Field{Key: "lost", Kind: dissect.Int, Doc: "matches that another player or team won"}
	caKills          = dissect.Field{Key: "kills", Kind: dissect.Int, Doc: "players killed, team mates not counted"}
	caDeaths         = dissect.Field{Key: "deaths", Kind: dissect.Int, Doc: "by others"}
	caSuicides       = dissect.Field{Key: "suicides", Kind: dissect.Int, Doc: "deaths by the player himself or by the world"}
	caTeamKills      = dissect.Field{Key: "team_kills", Kind: dissect.Int, Doc: "team mates killed"}
	caDamageGiven    = dissect.Field{Key: "damage_given", Kind: dissect.Int, Doc: "of matches whose game announced it"}
	caDamageReceived = dissect.Field{Key: "damage_received", Kind: dissect.Int, Doc: "of matches whose game announced it"}
	caWeapons        = dissect.Field{Key: "weapons", Kind: dissect.List, Children: []*dissect.Field{objects.Object(&caWeapon, &caShots, &caHits, &caAccuracy)}, Doc: "weapons whose shots the game announced"}
	caWeapon         = dissect.Field{Key: "weapon", Kind: dissect.Text, Doc: "its name"}
	caShots          = dissect.Field{Key: "shots", Kind: dissect.Int, Doc: "that the game announced, in all matches"}
	caHits           = dissect.Field{Key: "hits", Kind: dissect.Int, Doc: "shots that hit"}
	caAccuracy       = dissect.Field{Key: "accuracy", Kind: dissect.Float, Unit: "%", Doc: "hits by shots"}
	caMinutes        = dissect.Field{Key: "minutes", Kind: dissect.Float, Doc: "time in matches, in minutes"}
	caFirstSeen      = dissect.Field{Key: "first_seen", Kind: dissect.Text, Doc: "when; without a zone in local time"}
	caLastSeen       = dissect.Field{Key: "last_seen", Kind: dissect.Text, Doc: "when"}
	caFirstSeenFrom  = dissect.Field{Key: "first_seen_from", Kind: dissect.Text, Doc: "where first_seen is from: capture, game, name or file (its last change, as when it was copied)"}
	caLastSeenFrom   = dissect.Field{Key: "last_seen_from", Kind: dissect.Text, Doc: "where last_seen is from"}
)

// Fields describe the members of a Career that AppendFields adds to a tree.
func Fields() []*dissect.Field {
	return []*dissect.Field{
		&caID, &caIDKind, &caGUIDKind, &caName, &caEvidence, &caNames, &caAddresses, &caServers, &caBot, &caFiles, &caMatches,
		&caWon, &caLost, &caKills, &caDeaths, &caSuicides, &caTeamKills, &caDamageGiven, &caDamageReceived, &caWeapons,
		&caMinutes, &caFirstSeen, &caLastSeen, &caFirstSeenFrom, &caLastSeenFrom,
	}
}

// AppendFields adds the members that the person has to a tree, as fields at its top.
func (p *Career) AppendFields(t *dissect.Tree) {
	text := func(f *dissect.Field, s string) {
		if s != "" {
			t.AddBytes(f, []byte(s), 0, 0)
		}
	}
	texts := func(f *dissect.Field, list []string) {
		if len(list) == 0 {
			return
		}
		t.Open(f, 0)
		for _, s := range list {
			t.AddBytes(f.Children[0], []byte(s), 0, 0)
		}
		t.Close(0)
	}
	text(&caID, p.ID)
	text(&caIDKind, p.IDKind)
	text(&caGUIDKind, p.GUIDKind)
	text(&caName, p.Name)
	text(&caEvidence, p.Evidence)
	objects.Add(t, &caNames, p.Names, func(n *Name) {
		text(&caNamed, n.Name)
		t.AddInt(&caTimes, n.Times, 0, 0)
		text(&caNameFirst, n.FirstSeen)
		text(&caNameLast, n.LastSeen)
	})
	texts(&caAddresses, p.Addresses)
	texts(&caServers, p.Servers)
	if p.Bot {
		t.AddBool(&caBot, true, 0, 0)
	}
	for _, n := range []struct {
		field *dissect.Field
		value int64
	}{
		{&caFiles, p.Files},
		{&caMatches, p.Matches},
		{&caWon, p.Won},
		{&caLost, p.Lost},
		{&caKills, p.Kills},
		{&caDeaths, p.Deaths},
		{&caSuicides, p.Suicides},
		{&caTeamKills, p.TeamKills},
		{&caDamageGiven, int64(p.DamageGiven)},
		{&caDamageReceived, int64(p.DamageReceived)},
	} {
		t.AddInt(n.field, n.value, 0, 0)
	}
	objects.Add(t, &caWeapons, p.Weapons, func(w *Weapon) {
		text(&caWeapon, w.Weapon)
		t.AddInt(&caShots, w.Shots, 0, 0)
		t.AddInt(&caHits, w.Hits, 0, 0)
		t.AddFloat(&caAccuracy, float32(w.Accuracy), 0, 0)
	})
	t.AddFloat(&caMinutes, float32(p.Minutes), 0, 0)
	text(&caFirstSeen, p.FirstSeen)
	text(&caLastSeen, p.LastSeen)
	text(&caFirstSeenFrom, p.FirstSeenFrom)
	text(&caLastSeenFrom, p.LastSeenFrom)
}
