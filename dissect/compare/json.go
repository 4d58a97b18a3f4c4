package compare

import (
	"encoding/json"
	"math"
	"time"
)

// The JSON of a Result: a line for the clocks, one for each direction of each pair, one for each second of it if they
// are wanted, and one for each conversation that one capture alone has. docs/compare.md describes the keys.

type clockJSON struct {
	Compare       string   `json:"compare"`           // "clock"
	Between       []string `json:"between,omitempty"` // letters, where there are more than two captures
	A             string   `json:"a"`
	B             string   `json:"b"`
	DatagramsA    int      `json:"datagrams_a"`
	DatagramsB    int      `json:"datagrams_b"`
	Common        int      `json:"common"`
	Same          bool     `json:"same,omitempty"`
	OffsetMS      *float64 `json:"offset_ms,omitempty"`
	UncertaintyMS *float64 `json:"uncertainty_ms,omitempty"`
	DriftPPM      *float64 `json:"drift_ppm,omitempty"`
	DriftLowPPM   *float64 `json:"drift_low_ppm,omitempty"`
	DriftHighPPM  *float64 `json:"drift_high_ppm,omitempty"`
	Stepped       bool     `json:"stepped,omitempty"`
}

type pathJSON struct {
	Compare     string      `json:"compare"`           // "path"
	Between     []string    `json:"between,omitempty"` // letters, where there are more than two captures
	StreamA     int         `json:"stream_a"`
	StreamB     int         `json:"stream_b"`
	Protocol    string      `json:"protocol"`
	ClientA     string      `json:"client_a"`
	ServerA     string      `json:"server_a"`
	ClientB     string      `json:"client_b"`
	ServerB     string      `json:"server_b"`
	Direction   string      `json:"direction"`
	From        string      `json:"from"` // "a" or "b"
	Sent        int         `json:"sent"`
	Arrived     int         `json:"arrived"`
	Lost        int         `json:"lost"`
	LostPercent float64     `json:"lost_percent"`
	Duplicated  int         `json:"duplicated"`
	Reordered   int         `json:"reordered"`
	Uncaptured  int         `json:"uncaptured"`
	Outside     int         `json:"outside"`
	DelayMin    *float64    `json:"delay_min_ms,omitempty"`
	DelayMedian *float64    `json:"delay_median_ms,omitempty"`
	DelayP99    *float64    `json:"delay_p99_ms,omitempty"`
	DelayMax    *float64    `json:"delay_max_ms,omitempty"`
	Jitter      *float64    `json:"jitter_ms,omitempty"`
	LostFrames  []uint64    `json:"lost_frames"`
	AtOther     []uint64    `json:"uncaptured_frames"`
	Bursts      []burstJSON `json:"bursts"`
	Pauses      []pauseJSON `json:"pauses"`
	Queues      []queueJSON `json:"queues"`
}

type burstJSON struct {
	Time  string `json:"time"`
	Until string `json:"until"`
	Count int    `json:"count"`
}

type pauseJSON struct {
	Time     string  `json:"time"`
	LengthMS float64 `json:"length_ms"`
}

type queueJSON struct {
	Time     string  `json:"time"`
	Until    string  `json:"until"`
	DelayMax float64 `json:"delay_max_ms"`
}

type secondJSON struct {
	Compare     string   `json:"compare"`           // "second"
	Between     []string `json:"between,omitempty"` // letters, where there are more than two captures
	StreamA     int      `json:"stream_a"`
	Direction   string   `json:"direction"`
	Time        string   `json:"time"`
	Sent        int      `json:"sent"`
	Lost        int      `json:"lost"`
	Duplicated  int      `json:"duplicated"`
	Reordered   int      `json:"reordered"`
	DelayMin    *float64 `json:"delay_min_ms,omitempty"`
	DelayMedian *float64 `json:"delay_median_ms,omitempty"`
	DelayMax    *float64 `json:"delay_max_ms,omitempty"`
	LongestGap  float64  `json:"longest_gap_ms"`
}

type onlyJSON struct {
	Compare   string   `json:"compare"`           // "only"
	Between   []string `json:"between,omitempty"` // letters, where there are more than two captures
	Place     string   `json:"place"`
	Stream    int      `json:"stream"`
	Protocol  string   `json:"protocol"`
	Client    string   `json:"client"`
	Server    string   `json:"server"`
	Datagrams int      `json:"datagrams"`
}

