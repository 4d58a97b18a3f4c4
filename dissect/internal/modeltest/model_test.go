package modeltest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/internal/clock"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// A model does what an Engine does, one packet after the other: no goroutines, no batches, no reuse of
// memory, and what waits is looked at only when another datagram of its stream comes. It is the
// specification that the engine is compared with.
type model struct {
	cfg   engine.Config
	lines []string // by place in the output
	stats engine.Stats

	file      string
	firstTime int64
	lastTime  int64
	hasFirst  bool
	clock     clock.Clock
	elapsed   int64
	bytes     int
	expired   int64
	routers   []dissect.Router
	streams   map[*dissect.Stream]int
	convs     []*modelStream
	waiting   []*modelPacket
	arrived   map[string]int // datagrams of each flow
}

type modelPacket struct {
	dissect.Packet
	elapsed   int64
	bytes     int
	undecided []int // routers
	router    int   // -1: none
	route     dissect.Route
	flow      string
	nth       int // in its flow, then in its stream
	seq       int
	firstTime int64
}

type modelStream struct {
	conv  dissect.Conversation
	held  [3][]*modelPacket // by direction
	count int
	last  int64
}

func newModel(cfg engine.Config) *model {
	m := &model{cfg: cfg}
	m.stats.ByProtocol = make(map[string]uint64)
	m.open("")
	return m
}

func (m *model) open(name string) {
	m.end()
	*m = model{cfg: m.cfg, lines: m.lines, stats: m.stats, file: name}
	m.streams, m.arrived = make(map[*dissect.Stream]int), make(map[string]int)
	for _, p := range m.cfg.Protocols {
		m.routers = append(m.routers, p.NewRouter())
	}
}

func (m *model) end() {
	for len(m.waiting) > 0 {
		m.decideHead()
	}
	for _, s := range m.convs {
		for p := s.oldest(); p != nil; p = s.oldest() {
			m.release(s, p)
		}
	}
}

func (m *model) output() string { return strings.Join(m.lines, "") }

func (m *model) packet(in *dissect.Packet) {
	p := &modelPacket{Packet: *in, router: -1, bytes: m.bytes}
	m.stats.Packets++
	if p.HasTime && !m.hasFirst {
		m.firstTime, m.lastTime, m.hasFirst = p.Time, p.Time, true
	}
	if p.HasTime {
		p.Previous, m.lastTime = m.lastTime, p.Time
	}
	if !p.UDP {
		p.elapsed = m.elapsed
		if m.cfg.All {
			m.waiting = append(m.waiting, p)
			if len(m.waiting) == 1 {
				m.settle()
			}
		}
		return
	}
	m.stats.Datagrams++
	if p.HasTime {
		m.elapsed = int64(m.clock.Stamp(p.Time))
	}
	p.elapsed = m.elapsed
	m.bytes += len(p.Payload) + idle.DatagramCost

	p.flow = fmt.Sprint(min(p.Src.String(), p.Dst.String()), max(p.Src.String(), p.Dst.String()))
	for len(m.waiting) > 0 {
		head := m.waiting[0]
		if p.elapsed-head.elapsed <= 1e9 && p.bytes-head.bytes <= 8<<20 && m.arrived[head.flow]-head.nth < 256 {
			break
		}
		m.decideHead()
	}
	m.arrived[p.flow]++
	p.nth = m.arrived[p.flow]
	if m.elapsed-m.expired >= 10e9 {
		m.expired = m.elapsed
		if m.elapsed >= 120e9 {
			for _, r := range m.routers {
				r.Expire(m.elapsed - 120e9)
			}
		}
	}
	everyone := make([]int, len(m.routers))
	for i := range everyone {
		everyone[i] = i
	}
	m.ask(p, everyone, m.cfg.NoWait)
	inQuestion := false
	for _, w := range m.waiting {
		inQuestion = inQuestion || w.flow == p.flow && w.undecided != nil
	}
	m.waiting = append(m.waiting, p)
	if len(m.waiting) == 1 || p.router >= 0 || inQuestion && p.undecided == nil {
		m.settle()
	}
}

func (m *model) ask(p *modelPacket, routers []int, last bool) {
	p.undecided, p.router = nil, -1
	for _, i := range routers {
		route := m.routers[i].Route(&p.Packet, p.elapsed, last)
		if route.Decision == dissect.Mine {
			p.undecided, p.router, p.route = nil, i, route
			return
		}
		if route.Decision == dissect.Undecided && !last {
			p.undecided = append(p.undecided, i)
		}
	}
}

