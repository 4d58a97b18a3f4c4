package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	exits "github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

const (
	// standardHead is how much of standard input is looked at before the rest is copied, in bytes.
	standardHead = 64 << 10
	// maxStandard is how much of standard input is copied, in bytes.
	maxStandard = 4 << 30
)

// viewSources returns the inputs as they can be read again and again. What comes on standard input is kept in a file.
func (p *program) viewSources(ctx context.Context, v *viewing, inputs []string) (
	sources []browse.Source, remove func(), err error,
) {
	remove = func() {}
	o := open.Options{Protocols: p.protocols, DemoProtocol: int(v.DemoProtocol.Value)}
	for _, name := range inputs {
		if name != input.Standard {
			in, err := open.File(name, o)
			if err != nil {
				return nil, remove, unreadable(name, err)
			}
			in.Close() // it was not read
			sources = append(sources, browse.File(name))
			continue
		}
		if slices.ContainsFunc(sources, func(s browse.Source) bool { return s.Name == input.Standard }) {
			continue
		}
		f, err := os.CreateTemp(v.folder.Name, "q3dissect-view-*")
		if err != nil {
			return nil, remove, exits.Unwritable("the copy of standard input", err)
		}
		remove = func() { os.Remove(f.Name()) } // nothing can be done about a fault here
		if err := copyInput(ctx, f, p.Stdin, o, maxStandard); err != nil {
			return nil, remove, err
		}
		source := browse.File(f.Name())
		source.Name = input.Standard
		sources = append(sources, source)
	}
	return sources, remove, nil
}

// unreadable is the end of a command whose input cannot be read.
func unreadable(name string, err error) error {
	var fault *dissect.FileError
	if errors.As(err, &fault) {
		err = fault
	}
	return &exits.Error{Status: exits.Unreadable, Text: name + ": " + exits.Reason(err)}
}

// copyInput copies standard input to a file, and closes it. It ends with ctx, even while it waits for more. What is of
// no known kind is refused by its first bytes, and more than a number of bytes is an error.
func copyInput(ctx context.Context, f *os.File, from io.Reader, o open.Options, most int64) error {
	copied := make(chan error, 1)
	go func() {
		err := copyKnown(f, from, o, most)
		if fault := f.Close(); err == nil && fault != nil {
			err = exits.Unwritable("the copy of standard input", fault)
		}
		copied <- err
	}()
	select {
	case err := <-copied:
		return err
	case <-ctx.Done():
		return ended(ctx) // the process ends, and with it the read that waits
	}
}

func copyKnown(f io.Writer, from io.Reader, o open.Options, most int64) error {
	head := make([]byte, standardHead)
	n, err := io.ReadFull(from, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return unreadable("standard input", err)
	}
	head = head[:n]
	in, fault := open.New(bytes.NewReader(head), "", o)
	var kind *dissect.FileError
	switch {
	case fault == nil:
		in.Close() // it was not read
	case n < standardHead, errors.As(fault, &kind) && kind.Code == dissect.UnknownFormat:
		return unreadable("standard input", fault)
	}
	if _, err := f.Write(head); err != nil {
		return exits.Unwritable("the copy of standard input", err)
	}
	more, err := io.Copy(f, io.LimitReader(from, most-int64(n)+1))
	if err != nil {
		return exits.Unwritable("the copy of standard input", err)
	}
	if int64(n)+more > most {
		return &exits.Error{Status: exits.Unreadable, Text: fmt.Sprintf(
			"standard input: more than %d bytes: write it to a file, and view that", most)}
	}
	return nil
}

// ended is the end of a command by the signal that ended ctx.
func ended(ctx context.Context) error {
	var by caught
	if errors.As(context.Cause(ctx), &by) {
		return exits.With(128 + int(by))
	}
	return nil
}
