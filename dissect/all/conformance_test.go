package all_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// protocolSamples are the samples of protocols that are not all files of the folder with the protocol's name: patterns
// below samples.
var protocolSamples = map[string][]string{
	"teeworlds":   {"teeworlds/*.pcap", "teeworlds/*.demo", "teeworlds/*.teehistorian", "teeworlds/*.gho"},
	"directplay8": {"gamestudio/synthetic-directplay8*.pcap"},
	"enet":        {"gamestudio/*enet*.pcap"},
	"gamestudio": {
		"gamestudio/synthetic-every-*.pcap", "gamestudio/synthetic-directplay4-2002.pcap",
		"gamestudio/synthetic-directplay8.pcap",
	},
}

// sharedBits are the fields of each protocol that share bits with others, by key.
var sharedBits = map[string][]string{
	// The chunk header's size and sequence number are interleaved; id and system are one number on the wire.
	"teeworlds": {"size", "system"},
	// A flag is the high byte of the size's word.
	"directplay8": {"flags"},
	// What no public text decides is shown in each reading that is possible.
	"gamestudio": {"raw", "degrees_swapped", "x", "y", "z"},
}

// Every protocol of the list holds what the house asks of protocols.
func TestConformance(t *testing.T) {
	for _, p := range all.Protocols() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			var samples []string
			patterns, ok := protocolSamples[p.Name]
			if !ok {
				patterns = []string{p.Name + "/*.*"}
			}
			for _, pattern := range patterns {
				files, err := filepath.Glob(filepath.Join(root, "samples", filepath.FromSlash(pattern)))
				if err != nil || len(files) == 0 {
					t.Fatalf("%s: %d files, %v", pattern, len(files), err)
				}
				samples = append(samples, slices.DeleteFunc(files, isFolder)...)
			}
			if !reference.Long() {
				samples = slices.DeleteFunc(samples, isLarge)
			}
			slices.Sort(samples)
			shared := slices.Concat(sharedBits["directplay8"], sharedBits["gamestudio"]) // one lies in the other
			if own := sharedBits[p.Name]; own == nil || p.Name == "teeworlds" {
				shared = own
			}
			dissecttest.Kit{
				Protocol: p, Samples: samples, Beside: all.Protocols(), Shared: shared,
				Whole:   os.Getenv("Q3DISSECT_LONG") == "whole",
				Offsets: p.Name == "directplay8" || p.Name == "gamestudio", // DirectPlay's core messages
			}.Run(t)
		})
	}
}

// isLarge reports whether only make long takes a sample: what a rule finds in it, it finds in smaller ones.
func isLarge(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size() > 25_000
}

// isFolder reports whether a name is a folder's: what the games said of the samples lies beside them.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
