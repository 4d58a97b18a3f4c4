package view

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// A verdict names what a source of queries is.
type verdict string

// ReflectionVictim is the verdict of drdos on an address in whose name others ask.
const ReflectionVictim = "reflection victim"

// The verdicts.
const (
	isVictim     verdict = ReflectionVictim
	isForged     verdict = "forged"
	isGarbage    verdict = "garbage"
	isScanner    verdict = "scanner"
	isClient     verdict = "client"
	isServerList verdict = "server list"
	isGameServer verdict = "game server"
	isUnclear    verdict = "unclear"
)

// What a verdict needs.
const (
	manyDropped = 10 // queries over the engine's limit: a whole burst of it again
	manyPeak    = 20 // queries in a second, where the engine's limit is not known
	manyAnswers = 20 // answers without a question
	manyServers = 8  // servers that one source asks
	manyRemote  = 5  // commands for remote control without a session
	systemPorts = 1024
)

// A judgement is a verdict with its reasons, and what can be done.
type judgement struct {
	verdict    verdict
	reasons    []string
	suggestion string
}

// because adds a reason.
func (j *judgement) because(format string, args ...any) {
	j.reasons = append(j.reasons, fmt.Sprintf(format, args...))
}

// A survey is how many servers a source asks, and how many of them answer it.
type survey struct{ servers, answered int }

// judge classifies a source of queries, by what it sends to one server, in sessions too, and by how many servers it
// asks.
func judge(a *asker, key sourceKey, p play, s survey) (j judgement) {
	requests, facts := a.requests.packets, a.purposes[dissect.QueryFacts]
	most := func(purpose dissect.QueryPurpose) bool { return 2*a.purposes[purpose] >= requests }
	switch {
	case a.garbage.peak > manyPeak:
		j.judgeGarbage(a, key, p)
		return j
	case requests == 0:
		j.judgeAnswers(a)
	case a.floods():
		j.judgeFlood(a, p)
	case most(dissect.QueryAnnounces):
		j.verdict = isGameServer
		j.because("it announces itself, %s", quantity.Times(a.purposes[dissect.QueryAnnounces]))
	case 2*a.fromList > requests:
		j.verdict = isServerList
		j.because("the server announces itself to it")
	case s.servers >= manyServers && 2*s.answered < s.servers:
		j.verdict = isScanner
		j.because("it asks %d endpoints, of which %d answer", s.servers, s.answered)
	case len(a.engines) > 1 && p.packets == 0:
		j.verdict = isScanner
		j.because("it asks one server in the words of %d engines", len(a.engines))
	case a.purposes[dissect.QueryRemote] >= manyRemote && p.packets == 0:
		j.verdict = isScanner
		j.because("%d commands for remote control, and no session", a.purposes[dissect.QueryRemote])
	case p.packets > 0:
		j.verdict = isClient
		j.because("it plays here: %d datagrams of sessions", p.packets)
	case most(dissect.QueryEnters) && a.answers.packets > 0:
		j.verdict = isClient
		j.because("it begins a session")
	case a.polls.regular() && facts > 0:
		j.verdict = isServerList
		j.because("it asks every %.0f s, %s: a list or monitor of servers", a.polls.mean, quantity.Times(a.polls.gaps+1))
	case most(dissect.QueryServers):
		j.verdict = isClient
		j.because("it asks for servers")
	default:
		j.verdict = isUnclear
		j.because("too few queries to tell a client's server browser from a scanner")
	}
	j.suggestion = j.suggest(a, key, p)
	return j
}

// floods reports whether there are more queries than anybody needs, whatever their words are.
func (a *asker) floods() bool { return a.over >= manyDropped || a.peak > manyPeak }

// judgeAnswers is for a source that was not seen to ask.
func (j *judgement) judgeAnswers(a *asker) {
	j.verdict = isUnclear
	if a.answers.packets >= manyAnswers {
		j.verdict = isVictim
		j.because("%d answers to it, and it asked nothing", a.answers.packets)
		return
	}
	j.because("answers to it, whose questions are not in the input")
}

// judgeFlood is for a source that asks more often than anybody needs.
func (j *judgement) judgeFlood(a *asker, p play) {
	remote := a.purposes[dissect.QueryRemote]
	j.verdict = isVictim
	switch {
	case a.dropped >= manyDropped:
		j.because("%d of %d queries are more than the engine answers one address", a.dropped, a.limited)
	case a.over >= manyDropped:
		j.because("%d of %d queries are more than the engine's limit for one address", a.over, a.requests.packets)
	default:
		j.because("%d queries in one second", a.peak)
	}
	if f := float64(a.answers.bytes) / float64(a.requests.bytes); f > 2 {
		j.because("answers have %.1f times the bytes of the queries", f)
	}
	switch {
	case p.packets == 0 && 10*remote >= 9*a.requests.packets:
		j.verdict = isScanner
		j.because("%d commands for remote control, and no session", remote)
	case p.packets == 0 && a.purposes[dissect.QueryEnters] == 0:
		j.because("no session and no handshake from it")
	case p.packets == 0:
		j.because("no session from it")
	case p.ttl.min > 0 && a.ttl.min > 0 && (a.ttl.max < p.ttl.min || a.ttl.min > p.ttl.max):
		j.because("queries come with a time to live of %s, its play with %s: another host sends them", a.ttl, p.ttl)
	default:
		j.verdict = isClient
		j.because("it plays here as well: a program asks far too often")
	}
	if len(a.ports) == 1 && a.ports[0] < systemPorts {
		j.because("all from port %d, which no game asks from", a.ports[0])
	}
}

