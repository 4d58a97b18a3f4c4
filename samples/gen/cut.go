package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A cut takes some packets of a capture.
type cut struct {
	frames, drop spans
	ports        portSet
	without      string
}

func (c *cut) flags(f *flag.FlagSet) {
	f.Var(&c.frames, "frames", "keep these packets alone, as in 1-200,300")
	f.Var(&c.drop, "drop", "leave these packets out, as if they had been lost")
	f.Var(&c.ports, "ports",
		"keep UDP datagrams between these ports alone, as in 27960,27965; one port: all of its datagrams")
	f.StringVar(&c.without, "without", "", "leave out packets that hold this text")
}

func (c *cut) run(in *source, out *sink) error {
	for {
		p, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !c.keeps(in, p) {
			continue
		}
		if err := out.write(p); err != nil {
			return err
		}
	}
}

func (c *cut) keeps(in *source, p packet) bool {
	switch {
	case len(c.frames) > 0 && !c.frames.contain(in.frame), c.drop.contain(in.frame):
		return false
	case c.without != "" && bytes.Contains(p.data, []byte(c.without)):
		return false
	case len(c.ports) > 0:
		l, ok := locate(in.link, p.data)
		return ok && c.ports.match(l.ports(p.data))
	}
	return true
}

// Spans are stretches of packet numbers, from 1.
type spans []struct{ first, last int }

func (s *spans) String() string { return "" }

// Set reads 1-200,300.
func (s *spans) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		a, b, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(a)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(b)
		}
		if err != nil || first < 1 || last < first {
			return errors.New("want packet numbers, as in 1-200,300")
		}
		*s = append(*s, struct{ first, last int }{first, last})
	}
	return nil
}

func (s spans) contain(frame int) bool {
	for _, span := range s {
		if span.first <= frame && frame <= span.last {
			return true
		}
	}
	return false
}

// A portSet is one UDP port, or the two between which datagrams travel.
type portSet []uint16

func (s *portSet) String() string { return "" }

// Set reads 27960 or 27960,27965.
func (s *portSet) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || len(*s) == 2 {
			return errors.New("want one or two ports, as in 27960,27965")
		}
		*s = append(*s, uint16(n))
	}
	return nil
}

// match reports whether a datagram travels between the ports. Packets without ports do not.
func (s portSet) match(src, dst uint16, ok bool) bool {
	if !ok {
		return false
	}
	if len(s) == 1 {
		return src == s[0] || dst == s[0]
	}
	return slices.Contains([]uint16{src, dst}, s[0]) && slices.Contains([]uint16{src, dst}, s[1]) &&
		(src != dst || s[0] == s[1])
}
