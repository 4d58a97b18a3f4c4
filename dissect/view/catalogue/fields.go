package catalogue

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/view/internal/objects"
)

// Fields of a Listing, for filters: those of its JSON.
var (
	clFile       = dissect.Field{Key: "file", Kind: dissect.Text, Doc: "name of the file"}
	clKind       = dissect.Field{Key: "kind", Kind: dissect.Text, Doc: "capture or demo"}
	clProtocol   = dissect.Field{Key: "protocol", Kind: dissect.Text, Doc: "of the match, or the most frequent one of the file"}
	clServer     = dissect.Field{Key: "server", Kind: dissect.Text, Doc: "endpoint of the server, of captures"}
	clServers    = dissect.Field{Key: "servers", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Text}}, Doc: "its endpoints, of a server with an IPv4 and an IPv6 address"}
	clHostname   = dissect.Field{Key: "hostname", Kind: dissect.Text, Doc: "name of the server"}
	clMatch      = dissect.Field{Key: "match", Kind: dissect.Int, Doc: "number of the match in the file"}
	clStreams    = dissect.Field{Key: "streams", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Int}}, Doc: "streams that show the match"}
	clMod        = dissect.Field{Key: "mod", Kind: dissect.Text, Doc: "the game or mod, as it calls itself"}
	clMap        = dissect.Field{Key: "map", Kind: dissect.Text, Doc: "name of the map"}
	clGametype   = dissect.Field{Key: "gametype", Kind: dissect.Text, Doc: "what is played: its name, or its number"}
	clDate       = dissect.Field{Key: "date", Kind: dissect.Text, Doc: "when, as 2014-11-20T01:44:00Z; without Z in local time"}
	clDateFrom   = dissect.Field{Key: "date_from", Kind: dissect.Text, Doc: "capture, game, name or file"}
	clStartTime  = dissect.Field{Key: "start_time", Kind: dissect.Int, Unit: "ms", Doc: "server time at which the match began"}
	clLate       = dissect.Field{Key: "began_before", Kind: dissect.Bool, Doc: "present for a match that began before the recording, nobody knows when: what happened since is counted"}
	clDuration   = dissect.Field{Key: "duration", Kind: dissect.Int, Unit: "ms", Doc: "length of the match without pauses"}
	clPlayers    = dissect.Field{Key: "players", Kind: dissect.List, Children: []*dissect.Field{objects.Object(&clName, &clTeam, &clBot, &clKills)}, Doc: "who played"}
	clRecordedBy = dissect.Field{Key: "recorded_by", Kind: dissect.Text, Doc: "the client whose demo it is"}
	clReason     = dissect.Field{Key: "reason", Kind: dissect.Text, Doc: "why the match ended"}
	clWinner     = dissect.Field{Key: "winner", Kind: dissect.Text, Doc: "team or player"}
	clScores     = dissect.Field{Key: "scores", Kind: dissect.List, Children: []*dissect.Field{objects.Object(&clName, &clScore)}, Doc: "teams or players, best first"}
	clFinishes   = dissect.Field{Key: "finishes", Kind: dissect.List, Children: []*dissect.Field{objects.Object(&clName, &clTime)}, Doc: "best times of a race"}
	clRace       = dissect.Field{Key: "race", Kind: dissect.Object, Children: []*dissect.Field{&clStarts, &clPassed, &clFinished, &clRunners, &clTeams}, Doc: "what happened in a race"}
	clFlagRuns   = dissect.Field{Key: "flag_runs", Kind: dissect.List, Children: []*dissect.Field{objects.Object(clRunFields...)}, Doc: "the fastest capture of each player"}
	clNamed      = dissect.Field{Key: "named", Kind: dissect.Object, Children: clNamedFields, Doc: "what the name of a demo of DeFRaG says of its run: nothing of it is from the recording"}
	clComplete   = dissect.Field{Key: "complete", Kind: dissect.Bool, Doc: "beginning and end of the match were seen"}
	clDamaged    = dissect.Field{Key: "damaged", Kind: dissect.Uint, Doc: "damaged datagrams or messages of the file"}
	clError      = dissect.Field{Key: "error", Kind: dissect.Text, Doc: "why the file could not be read to its end"}

	clName  = dissect.Field{Key: "name", Kind: dissect.Text, Doc: "without colours"}
	clTeam  = dissect.Field{Key: "team", Kind: dissect.Text, Doc: "of games with teams"}
	clBot   = dissect.Field{Key: "bot", Kind: dissect.Bool, Doc: "present for bots"}
	clKills = dissect.Field{Key: "kills", Kind: dissect.Int}
	clScore = dissect.Field{Key: "score", Kind: dissect.Int, Doc: "absent where it is not known"}
	clTime  = dissect.Field{Key: "time", Kind: dissect.Int, Unit: "ms"}
)

