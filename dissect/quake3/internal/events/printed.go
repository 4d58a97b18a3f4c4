package events

import (
	"bytes"

	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/eventtree"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/events/speech"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// printed reads a line of a game that prints chat, deaths and sentences about the players, and marks each with its
// first character.
//
// Source: HUD_MESSAGE_*, code/qcommon/q_shared.h of openmohaa.
func (g *gameView) printed(w *eventWriter, line []byte) {
	kind, text := speech.CutMark(line)
	text = bytes.TrimRight(text, "\n")
	names := g.roster.playerNames()
	switch kind {
	case speech.MarkChat:
		if g.chatPrinted(w, text, names) || names != nil && g.chatPrinted(w, text, nil) {
			return
		}
	case speech.MarkDeath:
		d, ok := speech.ReadDeath(&g.rules().Text, text, names)
		if !ok && names != nil { // about a player whose configstring the capture lacks
			d, ok = speech.ReadDeath(&g.rules().Text, text, nil)
		}
		if ok {
			g.deaths = append(g.deaths, d.Copy())
			return
		}
	}
	for _, round := range g.rules().Match.RoundWins {
		if string(text) == round.Line {
			g.match.roundWon(w, round.Team)
			return
		}
	}
	if _, _, ok := g.roster.subject(text); !ok && g.printedUnknown(w, text) {
		return
	}
	g.print(w, text)
}

// Sentences about players whose configstrings are not known, ClientConnect and Player::Join_DM_Team in code/fgame of
// openmohaa.
var (
	arriving = []byte(" is preparing for deployment")
	joining  = []byte(" has joined the ")
)

// printedUnknown reports what configstrings show where they are known: who connects, and who changes the team.
func (g *gameView) printedUnknown(w *eventWriter, text []byte) bool {
	if name, ok := bytes.CutSuffix(text, arriving); ok && len(name) > 0 && !g.roster.known {
		w.Begin(event.Connect)
		w.client(&evClient, &g.roster, -1, name)
		w.End()
		return true
	}
	at := bytes.LastIndex(text, joining)
	if at <= 0 {
		return false
	}
	for i, team := range tables.TeamNames.Tables[g.family] {
		if bytes.EqualFold(text[at+len(joining):], []byte(team)) {
			w.Begin(event.Team)
			w.client(&evClient, &g.roster, -1, text[:at])
			w.Tree.Add(&evTeam, uint64(i), 0, 0)
			w.End()
			return true
		}
	}
	return false
}

// A voice is a voice message that a client hears.
type voice struct {
	client int
	name   []byte
}

// chatPrinted reports a line of chat. It reports false if the line is none.
func (g *gameView) chatPrinted(w *eventWriter, line []byte, names [][]byte) bool {
	if target, ok := speech.PrivateEcho(line); ok {
		g.settleEcho(w)
		g.echo = target + 1
		return true
	}
	l, ok := speech.SplitPrinted(line, names)
	if !ok {
		return false
	}
	if l.Name != nil {
		l.Client = g.roster.named(l.Name)
	}
	own := l.Client >= 0 && l.Client == g.own
	w.Begin(event.Chat)
	w.Label(&evChannel, l.Channel)
	if l.Client >= 0 || l.Name != nil {
		g.roster.keepName(l.Client, l.Name, fromChat)
		w.clientNamed(&evClient, &g.roster, l.Client, g.roster.mention(l.Name, fromChat))
		w.Flag(&eventtree.Own, own)
	}
	if l.Channel == event.ChannelTell {
		g.writeTarget(w, l.Client, l.Text)
		if own { // the line itself is returned too
			g.echo = 0
		}
	}
	if name := g.takeVoice(l.Client); name != nil {
		w.Text(&evVoice, name)
	}
	w.Both(&evText, &evTextClean, l.Text)
	w.End()
	return true
}

// hear keeps the voice messages of a message: the lines that belong to them come before.
func (g *gameView) hear(m *observe.Message) {
	g.quiet = m.Reader != nil && m.Reader.Generation != nil && m.Reader.Generation.QuietRestart
	for i := range m.Changes {
		if c := &m.Changes[i]; c.Kind == observe.Voice {
			g.voices = append(g.voices, voice{int(c.Client), bytes.Clone(m.Text(c))})
		}
	}
}

// settlePrinted reports what the lines of a message and its snapshot show together.
func (g *gameView) settlePrinted(w *eventWriter) {
	g.settleEcho(w)
	g.settleVoices(w)
	g.settleDeaths(w)
}

// takeVoice returns the voice message that a client is heard with in this message, once; nil: none.
func (g *gameView) takeVoice(client int) (name []byte) {
	for i := range g.voices {
		if v := &g.voices[i]; v.client == client && v.name != nil {
			name, v.name = v.name, nil
			return name
		}
	}
	return nil
}

// settleVoices reports the voice messages without a line.
func (g *gameView) settleVoices(w *eventWriter) {
	for i := range g.voices {
		if v := &g.voices[i]; v.name != nil {
			w.Begin(event.Chat)
			w.Label(&evChannel, event.ChannelSay)
			w.client(&evClient, &g.roster, v.client, nil)
			w.Flag(&eventtree.Own, v.client == g.own)
			w.Text(&evVoice, v.name)
			w.End()
		}
	}
	g.voices = g.voices[:0]
}

// settleEcho reports a private line of the client's own. The server names the recipient alone; the text is that of the
// client's command, if the capture has it.
func (g *gameView) settleEcho(w *eventWriter) {
	target := g.echo - 1
	if g.echo = 0; target < 0 {
		return
	}
	w.Begin(event.Chat)
	w.Label(&evChannel, event.ChannelTell)
	w.client(&evClient, &g.roster, g.own, nil)
	w.Flag(&eventtree.Own, true)
	w.client(&evTarget, &g.roster, target, nil)
	if text := g.tells.TakeFor(target); text != nil {
		w.Both(&evText, &evTextClean, text)
	}
	w.End()
}

// settleDeaths reports the deaths that were announced in words.
func (g *gameView) settleDeaths(w *eventWriter) {
	for i := range g.deaths {
		d := &g.deaths[i]
		killer, victim := -1, g.roster.named(d.Victim)
		if d.Killer != nil {
			killer = g.roster.named(d.Killer)
		}
		g.joinMatch(w)
		switch d.By {
		case tables.DeathByPlayer:
			g.countFrag(killer, victim)
		case tables.DeathBySelf:
			g.countFrag(victim, victim)
		}
		w.Begin(event.Kill)
		if d.Killer != nil {
			g.fighterNamed(w, &evKiller, killer, d.Killer)
		}
		g.fighterNamed(w, &evVictim, victim, d.Victim)
		w.Flag(&evWorld, d.By == tables.DeathByWorld)
		w.Flag(&eventtree.Suicide, d.By == tables.DeathBySelf)
		g.writeMeans(w, d)
		w.End()
		if d.By == tables.DeathBySelf {
			killer = victim
		}
		g.highlights.count(w, g, killer, victim, "")
	}
	g.deaths = g.deaths[:0]
}

// writeMeans adds what the words say of how somebody died.
func (g *gameView) writeMeans(w *eventWriter, d *speech.Death) {
	for i, name := range tables.MeansOfDeathNames.Tables[g.family] {
		if d.Means != "" && name == d.Means {
			w.Tree.Add(&evMeans, uint64(i), 0, 0)
			break
		}
	}
	if d.Weapon != "" {
		w.Label(&evKillWeapon, d.Weapon)
	}
	if d.Place != "" {
		w.Label(&evBodyPart, d.Place)
	}
}

// voteResult reports the outcome of the vote whose configstrings came before.
func (g *gameView) voteResult(w *eventWriter, outcome []byte) {
	action := map[string]string{"passed": event.VotePassed, "failed": event.VoteFailed}[string(outcome)]
	if v := &g.vote[voteOfAll]; action != "" && g.rules().Text.VoteResult && len(v.text) > 0 && !v.outcome {
		v.end(w, g, voteOfAll, action)
	}
}

// rememberMessage keeps the recipient of a private line, dmmessage: 0 is everybody, -1 the team, a client's number and
// one that client.
//
// Source: Player::EventDMMessage, code/fgame/player.cpp of openmohaa.
func (e *Reader) rememberMessage(w *token.Words, alone bool) {
	mode, ok := token.Atoi(w.At(1))
	if !ok || w.Len() < 3 {
		return
	}
	text := w.From(2)
	switch {
	case mode > 0 && !alone:
		e.game.tells.Put(int(mode)-1, text)
	case mode > 0:
		e.reportRequestTo(event.ChannelTell, int(mode)-1, text, nil)
	case mode < 0:
		e.requestAlone(alone, event.ChannelTeam, text, nil)
	default:
		e.requestAlone(alone, event.ChannelSay, text, nil)
	}
}
