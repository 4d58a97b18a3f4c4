package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/cmd/internal/pathguard"
	"github.com/q3dissect/q3dissect/dissect/export"
)

// checkFiles refuses inputs that are among the files of the output folder, which the job replaces.
func (j *job) checkFiles(ctx context.Context) error {
	if info, err := os.Stat(j.Output); !isLocal(j.Output) || err != nil || !info.IsDir() {
		return nil
	}
	const flag = "--output"
	var c pathguard.Guard
	for _, glob := range j.globs {
		if !isLocal(glob) {
			continue
		}
		fs, err := filesystem.New(ctx, glob)
		if err != nil {
			return err
		}
		names, err := fs.List(ctx, glob)
		if err = errors.Join(err, fs.Close()); err != nil {
			return fmt.Errorf("%s: %w", glob, err)
		}
		for _, name := range names {
			c.Reads("", name)
		}
	}
	for _, file := range []string{optionsFile, manifest, deadLetters, playersFile, sourcesFile} {
		c.WritesIn(flag, j.Output, file)
	}
	c.WritesBelow(flag, j.Output, func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return first == "records" || first == "events" || parquet.Owns(path)
	})
	return c.Check()
}

// lock makes the output folder if need be, and locks it until it is closed: the lists of two jobs would replace each
// other. Folders on other machines are not locked.
func (j *job) lock() (*os.File, error) {
	if !isLocal(j.Output) {
		return nil, nil
	}
	if err := os.MkdirAll(j.Output, 0o777); err != nil {
		return nil, err
	}
	folder, err := os.Open(j.Output)
	if err != nil {
		return nil, err
	}
	if err := export.Lock(folder); err != nil {
		folder.Close() // nothing was written
		return nil, fmt.Errorf("%s: %w", j.Output, err)
	}
	return folder, nil
}