// AppendJSON appends the lines of a result.
func (r *Result) AppendJSON(dst []byte, seconds bool) []byte {
	c := &r.Clock
	clock := clockJSON{
		Compare: "clock", Between: r.between(), A: r.A.Name, B: r.B.Name, DatagramsA: r.A.total,
		DatagramsB: r.B.total, Common: r.Common, Same: r.Same, Stepped: c.Stepped,
	}
	if c.Known {
		clock.OffsetMS, clock.UncertaintyMS = inMS(c.Offset), inMS(c.Uncertainty)
		clock.DriftPPM, clock.DriftLowPPM, clock.DriftHighPPM = inPPM(c.Drift), inPPM(c.DriftLow), inPPM(c.DriftHigh)
	}
	dst = appendLine(dst, clock)
	for _, pair := range r.Pairs {
		for _, p := range pair.Paths {
			line := p.json(pair)
			line.Between = clock.Between
			dst = appendLine(dst, line)
			if !seconds {
				continue
			}
			for i := range p.Seconds {
				line := p.Seconds[i].json(pair, p)
				line.Between = clock.Between
				dst = appendLine(dst, line)
			}
		}
	}
	dst = appendOnly(dst, "a", r.OnlyA, clock.Between)
	return appendOnly(dst, "b", r.OnlyB, clock.Between)
}

// between returns the letters of the places, nil for those of two captures.
func (r *Result) between() []string {
	if r.A.Letter == "A" && r.B.Letter == "B" && !r.Several {
		return nil
	}
	return []string{r.A.Letter, r.B.Letter}
}

func (p *Path) json(pair *Pair) pathJSON {
	j := pathJSON{
		Compare: "path", StreamA: pair.A.Stream, StreamB: pair.B.Stream, Protocol: pair.A.Protocol,
		ClientA: pair.A.Client.String(), ServerA: pair.A.Server.String(), ClientB: pair.B.Client.String(),
		ServerB: pair.B.Server.String(), Direction: p.Direction.String(), From: "b",
		Sent: p.Sent, Arrived: p.Arrived, Lost: p.Lost, Duplicated: p.Duplicated, Reordered: p.Reordered,
		Uncaptured: p.Uncaptured, Outside: p.Outside,
		LostFrames: append([]uint64{}, p.LostFrames...), AtOther: append([]uint64{}, p.UncapturedFrames...),
		Bursts: []burstJSON{}, Pauses: []pauseJSON{}, Queues: []queueJSON{},
	}
	if p.FromA {
		j.From = "a"
	}
	if p.Sent > 0 {
		j.LostPercent = math.Round(1e4*float64(p.Lost)/float64(p.Sent)) / 100
	}
	if d := &p.Delay; p.Arrived > 0 {
		j.DelayMin, j.DelayMedian, j.DelayP99, j.DelayMax = inMS(d.Min), inMS(d.Median), inMS(d.P99), inMS(d.Max)
		j.Jitter = inMS(d.Jitter)
	}
	for _, b := range p.Bursts {
		j.Bursts = append(j.Bursts, burstJSON{stamp(b.Time), stamp(b.Until), len(b.Frames)})
	}
	for _, pause := range p.Pauses {
		j.Pauses = append(j.Pauses, pauseJSON{stamp(pause.Time), *inMS(pause.Length)})
	}
	for _, q := range p.Queues {
		j.Queues = append(j.Queues, queueJSON{stamp(q.Time), stamp(q.Until), *inMS(q.DelayMax)})
	}
	return j
}

func (s *Second) json(pair *Pair, p *Path) secondJSON {
	j := secondJSON{
		Compare: "second", StreamA: pair.A.Stream, Direction: p.Direction.String(), Time: stamp(s.Time),
		Sent: s.Sent, Lost: s.Lost, Duplicated: s.Duplicated, Reordered: s.Reordered, LongestGap: *inMS(s.LongestGap),
	}
	if s.Sent > s.Lost {
		j.DelayMin, j.DelayMedian, j.DelayMax = inMS(s.DelayMin), inMS(s.DelayMedian), inMS(s.DelayMax)
	}
	return j
}

func appendOnly(dst []byte, place string, list []*Conversation, between []string) []byte {
	for _, c := range list {
		dst = appendLine(dst, onlyJSON{
			"only", between, place, c.Stream, c.Protocol, c.Client.String(),
			c.Server.String(), c.Datagrams,
		})
	}
	return dst
}

func appendLine(dst []byte, v any) []byte {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err) // the types above have nothing that could fail
	}
	return append(append(dst, line...), '\n')
}

// inMS is a duration in milliseconds, to the microsecond.
func inMS(nsec int64) *float64 {
	v := math.Round(float64(nsec)/1e3) / 1e3
	return &v
}

func inPPM(drift float64) *float64 {
	v := math.Round(drift*1e8)/100 + 0
	return &v
}

func stamp(nsec int64) string {
	return time.Unix(0, nsec).UTC().Format("2006-01-02T15:04:05.000000000Z")
}
