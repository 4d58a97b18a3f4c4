package run

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A following is -z follow: the records of one stream in another form.
type following struct {
	view.Conversation
	rows    view.Follow // with --json
	asRows  bool
	value   string // what was asked for
	streams int    // streams that were seen; used by the goroutine that reads
	found   bool   // the stream has records; used by the one that writes
}

// followStream handles -z follow: STREAM, or as tshark has it udp,FORM,STREAM or udp,FORM,ENDPOINT,ENDPOINT. Messages
// of a recording are stream 0.
func (pl *plan) followStream(value string) error {
	if pl.follow != nil {
		return exit.Usagef("-z follow: one stream at a time")
	}
	pl.follow = &following{value: "follow" + value, asRows: pl.JSON}
	pl.follow.Form = view.ConversationForms[0]
	args := strings.Split(strings.TrimPrefix(value, ","), ",")
	if args[0] == "udp" && len(args) > 2 {
		if pl.follow.Form = args[1]; !slices.Contains(view.ConversationForms, args[1]) {
			return exit.Usagef("-z follow%s: %s", value, schema.Choices(args[1], view.ConversationForms))
		}
		args = args[2:]
	}
	condition, ok := followed(args)
	if !ok {
		return exit.Usagef("-z follow%s: want the number of a stream, as in follow,0 or follow,udp,ascii,0, "+
			"or two endpoints, as in follow,udp,hex,10.0.0.1:27960,10.0.0.2:27961", value)
	}
	if pl.Settings.Filter != "" {
		condition = "(" + pl.Settings.Filter + ") and " + condition
	}
	f, err := filter.Records(pl.protocols).Compile(condition)
	if err != nil {
		return exit.Usagef("-z follow: %v", err)
	}
	pl.display = f
	pl.needs(f)
	return nil
}

// followed returns the filter of a stream, or of the datagrams between two endpoints.
func followed(args []string) (condition string, ok bool) {
	switch len(args) {
	case 1:
		stream, err := strconv.ParseUint(args[0], 10, 31)
		if condition = fmt.Sprintf("stream == %d", stream); stream == 0 {
			condition = "(" + condition + " or demo_message)"
		}
		return condition, err == nil
	case 2:
		a, err := netip.ParseAddrPort(args[0])
		b, fault := netip.ParseAddrPort(args[1])
		way := func(from, to netip.AddrPort) string {
			return fmt.Sprintf("src == %s and src_port == %d and dst == %s and dst_port == %d", from.Addr(), from.Port(),
				to.Addr(), to.Port())
		}
		return "(" + way(a, b) + " or " + way(b, a) + ")", err == nil && fault == nil
	}
	return "", false
}

// finishFollow makes an engine write a conversation: workers prepare the records, and the output puts them together.
func (r *pass) finishFollow(cfg *engine.Config) {
	tallies, accepter, follow := r.tallies, r.newAccepter(), r.follow
	if len(r.sources) == 1 {
		follow.rows.File = r.sources[0]
	}
	before := cfg.Before
	cfg.Before = func(routed *engine.Routed) engine.Fate {
		follow.streams = max(follow.streams, routed.Stream+1)
		if before == nil {
			return engine.Shown
		}
		return before(routed)
	}
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
		if rec.Closing {
			r.collect(rec)
			return nil
		}
		tallies[out.Worker].Seen(rec, r.DecodeAs)
		if !accepter.accepts(out.Worker, rec) || rec.Protocol == nil {
			return nil
		}
		tallies[out.Worker].Printed(rec)
		r.frame(rec)
		r.collect(rec)
		k := out.Keep(rec)
		if r.follow.asRows {
			k.Bytes = follow.rows.Append(k.Bytes, rec)
			return nil
		}
		k.Bytes, k.Tag = follow.Prepare(k.Bytes, rec)
		return nil
	}
	cfg.InOrder = func(dst []byte, k *engine.Kept) ([]byte, error) {
		follow.found = true
		if r.follow.asRows {
			return append(dst, k.Bytes...), nil
		}
		return follow.Append(dst, &k.Record, k.Bytes, k.Tag), nil
	}
}

// restOfFollow returns what is left of a conversation at the end of the inputs, and complains if there was none.
func (r *pass) restOfFollow() []byte {
	switch f := r.follow; {
	case f == nil:
	case !f.found && f.streams == 1:
		r.Complain("-z " + f.value + ": no datagrams; the only stream is 0")
	case !f.found && f.streams > 0:
		r.Complain(fmt.Sprintf("-z %s: no datagrams; there are streams 0 to %d, which -q -z players shows",
			f.value, f.streams-1))
	case !f.found:
		r.Complain("-z " + f.value + ": no datagrams, and no streams at all")
	case !r.follow.asRows:
		return f.Rest(nil)
	}
	return nil
}
