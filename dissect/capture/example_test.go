package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// Packets from a source of gopacket's: here a pcapgo.Reader, as well a handle of pcap or afpacket.
func ExampleFromSource() {
	file, err := os.Open("../../samples/quake3/68-download.pcap")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	source, err := pcapgo.NewReader(file)
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(),
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			return fmt.Appendf(dst, "%d %v: %s\n", rec.Frame, rec.Direction, rec.Protocol.AppendInfo(nil, rec)), nil
		},
		Output: func(lines []byte) error { _, err := os.Stdout.Write(lines); return err },
	})
	if err != nil {
		log.Fatal(err)
	}
	for packet, err := range capture.FromSource(source, source.LinkType(), capture.Options{}).Packets() {
		if err != nil {
			log.Fatal(err)
		}
		if packet.Frame > 5 {
			break
		}
		if err := e.Packet(packet); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 client_to_server: getchallenge Quake3Arena
	// 2 server_to_client: challengeResponse -1067657425 (68)
	// 3 client_to_server: connect LabDownloader (68)
	// 4 server_to_client: connectResponse -1067657425
	// 5 client_to_server: acknowledge 0
}

// The packets of one stream, with the times and the bytes that the capture has, as a pcapng file: the engine reports
// which they are, and the Reader is a source for pcapgo.
func ExampleReader_ZeroCopyReadPacketData() {
	const stream = 1
	file, err := os.Open("../../samples/teeworlds/07-midsession.pcap")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	wanted, err := framesOf(stream, file)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		log.Fatal(err)
	}
	source, err := capture.NewReader(file, capture.Options{})
	if err != nil {
		log.Fatal(err)
	}

	var out bytes.Buffer
	iface, err := source.Interface(0)
	if err != nil {
		log.Fatal(err)
	}
	w, err := pcapgo.NewNgWriterInterface(&out, iface, pcapgo.DefaultNgWriterOptions)
	if err != nil {
		log.Fatal(err)
	}
	for frame := uint64(1); ; frame++ {
		data, info, err := source.ZeroCopyReadPacketData()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if wanted[frame] {
			if err := w.WritePacket(info, data); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}

	written, err := pcapgo.NewNgReader(&out, pcapgo.DefaultNgReaderOptions)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		_, info, err := written.ReadPacketData()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(info.Timestamp.Format(time.StampMicro), info.Length)
	}
	// Output:
	// Nov 21 07:19:30.545270 63
	// Nov 21 07:19:30.564467 69
	// Nov 21 07:19:30.591287 63
}

// framesOf returns the numbers of a stream's packets, IP fragments included.
func framesOf(stream int, in io.Reader) (map[uint64]bool, error) {
	frames := make(map[uint64]bool)
	e, err := engine.New(engine.Config{
		Protocols: all.Protocols(),
		Workers:   1, // Finish is called by one goroutine
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			if rec.Stream == stream {
				frames[rec.Frame] = true
				for _, frame := range rec.IPFragments {
					frames[frame] = true
				}
			}
			return dst, nil
		},
	})
	if err != nil {
		return nil, err
	}
	reader, err := capture.NewReader(in, capture.Options{})
	if err != nil {
		return nil, err
	}
	for packet, err := range reader.Packets() {
		if err != nil {
			return nil, err
		}
		if err := e.Packet(packet); err != nil {
			return nil, err
		}
	}
	_, err = e.Close()
	return frames, err
}
