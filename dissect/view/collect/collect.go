// Package collect reads captures and recordings and finds the matches and the people in them, over all files:
//
//	list, err := collect.People(ctx, []string{"demos/"}, all.Protocols())
//	for _, who := range list {
//		fmt.Println(who.Name, who.Kills, who.Deaths, who.IDKind)
//	}
//
// A person is a GUID where the recordings show one, else a name and an address, else a name. A match that several
// captures or recordings have counts once.
package collect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/catalogue"
	"github.com/q3dissect/q3dissect/dissect/view/highlights"
	"github.com/q3dissect/q3dissect/dissect/view/people"
)

// Options are how a file is read.
type Options struct {
	Protocols []*dissect.Protocol
	Memory    int             // see engine.Config
	NoRecover bool            // no keys of sessions that began before the file are recovered
	NoText    bool            // a text with hex dumps is of no known kind
	Each      func(count int) // is called after each record with their number; nil: it is not

	// Highlights are the rules of remarkable moments, which are then read in place of matches and people; nil: they are
	// not wanted.
	Highlights *extract.Highlights
}

// A File is what is in a capture or a recording. Who locates Matches and Casts says what the file is called.
type File struct {
	Matches []catalogue.Listing
	Casts   []people.Cast // who played, by match
	Moments []highlights.Highlight
	Left    int64 // moments beyond those
	Lacks   incomplete.List
	Text    bool  // it is a text with hex dumps
	Err     error // that ended the reading, also the context's; what was found before it is there
}

// Read reads a file. The error is that of opening it.
func Read(ctx context.Context, name string, o Options) (*File, error) {
	in, err := open.File(name, open.Options{Protocols: o.Protocols, NoText: o.NoText, Context: ctx})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var (
		f     File
		c     = catalogue.New()
		found highlights.Collector
		into  interface{ Add(*dissect.Record) } = c
		about catalogue.File
		lacks = incomplete.Account{File: name}
		count int
	)
	if c.Prove(); o.Highlights != nil {
		into = &found
	}
	_, about.Demo = in.Recording()
	for rec, err := range engine.Records(in.Packets(), engine.Config{
		Protocols: o.Protocols, Memory: o.Memory, Collected: into, NoTree: true,
		Options: dissect.Options{Events: true, Recover: !o.NoRecover, Highlights: o.Highlights},
	}) {
		switch {
		case err == nil:
		case errors.Is(err, ctx.Err()):
			lacks.Interrupt(1, 0)
		default:
			about.Error = err.Error()
			lacks.Fault(err)
		}
		if f.Err = err; err != nil {
			break
		}
		if lacks.Record(rec); !rec.Uncollected {
			into.Add(rec)
		}
		if count++; o.Each != nil {
			o.Each(count)
		}
	}
	stats := in.Stats()
	lacks.Capture(&stats)
	f.Lacks, f.Text = lacks.List().Missing(), in.IsText()
	if o.Highlights != nil {
		f.Moments, f.Left = found.Highlights()
		return &f, nil
	}
	f.Matches, f.Casts = c.Listings(about), c.Casts(about)
	return &f, nil
}

// People reads files, and folders with all that is below them, and returns everybody who played in their matches. A
// file that cannot be read, or not to its end, is an error beside the list of what was read; in folders, those of no
// known kind are left out.
func People(ctx context.Context, paths []string, protocols []*dissect.Protocol) ([]people.Career, error) {
	everybody := people.New()
	files, fault := open.Files(paths)
	for _, path := range files {
		f, err := Read(ctx, path.Name, Options{Protocols: protocols, NoText: !path.Given})
		var unknown *dissect.FileError
		if errors.As(err, &unknown) && unknown.Code == dissect.UnknownFormat && !path.Given {
			continue
		}
		if f != nil {
			err = f.Err
			modified := modifiedAt(path.Name)
			for i := range f.Casts {
				f.Casts[i].Locate(path.Name, modified)
				everybody.Add(&f.Casts[i])
			}
		}
		if err != nil {
			fault = errors.Join(fault, fmt.Errorf("%s: %w", path.Name, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return everybody.List(), fault
}

// modifiedAt returns when a file was changed, for recordings without a date; the zero time if that is not known.
func modifiedAt(name string) time.Time {
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
