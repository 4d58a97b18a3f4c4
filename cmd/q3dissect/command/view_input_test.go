package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	exits "github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// counted is an input that counts what was read of it.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

// Standard input is copied as it is if its first bytes are those of an input, up to a limit, and until a signal comes.
func TestCopyInput(t *testing.T) {
	t.Parallel()
	sample, err := os.ReadFile("../../../samples/quake3/68-connect-play.pcap")
	if err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte{1}, 4*standardHead) // packets of no kind after those that are
	never, _ := io.Pipe()
	for _, c := range []struct {
		name   string
		from   io.Reader
		most   int64
		signal bool
		want   string // in the error
		status int
		read   int // at most; 0: all
	}{
		{"a capture", bytes.NewReader(sample), 1 << 30, false, "", 0, 0},
		{"a long one", io.MultiReader(bytes.NewReader(sample), bytes.NewReader(long)), 1 << 30, false, "", 0, 0},
		{"exactly the limit", bytes.NewReader(sample), int64(len(sample)), false, "", 0, 0},
		{"more than the limit", bytes.NewReader(sample), int64(len(sample)) - 1, false, "more than", exits.Unreadable, 0},
		{"zeros without end", zeros{}, 1 << 30, false, "standard input: ", exits.Unreadable, standardHead},
		{"text", strings.NewReader("not a capture\n"), 1 << 30, false, "standard input: ", exits.Unreadable, 0},
		{"nothing", strings.NewReader(""), 1 << 30, false, "standard input: ", exits.Unreadable, 0},
		{"a signal before anything", never, 1 << 30, true, "", 128 + int(syscall.SIGTERM), 0},
		{"a signal later", io.MultiReader(bytes.NewReader(sample), never), 1 << 30, true, "", 128 + int(syscall.SIGTERM), 0},
	} {
		name := filepath.Join(t.TempDir(), "copy")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		if c.signal {
			cancel(caught(syscall.SIGTERM))
		}
		from := &counted{Reader: c.from}
		err = copyInput(ctx, f, from, open.Options{Protocols: all.Protocols()}, c.most)
		cancel(nil)
		var status *exits.Error
		switch {
		case c.status == 0 && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.status == 0:
			if info, err := os.Stat(name); err != nil || info.Size() != int64(from.n) || from.n < len(sample) {
				t.Errorf("%s: %d bytes were read, the copy is %v, %v", c.name, from.n, info, err)
			}
		case !errors.As(err, &status) || status.Status != c.status || !strings.Contains(status.Text, c.want):
			t.Errorf("%s: %v, want %d %q", c.name, err, c.status, c.want)
		}
		if c.read > 0 && from.n > c.read {
			t.Errorf("%s: %d bytes were read", c.name, from.n)
		}
	}
}

// zeros is an input without end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
