package all_test

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

// README has this function, as it stands here.

func printInfo(in io.Reader) error {
	reader, err := capture.NewReader(in, capture.Options{})
	if err != nil {
		return err
	}
	engine, err := dissect.NewEngine(dissect.Config{
		Protocols: all.Protocols(),
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) { // rec.Tree has every field
			return fmt.Appendf(dst, "%d %v: %s\n", rec.Frame, rec.Direction, rec.Protocol.AppendInfo(nil, rec)), nil
		},
		Output: func(lines []byte) error { _, err := os.Stdout.Write(lines); return err },
	})
	if err != nil {
		return err
	}
	for packet, err := range reader.Packets() {
		if err != nil || engine.Packet(packet) != nil {
			break // the file breaks off; what stands before is whole
		}
	}
	_, err = engine.Close()
	return err
}

// Example dissects a capture that breaks off when a download has begun.
func Example() {
	file, err := os.Open("../../samples/quake3/68-download.pcap")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	if err := printInfo(io.LimitReader(file, 6000)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 client_to_server: getchallenge Quake3Arena
	// 2 server_to_client: challengeResponse -1067657425 (68)
	// 3 client_to_server: connect LabDownloader (68)
	// 4 server_to_client: connectResponse -1067657425
	// 5 client_to_server: acknowledge 0
	// 6 server_to_client: fragment of message 1: 1300 bytes at 0
	// 7 server_to_client: fragment of message 1: 1300 bytes at 1300
	// 8 server_to_client: gamestate labmap: 14 configstrings, 36 baselines
	// 9 server_to_client: snapshot 6450 full: 13 entities
	// 10 server_to_client: snapshot 6500 full: 13 entities
	// 11 client_to_server: download baseoa/zz-q3-68-download.pk3
	// 12 server_to_client: download block 0: 1024 bytes of 611991
}
