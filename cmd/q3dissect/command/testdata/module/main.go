// Command q3dissect-raknet is q3dissect with one protocol more. Its folder raknet is the example of
// docs/adding-a-protocol.md: dissect/dissecttest/testdata/house/dissect/raknet.
package main

import (
	"os"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/command"
	"github.com/q3dissect/q3dissect/dissect/all"

	"example.org/q3dissect-raknet/raknet"
)

func main() {
	os.Exit(command.Main(append(all.Protocols(), raknet.New())...))
}
