package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	exits "github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/flags"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/keys"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/run"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/serve"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/view/browse"
)

const viewHelp = `q3dissect view shows captures and demos in the browser.

  q3dissect view capture.pcap                         list, fields and bytes
  q3dissect view demo.dm_68 'info contains "rocket"'  begin with a filter
  q3dissect view --no-open --port 8080 capture.pcap   over an SSH tunnel

The address works once and on this machine alone; nothing is sent anywhere.
Ctrl-C ends it. docs/viewer.md says what the panes show, ? lists the keys.
`

// A viewing is what the verb view was asked for.
type viewing struct {
	*run.Settings
	port   flags.Number
	noOpen bool
	folder output.Folder
}

// newViewCommand makes the verb view.
func newViewCommand(p *program) *cobra.Command {
	v := &viewing{Settings: run.NewSettings(), port: flags.Number{Limit: 65535}}
	cmd := &cobra.Command{
		Use:   "view [FLAGS] FILE... [FILTER]",
		Short: "list, fields and bytes in the browser",
		Long:  viewHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			inputs, err := v.TakeFilter(v.Inputs(args), filter.Records(p.protocols))
			if err != nil {
				return err
			}
			return p.view(v, inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&v.noOpen, "no-open", false, "print the address; do not open a browser")
	f.Var(&v.port, "port", "listen on port `N` of 127.0.0.1; by default 17960, or another one if that is taken")
	f.StringVarP(&v.Filter, "display-filter", "Y", "", "`FILTER` to start with; -Y may be left out for the last argument")
	f.BoolVar(&v.Secrets, "show-secrets", false, "show passwords and CD keys instead of asterisks")
	f.BoolVar(&v.State, "state", false, "add complete states and unchanged entities")
	f.BoolVar(&v.All, "all", false, "show packets of unknown protocols too")
	f.VarP(&v.DecodeAs, "decode-as", "d",
		"udp.port==N,PROTO, whatever its datagrams look like; PROTO alone for hex dumps without headers")
	f.Var(&v.DemoProtocol, "demo-protocol", "protocol number of demos that do not contain it")
	f.VarP(flags.NewInputs(&v.Files, f), "read-file", "r", "an input, as without -r")
	v.RecoveryFlags(f)
	f.VarP(&v.Workers, "workers", "j", "threads that dissect")
	f.Var(&v.Memory, "memory",
		"what is kept of streams takes `SIZE` at most, 512M if not given; the longest unused is forgotten")
	f.Var(&v.folder, "temp", "`FOLDER` for the index of rows, about as large as the inputs; by default the system's")
	help.MarkMain(f, "no-open", "port", "display-filter", "show-secrets")
	return cmd
}

// view is what the verb does.
func (p *program) view(v *viewing, inputs []string) error {
	if len(inputs) == 0 {
		return exits.Usagef("no input: name a capture or demo file")
	}
	v.Color = "never"
	if _, err := run.NewPlan(p.Console, p.protocols, v.Settings); err != nil { // checks the settings
		return err
	}
	ctx, end := signalled()
	defer end()
	sources, remove, err := p.viewSources(ctx, v, inputs)
	defer remove()
	if err != nil {
		return err
	}
	o, err := p.browseOptions(v)
	if err != nil {
		return err
	}
	run.LimitHeap(o.Memory)
	session, err := browse.Open(sources, o)
	if err != nil {
		return exits.Unwritable("the index of rows", err)
	}
	defer session.Close() // the index is temporary
	fragment := ""
	if v.Filter != "" {
		fragment = "filter=" + url.QueryEscape(v.Filter)
	}
	server, err := serve.New(session, int(v.port.Value), fragment)
	if err != nil {
		return exits.Usagef("--port %d: %s", v.port.Value, exits.Reason(err))
	}
	server.Export = session.ExportQuery
	server.Report = func() ([]byte, error) { return p.viewReport(v, sources) }
	if _, err := fmt.Fprintln(p.Stdout, server.URL()); err != nil {
		return exits.Unwritable("standard output", err)
	}
	if !v.noOpen {
		defer openBrowser(server)()
	}
	if err := server.Run(ctx); err != nil {
		return err
	}
	return ended(ctx)
}

// browseOptions are the settings of a session of the viewer.
func (p *program) browseOptions(v *viewing) (browse.Options, error) {
	o := browse.Options{
		Protocols: p.protocols, Workers: int(v.Workers.Value), DecodeAs: v.DecodeAs, DemoProtocol: int(v.DemoProtocol.Value),
		All: v.All, State: v.State, Secrets: v.Secrets, NoRecover: v.NoRecover, Memory: int(v.Memory), Folder: v.folder.Name,
		Application: "q3dissect " + version.Read().Version,
	}
	if v.KeysFile != "" {
		given, err := keys.Read(string(v.KeysFile))
		if err != nil {
			return o, err
		}
		o.Keys = given.Find
	}
	return o, nil
}

// caught is the signal that ended the program.
type caught syscall.Signal

func (c caught) Error() string { return syscall.Signal(c).String() }

// signalled returns a context that ends with SIGINT or SIGTERM; the second one kills.
func signalled() (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			number, _ := s.(syscall.Signal)
			cancel(caught(number))
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() { cancel(nil) }
}

// viewReport makes the report of the inputs, as the verb report does.
func (p *program) viewReport(v *viewing, sources []browse.Source) ([]byte, error) {
	folder, err := os.MkdirTemp(v.folder.Name, "q3dissect-view-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) // nothing can be done about a fault here
	name := filepath.Join(folder, "report.html")
	settings := run.NewSettings()
	settings.Quiet, settings.Secrets, settings.All, settings.State = true, v.Secrets, v.All, v.State
	settings.DecodeAs, settings.DemoProtocol, settings.Memory = v.DecodeAs, v.DemoProtocol, v.Memory
	settings.NoRecover, settings.KeysFile = v.NoRecover, v.KeysFile
	var inputs []string
	for _, s := range sources {
		inputs = append(inputs, s.Path)
	}
	var status *exits.Error
	if err := p.writeReport(settings, &reportFlags{output: output.Name(name)}, inputs); err != nil &&
		(!errors.As(err, &status) || status.Status == exits.Unreadable) {
		return nil, err
	}
	return os.ReadFile(name)
}

// openBrowser asks the system to open the server's address, through a file that nobody else can read. That there is no
// browser is no fault: the address is printed.
func openBrowser(server *serve.Server) (end func()) {
	end = func() {}
	command := map[string]string{"darwin": "open", "windows": "rundll32 url.dll,FileProtocolHandler"}[runtime.GOOS]
	if command == "" {
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return end
		}
		command = "xdg-open"
	}
	door, end, err := server.Door()
	if err != nil {
		return func() {}
	}
	words := append(strings.Fields(command), door)
	c := exec.Command(words[0], words[1:]...)
	if c.Start() != nil {
		return end
	}
	go c.Wait() // its end is of no interest
	return end
}
