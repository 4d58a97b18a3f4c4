package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/export"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

const exportMessagesHelp = `q3dissect export messages writes each message of the games to a file.

  q3dissect export messages capture.pcap -o messages
  q3dissect export messages capture.pcap -o messages --frames 100-200

Messages are put together of their fragments, deciphered and unpacked:
stream-session-packet-sender.bin, and messages.ndjson, which has a line with
time, addresses, sequence number, sha256 and the list's last column for each.
`

// A messageExport holds the flags and the state of the verb export messages.
type messageExport struct {
	exportFolder
	messages *export.Messages
}

func newExportMessagesCommand(p *program) *cobra.Command {
	s, e := run.NewSettings(), &messageExport{}
	cmd := &cobra.Command{
		Use:   "messages [FLAGS] -o DIR FILE...",
		Short: "each message, put together and deciphered",
		Long:  exportMessagesHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs := s.Inputs(args)
			if err := e.check(s, inputs, "a capture"); err != nil {
				return err
			}
			return p.export(s, e, e.dir.Name, inputs)
		},
	}
	e.addFlags(cmd.Flags(), s, "message")
	e.dir.Files = append(e.dir.Files, export.IndexName)
	return cmd
}

func (e *messageExport) open(workers int, inputs []string) (err error) {
	e.messages, err = export.NewMessages(export.Config{
		Dir: e.dir.Name, Overwrite: e.force,
		Workers: workers, Inputs: inputs,
	})
	e.writer = e.messages
	return err
}

// Prepare makes an engine write messages where they are finished, and the index in the order of the packets.
func (e *messageExport) Prepare(cfg *engine.Config, input string, many bool) {
	cfg.Finish = func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
		return e.messages.Add(dst, rec), e.messages.Err()
	}
	cfg.Output = e.messages.Output
	e.begin(input, many)
}

func (e *messageExport) close() (exportResult, error) {
	m, err := e.messages.Close()
	x := exportResult{manifest: m, files: []string{export.IndexName}, summary: quantity.Count(m.Messages, "message") +
		" in " + e.dir.Name}
	if m.Messages == 0 {
		x.files = nil
	}
	if replaced := e.messages.Replaced(); len(replaced) > 0 { // one line for many small files
		x.replaced = []string{fmt.Sprintf("replaced %s in %s", quantity.Count(len(replaced), "file"), e.dir.Name)}
	}
	if m.Undeciphered > 0 {
		x.notes = append(x.notes, fmt.Sprintf("%s could not be deciphered", quantity.Count(m.Undeciphered, "message")))
	}
	return x, err
}
