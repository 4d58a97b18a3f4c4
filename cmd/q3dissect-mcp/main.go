// Command q3dissect-mcp answers the questions of agents about captures and demos: a server of the Model Context
// Protocol on standard input and output.
//
//	q3dissect-mcp FOLDER...
//
// It reads files below the folders alone, writes nothing and uses no network. docs/mcp.md describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/command"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// Exit statuses, as those of q3dissect.
const (
	statusUsage  = 2
	statusFailed = 3
)

// part is the variable of the environment that names what a process of this program is.
const (
	part         = "Q3DISSECT_MCP"
	partQuestion = "question" // it runs the command, with its arguments, and ends
	partConfined = "confined" // it is the server, and the system keeps it from what it does not need
)

func main() { os.Exit(run()) }

// run is what every process of this program does.
func run() int {
	if os.Getenv(part) == partQuestion {
		return command.Main(all.Protocols()...)
	}
	l := defaultLimits
	usage := fmt.Sprintf("`LENGTH` of an answer in seconds, or as in 1m30s; what takes longer is stopped (default %v)", l.time)
	flag.Func("time", usage, func(s string) (err error) {
		if _, seconds := strconv.ParseFloat(s, 64); seconds == nil {
			s += "s"
		}
		l.time, err = time.ParseDuration(s)
		return err
	})
	flag.IntVar(&l.bytes, "bytes", l.bytes, "`BYTES` of an answer; the rest is on its next pages")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "q3dissect-mcp [FLAGS] [FOLDER]...\n"+
			"answers agents that speak MCP on standard input and output about the files below the folders")
		flag.PrintDefaults()
	}
	flag.Parse()
	dirs, err := openFolders(flag.Args())
	if err == nil && (l.bytes < leastBytes || l.time < time.Second) {
		err = fmt.Errorf("an answer needs %d bytes and a second", leastBytes)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "q3dissect-mcp:", err)
		return statusUsage
	}
	if os.Getenv(part) != partConfined {
		if err := confine(dirs.paths()); err != nil { // it returns only if it cannot be done
			fmt.Fprintln(os.Stderr, "q3dissect-mcp: names are checked, but the system does not hold it:", err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = newServer(dirs, l).Run(ctx, &mcp.StdioTransport{})
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, mcp.ErrConnectionClosed) && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "q3dissect-mcp:", err)
		return statusFailed
	}
	return 0
}
