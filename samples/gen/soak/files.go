//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The cost of any file in each verb, packed or not: docs/limits.md.
const (
	startCost = time.Second
	costPerMB = 20 * time.Second
	largeFile = 0.1 // MB: of a smaller one, the start and the search for keys are most
)

// verbs are what a file is given to; the file follows.
var verbs = [][]string{
	{"-q"},
	{"--json"},
	{"-V"},
	{"events"},
	{"catalogue", "--no-cache"},
	{"players", "--no-cache"},
	{"moments"},
	{"keys"},
	{"report", "-o", "/dev/null"},
}

// measureFiles runs every verb on each file, prints the costliest file of each, and reports what costs too much.
func (s *soak) measureFiles() error {
	var names []string
	for _, pattern := range strings.Split(s.files, ",") {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range found {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				names = append(names, name)
			}
		}
	}
	var failures []error
	fmt.Printf("\n%-24s %6s %10s %10s  %s\n", "verb", "files", "user s", "s for 1 MB", "costliest of 100 KB and more")
	for _, verb := range verbs {
		what := strings.Join(verb, " ")
		var most, taken float64
		costliest := ""
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				return err
			}
			program := exec.Command(s.program, append(verb[:len(verb):len(verb)], name)...)
			if err := program.Run(); program.ProcessState == nil {
				return fmt.Errorf("%s %s: %w", what, name, err)
			}
			took, size := program.ProcessState.UserTime(), float64(info.Size())/1e6
			if took > startCost+time.Duration(size*float64(costPerMB)) {
				failures = append(failures, fmt.Errorf("%s %s takes %.1f s for %.3f MB", what, name, took.Seconds(), size))
			}
			if rate := took.Seconds() / size; size > largeFile && rate > most {
				most, taken, costliest = rate, took.Seconds(), name
			}
		}
		fmt.Printf("%-24s %6d %10.2f %10.1f  %s\n", what, len(names), taken, most, filepath.Base(costliest))
	}
	return errors.Join(failures...)
}