// Fields of the run that a name describes.
var (
	clNamedFields = []*dissect.Field{
		&clNamedMap, &clMode, &clPhysics, &clVariant, &clTime, &clNamedPlayer, &clCountry, &clCheck, &clTag, &clDiffers,
	}
	clNamedMap    = dissect.Field{Key: "map", Kind: dissect.Text, Doc: "name of the map"}
	clMode        = dissect.Field{Key: "mode", Kind: dissect.Text, Doc: "df, mdf (several players), fc, mfc (fast captures)"}
	clPhysics     = dissect.Field{Key: "physics", Kind: dissect.Text, Doc: "vq3 or cpm"}
	clVariant     = dissect.Field{Key: "variant", Kind: dissect.Text, Doc: "the rest of the mode: the number of a fast capture's rules, tr for a timer reset"}
	clNamedPlayer = dissect.Field{Key: "player", Kind: dissect.Text, Doc: "who ran"}
	clCountry     = dissect.Field{Key: "country", Kind: dissect.Text, Doc: "of the player"}
	clCheck       = dissect.Field{Key: "check", Kind: dissect.Text, Doc: "what is not as it must be for a record: sv_cheats=1"}
	clTag         = dissect.Field{Key: "tag", Kind: dissect.Text, Doc: "spect, or the number of a client, of demos that were made from others"}
	clDiffers     = dissect.Field{Key: "differs", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Text}}, Doc: "map, player or time, where the recording says something else"}
)

// Fields of races and runs.
var (
	clStarts   = dissect.Field{Key: "starts", Kind: dissect.Int, Doc: "starts that were seen"}
	clPassed   = dissect.Field{Key: "checkpoints", Kind: dissect.Int, Doc: "checkpoints that were passed, as far as that was seen"}
	clFinished = dissect.Field{Key: "finishes", Kind: dissect.Int, Doc: "finishes; of a run with a flag: captures"}
	clRunners  = dissect.Field{Key: "runners", Kind: dissect.List, Children: []*dissect.Field{objects.Object(clRunFields...)}, Doc: "the best run of each player, best first"}
	clTeams    = dissect.Field{Key: "teams", Kind: dissect.List, Children: []*dissect.Field{objects.Object(&clTime, &clMembers)}, Doc: "finishes of teams, best first"}
	clMembers  = dissect.Field{Key: "players", Kind: dissect.List, Children: []*dissect.Field{{Kind: dissect.Text}}, Doc: "who ran"}

	clRunFields   = []*dissect.Field{&clName, &clRunFlag, &clTime, &clFinished, &clRunDistance, &clRunSpeed, &clRunTop}
	clRunFlag     = dissect.Field{Key: "flag", Kind: dissect.Text, Doc: "of a run with a flag: whose it was"}
	clRunDistance = dissect.Field{Key: "distance", Kind: dissect.Int, Unit: "units", Doc: "of the run, as far as snapshots showed it"}
	clRunSpeed    = dissect.Field{Key: "speed", Kind: dissect.Int, Unit: "units/s", Doc: "mean speed"}
	clRunTop      = dissect.Field{Key: "top_speed", Kind: dissect.Int, Unit: "units/s", Doc: "highest speed between two snapshots"}
)

// Fields describe the members of a Listing that AppendFields adds to a tree.
func Fields() []*dissect.Field {
	return []*dissect.Field{
		&clFile, &clKind, &clProtocol, &clServer, &clServers, &clHostname, &clMatch, &clStreams, &clMod, &clMap,
		&clGametype, &clDate, &clDateFrom, &clStartTime, &clLate, &clDuration, &clPlayers, &clRecordedBy, &clReason,
		&clWinner, &clScores, &clFinishes, &clRace, &clFlagRuns, &clNamed, &clComplete, &clDamaged, &clError,
	}
}

