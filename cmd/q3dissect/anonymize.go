package main

import (
	"fmt"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// checkAnonymize checks --anonymize against the rest.
func (pl *plan) checkAnonymize() error {
	switch {
	case pl.anonymize == "":
		return nil
	case pl.secrets:
		return usageError("--anonymize cuts passwords and keys, which contradicts --show-secrets")
	case pl.linked:
		return usageError("--anonymize makes new headers, which have no link layer; leave out --link")
	}
	return nil
}

// learn reads all inputs for what identifies people. What cannot be read says so when it is read again.
func (r *run) learn(inputs []string) error {
	ids := anonymize.New([]byte(r.anonymize))
	for _, name := range inputs {
		if name == standardInput {
			return usageError("--anonymize reads its input twice; write standard input to a file first")
		}
		in, err := open.File(name, open.Options{Protocols: r.protocols, DemoProtocol: int(r.demoProtocol.value)})
		if err != nil {
			continue
		}
		_ = ids.LearnFrom(in, r.plainConfig())
		in.Close() // it was only read
	}
	r.replacer = ids.Seal()
	return nil
}

// plainConfig is a config that dissects everything and prints nothing.
func (r *run) plainConfig() dissect.Config {
	return dissect.Config{Protocols: r.protocols, Workers: int(r.workers.value), DecodeAs: r.decodeAs}
}

// A packetSource gives packets, each valid until the next.
type packetSource interface {
	Next() (*dissect.Packet, error)
}

// packets gives the packets of an input, with --anonymize other ones. done is called after the last of them.
func (r *run) source(in *open.Input) (packets packetSource, done func()) {
	if r.replacer == nil {
		return in, func() {}
	}
	reader := anonymize.NewReader(in, r.replacer, r.plainConfig())
	return reader, func() {
		reader.Close()
		stats := reader.Stats()
		r.total.rewritten += stats.Rewritten
		r.total.withheld += stats.Dropped
	}
}

// anonymized says what became of the datagrams with --anonymize.
func (t *total) anonymized(p *program) {
	if t.rewritten+t.withheld > 0 {
		p.complain(fmt.Sprintf("anonymised: %s written again, %d left out as nobody can see who is named in them",
			count(t.rewritten, "datagram"), t.withheld))
	}
}
