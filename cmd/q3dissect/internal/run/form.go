package run

import (
	"bytes"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// A Form is one way to print records or events. All that is particular to it is in its entry of forms: flags, help,
// completions, checks and output ask that.
type Form struct {
	Name string // the value of -T; empty if only flags choose the form
	Note string // added to the name in the help
	Doc  string // of the completion

	records, events func(*plan) appender  // nil: of these it prints nothing
	fault           faultAppender         // nil: an input that ends with an error has no record
	lack            lackAppender          // nil: what inputs did not give is said on standard error
	header          func(*plan) []byte    // precedes the first record; nil: nothing does
	footer          func(any bool) []byte // follows the last record, if there was any; nil: nothing does

	options []string              // flags that add to the records or leave out
	columns func() render.Columns // what -E changes, of columns that -e chooses; nil: it has no columns
	array   bool                  // records are separated, and one output holds those of all inputs
	folder  bool                  // its files go to the folder of -o, nothing to standard output
	framed  bool                  // it shows lengths of frames
	masked  bool                  // passwords in fields are asterisks; JSON has the wire, text masks by itself
}

// An appender appends a record in some form. It is safe for concurrent use.
type appender = func(dst []byte, rec *dissect.Record) []byte

// A faultAppender appends the record about an input that ends with an error. offset is in bytes.
type faultAppender = func(dst []byte, file, code string, offset int64, message string) []byte

// A lackAppender appends what inputs did not give.
type lackAppender = func(lacks incomplete.List, dst []byte) []byte

// Forms returns the values of -T, for records or for events.
func Forms(events bool) (list []*Form) {
	for _, f := range forms {
		if f.Name != "" && (!events || f.events != nil) {
			list = append(list, f)
		}
	}
	return list
}

// FormUsage describes -T in the help.
func FormUsage(events bool) string {
	var words []string
	for _, f := range Forms(events) {
		word := f.Name
		if f.Note != "" {
			word += " (" + f.Note + ")"
		}
		words = append(words, word)
	}
	return "`FORMAT`: " + oneOf(words)
}

// oneOf returns "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// names returns the names of forms.
func names(list []*Form) (names []string) {
	for _, f := range list {
		names = append(names, f.Name)
	}
	return names
}

// findForm returns the form of a value of -T.
func findForm(name string, events bool) (*Form, error) {
	named := func(f *Form) bool { return f.Name == name }
	list, all := Forms(events), Forms(false)
	switch i := slices.IndexFunc(list, named); {
	case i >= 0:
		return list[i], nil
	case slices.ContainsFunc(all, named):
		return nil, exit.Usagef("-T %s: events are printed as %s",
			name, oneOf(names(list)))
	case tsharkForms[name] != "":
		return nil, exit.Usagef("-T %s: %s", name, tsharkForms[name])
	}
	return nil, exit.Usagef("-T %s: %s", name, schema.Choices(name, names(list)))
}

// chooseForm finds the one form that the settings ask for.
func (pl *plan) chooseForm() error {
	pl.form = formText
	var named *Form
	if pl.Format != "" {
		var err error
		if named, err = findForm(pl.Format, pl.Events); err != nil {
			return err
		}
	}
	quiet := pl.Quiet && pl.follow == nil && !(named != nil && named.folder) // with these -q silences the summary alone
	var first string
	for _, wish := range []struct {
		flag  string
		form  *Form
		given bool
	}{
		{"-q", formNothing, quiet},
		{"--json", formLines, pl.JSON},
		{"--jq", formLines, pl.Settings.JQ != ""},
		{"-V", formText, pl.Table},
		{"-x", formText, pl.Hex},
		{"-T " + pl.Format, named, named != nil},
	} {
		switch {
		case !wish.given:
		case first == "":
			first, pl.form = wish.flag, wish.form
		case wish.form == pl.form:
		case pl.form == formNothing:
			return exit.Usagef("-q prints no records, which contradicts %s", wish.flag)
		default:
			return exit.Usagef("%s and %s contradict each other", first, wish.flag)
		}
	}
	pl.framed = pl.framed || pl.form.framed
	return nil
}

// checkAdditions refuses settings that the form cannot show.
func (pl *plan) checkAdditions() error {
	if pl.Masked && pl.Secrets {
		return exit.Usagef("--show-secrets and %s contradict each other", hideSecrets)
	}
	for _, addition := range []struct {
		flag, does string
		given      bool
	}{
		{"--bits", "adds positions to JSON (-V shows them anyway)", pl.Bits},
		{"--framing", "adds what frames the fields to -V and JSON", pl.Framing && !pl.Table && pl.PDU == ""},
		{"--no-names", "leaves names out of JSON", pl.NoNames},
		{
			hideSecrets, "masks passwords and keys in JSON; other forms do so by themselves",
			pl.Masked && len(pl.Statistics) == 0,
		},
		{"--link", "adds facts of the link layer to JSON and to the fields of -e", pl.Link},
		{
			communityID, "adds the Community ID to JSON (-e and filters know community_id anyway)",
			pl.CommunityID && len(pl.Statistics) == 0,
		},
	} {
		if addition.given && !slices.Contains(pl.form.options, addition.flag) {
			return exit.Usagef("%s %s; add --json or leave it out", addition.flag, addition.does)
		}
	}
	return nil
}

// renderer returns the function that appends one record in the chosen form; nil for nothing.
func (pl *plan) renderer() appender {
	create := pl.form.records
	if pl.Events {
		create = pl.form.events
	}
	switch {
	case create == nil:
		return nil
	}
	add := create(pl)
	if (pl.form.masked || pl.Masked) && !pl.Events {
		add = masked(add)
	}
	if pl.query != nil {
		add = pl.query.Over(add)
	}
	if !pl.form.array {
		return add
	}
	return func(dst []byte, rec *dissect.Record) []byte {
		return pl.separated(dst, func(dst []byte) []byte { return add(dst, rec) })
	}
}

// masked makes a form show asterisks for passwords and keys in fields.
func masked(add appender) appender {
	return func(dst []byte, rec *dissect.Record) []byte {
		rec.MaskSecrets()
		return add(dst, rec)
	}
}

// separated appends lines, in an array as its elements: JSON has line feeds only at the ends of lines.
func (pl *plan) separated(dst []byte, lines func(dst []byte) []byte) []byte {
	if !pl.form.array {
		return lines(dst)
	}
	from := len(dst)
	dst = lines(append(dst, output.Separator...))
	first := from + len(output.Separator)
	if len(dst) == first {
		return dst[:from]
	}
	dst = dst[:len(dst)-1]
	if bytes.IndexByte(dst[first:], '\n') < 0 {
		return dst
	}
	return append(dst[:first], bytes.ReplaceAll(dst[first:], []byte{'\n'}, []byte(output.Separator))...)
}

// fileError renders the record of an input that ends with an error, if the form has one.
func (pl *plan) fileError(file, code string, offset int64, message string) []byte {
	if pl.query != nil || pl.form.fault == nil {
		return nil
	}
	return pl.separated(nil, func(dst []byte) []byte { return pl.form.fault(dst, file, code, offset, message) })
}

// opening returns what precedes the first record.
func (pl *plan) opening() []byte {
	if pl.form.header == nil {
		return nil
	}
	return pl.form.header(pl)
}

// closing returns what follows the last record. printed reports whether there was one.
func (pl *plan) closing(printed bool) []byte {
	if pl.form.footer == nil {
		return nil
	}
	return pl.form.footer(printed)
}
