package people

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/members"
)

// A Career is a person over many files.
type Career struct {
	ID             string   `json:"id" doc:"GUID, name and address, or name"`
	IDKind         string   `json:"id_kind" words:"guid,name_address,name" doc:"guid, name_address or name"`
	GUIDKind       string   `json:"guid_kind,omitempty" doc:"what the GUID is: cl_guid"`
	Name           string   `json:"name" doc:"the name used most, without colours"`
	Evidence       string   `json:"evidence,omitempty" doc:"why appearances are one person"`
	Names          []Name   `json:"names" doc:"names, the most frequent first"`
	Addresses      []string `json:"addresses,omitempty" doc:"of the client, without ports"`
	Servers        []string `json:"servers,omitempty" doc:"endpoints of servers"`
	Bot            bool     `json:"bot,omitempty" doc:"present for bots"`
	Files          int64    `json:"files" doc:"files with the person"`
	Matches        int64    `json:"matches" doc:"matches played"`
	Won            int64    `json:"won" doc:"matches won"`
	Lost           int64    `json:"lost" doc:"matches that another player or team won"`
	Kills          int64    `json:"kills" doc:"players killed, team mates not counted"`
	Deaths         int64    `json:"deaths" doc:"by others"`
	Suicides       int64    `json:"suicides" doc:"deaths by the player himself or by the world"`
	TeamKills      int64    `json:"team_kills" doc:"team mates killed"`
	DamageGiven    float64  `json:"damage_given,omitempty" int:"" doc:"of matches whose game announced it"`
	DamageReceived float64  `json:"damage_received,omitempty" int:"" doc:"of matches whose game announced it"`
	Weapons        []Weapon `json:"weapons,omitempty" doc:"weapons whose shots the game announced"`
	Minutes        float64  `json:"minutes" doc:"time in matches, in minutes"`
	FirstSeen      string   `json:"first_seen,omitempty" doc:"when; without a zone in local time"`
	LastSeen       string   `json:"last_seen,omitempty" doc:"when"`
	FirstSeenFrom  string   `json:"first_seen_from,omitempty" doc:"where first_seen is from: capture, game, name or file (its last change, as when it was copied)"`
	LastSeenFrom   string   `json:"last_seen_from,omitempty" doc:"where last_seen is from"`

	files    map[string]bool
	borrowed int64 // matches whose GUID another recording shows
}

// A Name is a name with the time of its use.
type Name struct {
	Name      string `json:"name" doc:"without colours"`
	Times     int64  `json:"times" doc:"in how many matches, or files without one"`
	FirstSeen string `json:"first_seen,omitempty" doc:"when the name was first seen; without a zone in local time"`
	LastSeen  string `json:"last_seen,omitempty" doc:"when the name was last seen"`

	last int64 // times that it was the last name of a match
}

// A Weapon is the sum over all matches that have the numbers.
type Weapon struct {
	Weapon   string  `json:"weapon" doc:"its name"`
	Shots    int64   `json:"shots" doc:"that the game announced, in all matches"`
	Hits     int64   `json:"hits" doc:"shots that hit"`
	Accuracy float64 `json:"accuracy" unit:"%" doc:"hits by shots"`
}

var career = members.Of[Career]()

// Fields describe the members of a Career that AppendFields adds to a tree.
func Fields() []*dissect.Field { return career.Fields() }

// AppendFields adds the members that the person has to a tree, as fields at its top.
func (p *Career) AppendFields(t *dissect.Tree) { career.Append(t, p) }

// Cell returns a function for the cells of a table with a member.
func Cell(key string) func(*Career) string { return career.Cell(key) }

// Schema returns the JSON Schema of a Career.
func Schema() []byte {
	return career.Schema("q3dissect players", "one line of q3dissect players --json: a person over all files")
}
