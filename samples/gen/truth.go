package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// A truth cuts what a game said of a recording: the lines about the packets that cut takes out of it, with their new
// numbers, or lines of a log by their place; without flags all of it. The flags for packets are those of cut.
type truth struct {
	frames, drop, lines spans
}

// cutTruth executes its command line.
func cutTruth(args []string) (err error) {
	flags := flag.NewFlagSet("truth", flag.ContinueOnError)
	to := flags.String("o", "", "file to write; packed if its name ends in .gz")
	var t truth
	flags.Var(&t.frames, "frames", "keep what is said of these packets alone, as in 1-200,300")
	flags.Var(&t.drop, "drop", "leave these packets out")
	flags.Var(&t.lines, "lines", "of a log: keep these lines alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *to == "" || flags.NArg() != 1 || len(t.lines) > 0 && len(t.frames)+len(t.drop) > 0 {
		return errors.New("want -o OUT and one input, and packets or lines")
	}
	b, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	var packed *gzip.Writer
	w := io.Writer(&out)
	if strings.HasSuffix(*to, ".gz") {
		packed, _ = gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is one there is
		w = packed
	}
	if err := t.run(bytes.NewReader(b), w); err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	if packed != nil {
		if err := packed.Close(); err != nil {
			return err
		}
	}
	return os.WriteFile(*to, out.Bytes(), 0o644)
}

func (t *truth) run(in io.Reader, out io.Writer) error {
	r := bufio.NewReader(in)
	if head, _ := r.Peek(2); string(head) == "\x1f\x8b" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		r = bufio.NewReader(z)
	}
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		switch {
		case len(t.lines) > 0 && !t.lines.contain(n):
			line = nil
		case len(t.frames) > 0 || len(t.drop) > 0:
			line = t.renumbered(line)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		if err != nil {
			return nil
		}
	}
}

// truthHead is how a line begins: the packet that completes a message, and all packets of it.
var truthHead = regexp.MustCompile(`^\{"frame":(\d+)(?:,"frames":\[([\d,]+)\])?`)

// renumbered returns a line about packets that are kept, with the numbers that they have then; else nil.
func (t *truth) renumbered(line []byte) []byte {
	m := truthHead.FindSubmatch(line)
	if m == nil {
		return nil
	}
	frame := t.number(string(m[1]))
	if frame == 0 {
		return nil
	}
	head := fmt.Sprintf(`{"frame":%d`, frame)
	if len(m[2]) > 0 {
		var list []string
		for part := range strings.SplitSeq(string(m[2]), ",") {
			n := t.number(part)
			if n == 0 {
				return nil
			}
			list = append(list, strconv.Itoa(n))
		}
		head += `,"frames":[` + strings.Join(list, ",") + "]"
	}
	return append([]byte(head), line[len(m[0]):]...)
}

// number returns the place of a packet among those that are kept, from 1; 0 for one that is not.
func (t *truth) number(text string) int {
	frame, err := strconv.Atoi(text)
	if err != nil || !t.kept(frame) {
		return 0
	}
	n := 0
	for i := 1; i <= frame; i++ {
		if t.kept(i) {
			n++
		}
	}
	return n
}

func (t *truth) kept(frame int) bool {
	return (len(t.frames) == 0 || t.frames.contain(frame)) && !t.drop.contain(frame)
}
