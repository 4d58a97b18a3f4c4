package dissecttest_test

import (
	"testing"

	"github.com/q3dissect/q3dissect/dissect/dissecttest"
	"github.com/q3dissect/q3dissect/dissect/dissecttest/testdata/house/dissect/raknet"
)

const house = "testdata/house"

func TestConformance(t *testing.T) {
	dissecttest.Kit{
		Protocol: raknet.New(),
		Samples:  []string{house + "/samples/raknet/ping.pcap"},
		Root:     house,
	}.Run(t)
}

// A protocol of another module is checked without the documents of a repository.
func TestConformanceElsewhere(t *testing.T) {
	dissecttest.Kit{
		Protocol:  raknet.New(),
		Samples:   []string{house + "/samples/raknet/ping.pcap"},
		Elsewhere: true,
	}.Run(t)
}
