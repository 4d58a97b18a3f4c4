package run

import (
	"strconv"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// prepareMerge prepares --merge, which joins the streams of a server.
func (pl *plan) prepareMerge() error {
	switch {
	case !pl.Merge:
		return nil
	case pl.query != nil:
		return exit.Usagef(
			"--jq runs over the events of each datagram, which --merge puts together: pipe --merge --json into jq")
	}
	pl.merge = merge.NewMerge()
	return nil
}

// mergedText returns the function that reads the events of one record, and appends those that are complete.
func (pl *plan) mergedText() appender {
	pl.merge.Render = func(*dissect.Record, int) ([]byte, int) { return nil, 0 }
	pl.merge.Show = func(dst []byte, h *merge.Happening) []byte {
		pl.merged++
		return h.AppendText(dst, pl.list.Width)
	}
	return pl.merge.Add
}

// mergedLines is mergedText with lines of JSON.
func (pl *plan) mergedLines(opts render.JSON) appender {
	pl.merge.Render = func(rec *dissect.Record, event int) ([]byte, int) {
		return render.AppendMergedEvent(nil, rec, event, opts)
	}
	pl.merge.Show = func(dst []byte, h *merge.Happening) []byte {
		pl.merged++
		return appendMerged(dst, h)
	}
	return pl.merge.Add
}

// restOfMerge returns the remaining events at the end of an input, and counts all that are printed.
func (r *pass) restOfMerge() []byte {
	if r.merge == nil || r.merge.Show == nil || r.joining != nil {
		return nil
	}
	rest := r.separated(nil, r.merge.Flush)
	r.total.Records += r.merged
	r.merged = 0
	return rest
}

// appendMerged appends a happening as a line of JSON.
func appendMerged(dst []byte, h *merge.Happening) []byte {
	dst = append(dst, h.Text[:h.At]...)
	dst = appendStreams(dst, "streams", h.Streams)
	dst = appendStreams(dst, "not_seen_by", h.NotSeenBy)
	return append(append(dst, h.Text[h.At:]...), '\n')
}

// appendStreams appends a member with the numbers of streams, unless there are none.
func appendStreams(dst []byte, key string, streams []int) []byte {
	if len(streams) == 0 || streams[0] < 0 {
		return dst
	}
	dst = append(append(append(dst, '"'), key...), `":[`...)
	for i, n := range streams {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']', ',')
}

// begin begins the next of several inputs that are joined.
func (pl *plan) beginJoin(name string) {
	if pl.joining != nil {
		pl.joining.Begin(name)
	}
}

// prepareJoin makes --merge of several inputs a Join: they are recordings of one match.
func (r *pass) prepareJoin(inputs int) {
	if r.merge == nil || inputs < 2 || r.ContinueInputs || r.form.folder || r.form == formNothing {
		return
	}
	r.renderer() // of the events
	var selected func(*dissect.Record, int) bool
	if accepter := r.newAccepter(); accepter != nil {
		selected = func(rec *dissect.Record, node int) bool { return accepter.acceptsEvent(0, rec, node) }
	}
	r.joining = merge.NewJoin(r.merge.Render, selected)
}

// printJoined prints the events of all inputs, or why they are not of one match.
func (r *pass) printJoined() {
	list, summary, err := r.joining.Result()
	if err != nil {
		r.complain("--merge: " + err.Error())
		r.status, r.stopped = max(r.status, exit.Usage), true
		return
	}
	if !r.Quiet {
		for _, line := range summary {
			r.complain(line)
		}
	}
	r.total.Records += uint64(len(list))
	_ = r.out.Text(r.opening()) // the output keeps its error
	_ = r.out.Records(r.separated(nil, func(dst []byte) []byte {
		for _, h := range list {
			if h.Text == nil {
				dst = h.AppendText(dst, r.list.Width)
				continue
			}
			dst = append(dst, h.Text[:h.At]...)
			dst = appendStreams(dst, "streams", h.Streams)
			dst = appendStreams(dst, "not_seen_by", h.NotSeenBy)
			dst = appendStreams(dst, "recordings", h.Recordings)
			dst = appendStreams(dst, "not_in", h.NotIn)
			dst = append(append(dst, h.Text[h.At:]...), '\n')
		}
		return dst
	}))
}