// AppendFields adds the members that the line has to a tree, as fields at its top.
func (l *Listing) AppendFields(t *dissect.Tree) {
	text := func(f *dissect.Field, s string) { addText(t, f, s) }
	number := func(f *dissect.Field, v *int64) {
		if v != nil {
			t.AddInt(f, *v, 0, 0)
		}
	}
	text(&clFile, l.File)
	text(&clKind, l.Kind)
	text(&clProtocol, l.Protocol)
	text(&clServer, l.Server)
	if len(l.Servers) > 0 {
		t.Open(&clServers, 0)
		for _, s := range l.Servers {
			t.AddBytes(clServers.Children[0], []byte(s), 0, 0)
		}
		t.Close(0)
	}
	text(&clHostname, l.Hostname)
	number(&clMatch, l.Match)
	if len(l.Streams) > 0 {
		t.Open(&clStreams, 0)
		for _, s := range l.Streams {
			t.AddInt(clStreams.Children[0], s, 0, 0)
		}
		t.Close(0)
	}
	text(&clMod, l.Mod)
	text(&clMap, l.Map)
	text(&clGametype, l.Gametype)
	text(&clDate, l.Date)
	text(&clDateFrom, l.DateFrom)
	number(&clStartTime, l.StartTime)
	if l.Late {
		t.AddBool(&clLate, true, 0, 0)
	}
	number(&clDuration, l.Duration)
	objects.Add(t, &clPlayers, l.Players, func(p *ListingPlayer) {
		text(&clName, p.Name)
		text(&clTeam, p.Team)
		if p.Bot {
			t.AddBool(&clBot, true, 0, 0)
		}
		number(&clKills, p.Kills)
	})
	text(&clRecordedBy, l.RecordedBy)
	text(&clReason, l.Reason)
	text(&clWinner, l.Winner)
	objects.Add(t, &clScores, l.Scores, func(s *ListingScore) {
		text(&clName, s.Name)
		number(&clScore, s.Score)
	})
	objects.Add(t, &clFinishes, l.Finishes, func(f *ListingFinish) {
		text(&clName, f.Name)
		t.AddInt(&clTime, f.Time, 0, 0)
	})
	if l.Race != nil {
		l.Race.appendFields(t)
	}
	objects.Add(t, &clFlagRuns, l.FlagRuns, func(r *ListingRun) { r.appendFields(t) })
	if l.Named != nil {
		l.Named.appendFields(t)
	}
	if l.Complete != nil {
		t.AddBool(&clComplete, *l.Complete, 0, 0)
	}
	t.Add(&clDamaged, l.Damaged, 0, 0)
	text(&clError, l.Error)
}

func (r *ListingRace) appendFields(t *dissect.Tree) {
	t.Open(&clRace, 0)
	t.AddInt(&clStarts, int64(r.Starts), 0, 0)
	t.AddInt(&clPassed, int64(r.Checkpoints), 0, 0)
	t.AddInt(&clFinished, int64(r.Finishes), 0, 0)
	objects.Add(t, &clRunners, r.Runners, func(run *ListingRun) { run.appendFields(t) })
	objects.Add(t, &clTeams, r.Teams, func(team *ListingTeam) {
		t.AddInt(&clTime, team.Time, 0, 0)
		t.Open(&clMembers, 0)
		for _, name := range team.Players {
			t.AddBytes(clMembers.Children[0], []byte(name), 0, 0)
		}
		t.Close(0)
	})
	t.Close(0)
}

func (r *ListingRun) appendFields(t *dissect.Tree) {
	t.AddBytes(&clName, []byte(r.Name), 0, 0)
	if r.Flag != "" {
		t.AddBytes(&clRunFlag, []byte(r.Flag), 0, 0)
	}
	t.AddInt(&clTime, r.Time, 0, 0)
	t.AddInt(&clFinished, int64(r.Finishes), 0, 0)
	if r.Distance != 0 {
		t.AddInt(&clRunDistance, r.Distance, 0, 0)
	}
	if r.Speed != 0 {
		t.AddInt(&clRunSpeed, r.Speed, 0, 0)
	}
	if r.TopSpeed != 0 {
		t.AddInt(&clRunTop, r.TopSpeed, 0, 0)
	}
}

// addText adds a text that is not empty.
func addText(t *dissect.Tree, f *dissect.Field, s string) {
	if s != "" {
		t.AddBytes(f, []byte(s), 0, 0)
	}
}