func (r ttlRange) String() string {
	if r.min == r.max {
		return fmt.Sprint(r.min)
	}
	return fmt.Sprintf("%d to %d", r.min, r.max)
}

// suggest returns a rule of nftables for a victim or scanner: for queries alone where their first bytes distinguish
// them from sessions, else for everything of an address without a session. A victim can be a player too, so its
// queries are limited, not dropped.
//
// "@th,64,32" are the first four bytes after the eight of the UDP header.
func (j *judgement) suggest(a *asker, key sourceKey, p play) string {
	if j.verdict != isVictim && j.verdict != isScanner || a.requests.packets == 0 || a.limit.Burst == 0 && p.packets > 0 {
		return ""
	}
	b := new(strings.Builder)
	family := "ip"
	if key.source.Unmap().Is6() {
		family = "ip6"
	}
	fmt.Fprintf(b, "nft add rule inet filter input %s saddr %s udp dport %d", family,
		key.source.Unmap().WithZone(""), key.server.Port())
	if a.limit.Burst > 0 {
		fmt.Fprintf(b, " @th,64,32 %#08x", a.limit.Marker)
	}
	switch {
	case j.verdict == isScanner:
	case a.limit.Burst > 0:
		fmt.Fprintf(b, " limit rate over %d/second burst %d packets", time.Second/a.limit.Period, a.limit.Burst)
	default:
		b.WriteString(" limit rate over 1/second burst 10 packets")
	}
	return b.String() + " drop"
}

// A pulse counts packets, and the most in any second.
type pulse struct {
	total, now, peak uint64
	second           int64
}

func (p *pulse) add(time int64) {
	if second := time / 1e9; second != p.second {
		p.second, p.now = second, 0
	}
	p.total++
	p.now++
	p.peak = max(p.peak, p.now)
}

// A debut is a second in which sources ask a server for the first time.
type debut struct {
	server netip.AddrPort
	second int64
}

// isStranger reports whether a source asks, or begins a session, and nothing follows: it does not play, and has no
// part in lists of servers.
func (a *asker) isStranger(p play) bool {
	other := a.purposes[dissect.QueryAnnounces] + a.purposes[dissect.QueryServers]
	return a.requests.packets > 0 && p.packets == 0 && !a.floods() && 2*other < a.requests.packets &&
		2*a.fromList <= a.requests.packets
}

// crowds returns how many strangers asked each server for the first time in each second.
func (s *drdos) crowds() map[debut]uint64 {
	list := map[debut]uint64{}
	for key, c := range s.sources.byKey {
		if c.value.isStranger(s.plays[key]) {
			list[debut{key.server, c.value.first}]++
		}
	}
	return list
}

// judgeCrowd is for a stranger who comes in the same second as many others. Each may ask once: a rule for one address
// does not help, so the suggestion limits what is new to the server's table of connections.
func judgeCrowd(key sourceKey, crowd uint64) (j judgement) {
	j.verdict = isForged
	j.because("%d addresses ask or begin a session in one second, and none of them goes on", crowd)
	j.suggestion = fmt.Sprintf("nft add rule inet filter input udp dport %d ct state new limit rate over %d/second "+
		"burst %d packets drop", key.server.Port(), manyPeak, 2*manyPeak)
	return j
}

// judgeGarbage is for a source that sends much of what the receiver would not act on. Where it plays, somebody else
// sends it in the player's name: the rule is for the other host's time to live, if that shows it.
func (j *judgement) judgeGarbage(a *asker, key sourceKey, p play) {
	j.verdict = isGarbage
	j.because("%d packets in one second that the game refuses, %d in all", a.garbage.peak, a.garbage.total)
	family, field := "ip", "ttl"
	if key.source.Unmap().Is6() {
		family, field = "ip6", "hoplimit"
	}
	rule := fmt.Sprintf("nft add rule inet filter input %s saddr %s udp dport %d", family,
		key.source.Unmap().WithZone(""), key.server.Port())
	switch g := a.garbageTTL; {
	case p.packets == 0:
		j.because("no session from it")
		j.suggestion = rule + " drop"
	case g.min == 0 || p.ttl.min == 0 || g.min <= p.ttl.max && p.ttl.min <= g.max:
		j.because("it plays here as well: they may be in its name")
	default:
		j.because("they come with a time to live of %s, its play with %s: another host sends them", g, p.ttl)
		j.suggestion = fmt.Sprintf("%s %s %s %d-%d drop", rule, family, field, g.min, g.max)
	}
}