func (m *model) decideHead() {
	p := m.waiting[0]
	m.ask(p, p.undecided, true)
	m.settle()
}

func (m *model) settle() {
	for len(m.waiting) > 0 {
		p := m.waiting[0]
		if p.undecided != nil {
			m.ask(p, p.undecided, false)
		}
		if p.undecided != nil {
			return
		}
		m.waiting = m.waiting[1:]
		m.pass(p)
	}
}

func (m *model) pass(p *modelPacket) {
	if p.router < 0 && p.UDP {
		m.stats.Unknown++
	}
	selected := m.cfg.Select == nil || m.cfg.Select(p.Frame)
	p.seq, p.firstTime = -1, m.firstTime
	if selected && (p.router >= 0 || m.cfg.All) {
		p.seq = len(m.lines)
		m.lines = append(m.lines, "")
	}
	if p.router < 0 {
		if p.seq >= 0 {
			m.finish(m.record(p, -1), p.seq)
		}
		return
	}
	key := p.route.Stream
	index, ok := m.streams[key]
	if !ok {
		index = len(m.convs)
		m.streams[key] = index
		m.convs = append(m.convs, &modelStream{
			conv: m.cfg.Protocols[p.router].NewConversation(m.cfg.Options),
			last: p.elapsed,
		})
	}
	m.dissect(m.convs[index], p, index)
}

func (m *model) dissect(s *modelStream, p *modelPacket, index int) {
	for o := s.oldest(); o != nil; o = s.oldest() {
		if p.elapsed-o.elapsed <= 1e9 && p.bytes-o.bytes <= 8<<20 && s.count-o.nth < 256 {
			break
		}
		m.release(s, o)
	}
	if p.elapsed-s.last > 120e9 && s.conv.Shrink() == nil {
		s.conv = m.cfg.Protocols[p.router].NewConversation(m.cfg.Options)
	}
	s.last = p.elapsed
	s.count++
	p.nth = s.count
	d := p.route.Direction
	s.held[d] = append(s.held[d], p)
	if len(s.held[d]) == 1 && m.try(s, p, index, d == dissect.Undecidable || m.cfg.NoWait) {
		m.unblock(s, index)
	}
}

// try dissects the oldest of a direction.
func (m *model) try(s *modelStream, p *modelPacket, index int, final bool) bool {
	r := m.record(p, index)
	r.Final = final
	if !s.conv.Dissect(r) && !final {
		return false
	}
	s.held[p.route.Direction] = s.held[p.route.Direction][1:]
	m.finish(r, p.seq)
	return true
}

// unblock tries what is first in its direction, the oldest before the others, until nothing helps.
func (m *model) unblock(s *modelStream, index int) {
	for again := true; again; {
		again = false
		var heads []*modelPacket
		for _, h := range s.held {
			if len(h) > 0 {
				heads = append(heads, h[0])
			}
		}
		slices.SortFunc(heads, func(a, b *modelPacket) int { return a.nth - b.nth })
		for _, p := range heads {
			if again = m.try(s, p, index, false); again {
				break
			}
		}
	}
}

func (m *model) release(s *modelStream, p *modelPacket) {
	index := m.streams[p.route.Stream]
	m.try(s, p, index, true)
	m.unblock(s, index)
}

func (s *modelStream) oldest() *modelPacket {
	var oldest *modelPacket
	for _, h := range s.held {
		if len(h) > 0 && (oldest == nil || h[0].nth < oldest.nth) {
			oldest = h[0]
		}
	}
	return oldest
}

func (m *model) record(p *modelPacket, index int) *dissect.Record {
	r := dissect.NewRecord()
	r.Packet, r.File, r.FirstTime, r.Stream = p.Packet, m.file, p.firstTime, index
	r.NoTree = p.seq < 0
	if p.router >= 0 {
		r.Protocol, r.Direction, r.Hint = m.cfg.Protocols[p.router], p.route.Direction, p.route.Hint
	}
	return r
}

func (m *model) finish(r *dissect.Record, seq int) {
	if r.Protocol != nil {
		m.stats.Game++
		m.stats.ByProtocol[r.Protocol.Name]++
	}
	if r.MessageDone {
		m.stats.Messages++
	}
	if r.Damaged {
		m.stats.Damaged++
	}
	if !r.NoTree {
		line, _ := m.cfg.Finish(0, nil, r) // toyLine does not fail
		m.lines[seq] = string(line)
	}
}
