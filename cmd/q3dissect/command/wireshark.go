package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/help"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/tsharkprofile"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version"
	"github.com/q3dissect/q3dissect/dissect/render/wireshark"
)

const wiresharkHelp = `q3dissect wireshark makes Wireshark and tshark show every field.

  q3dissect wireshark install                 the plug-in, into your own folder
  q3dissect wireshark install --with-profile  and columns and colours with it
  q3dissect capture.pcap -w out.pcapng --pdu
  wireshark -C q3dissect out.pcapng

Fields have the names of q3dissect's filters, after "q3dissect.":
  tshark -r out.pcapng -Y 'q3dissect.info contains "rocket"'
docs/wireshark.md has more.
`

const wiresharkInstallHelp = `q3dissect wireshark install puts the plug-in where Wireshark finds it: into the
personal folder of Lua plug-ins that tshark -G folders prints.

  q3dissect wireshark install
  q3dissect wireshark install --with-profile
  q3dissect wireshark install --dir DIR

A file that is there already is replaced only if an earlier install wrote it
and nobody changed it since.
`

const wiresharkPluginHelp = `q3dissect wireshark plugin prints the plug-in, a Lua program.

  q3dissect wireshark plugin > q3dissect.lua
  tshark -X lua_script:q3dissect.lua -r out.pcapng
`

// pluginFile is the name of the plug-in in Wireshark's folder.
const pluginFile = "q3dissect.lua"

// newWiresharkCommand makes the verb wireshark and its subcommands.
func newWiresharkCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "wireshark install|plugin",
		Short: "every field in Wireshark and tshark",
		Long:  wiresharkHelp,
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef(
					"wireshark what? There are wireshark install and wireshark plugin; q3dissect help wireshark tells more")
			}
			return exit.Usagef("there is no wireshark %s; there are wireshark install and wireshark plugin", args[0])
		},
	}
	cmd.AddCommand(newWiresharkInstallCommand(p), newWiresharkPluginCommand(p))
	return cmd
}

func newWiresharkPluginCommand(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "plugin",
		Short: "print the plug-in",
		Long:  wiresharkPluginHelp,
		Args:  noArguments("wireshark plugin"),
		RunE:  func(*cobra.Command, []string) error { return p.Print(p.plugin()) },
	}
}

func newWiresharkInstallCommand(p *program) *cobra.Command {
	var dir output.Folder
	var profile bool
	cmd := &cobra.Command{
		Use:   "install [FLAGS]",
		Short: "put the plug-in into Wireshark's personal folder",
		Long:  wiresharkInstallHelp,
		Args:  noArguments("wireshark install"),
		RunE:  func(*cobra.Command, []string) error { return p.installPlugin(dir.Name, profile) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&dir, "dir", "`DIR`: another folder; created if missing")
	f.BoolVar(&profile, "with-profile", false,
		"a profile too, with columns and colour rules, in profiles/q3dissect of Wireshark's configuration or of DIR")
	help.MarkMain(f, "dir", "with-profile")
	return cmd
}

// noArguments refuses arguments.
func noArguments(verb string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return exit.Usagef("%s takes no argument, but %s is given", verb, args[0])
		}
		return nil
	}
}

// plugin returns the Lua program.
func (p *program) plugin() []byte {
	text := fmt.Appendf(nil, "-- %s\n", tsharkprofile.Tried)
	return wireshark.NewFields(p.protocols).AppendPlugin(text, "q3dissect "+version.Read().Version)
}

// installPlugin writes the plug-in, and the profile if it is wanted. dir replaces Wireshark's folders; empty: it does
// not.
func (p *program) installPlugin(dir string, profile bool) error {
	folders := tsharkprofile.Folders{Plugins: dir, Config: dir}
	if dir == "" {
		var err error
		if folders, err = tsharkprofile.FindFolders(); err != nil {
			return &exit.Error{Status: exit.Unreadable, Text: exit.Sentence(err)}
		}
	}
	files := []tsharkprofile.File{{Path: filepath.Join(folders.Plugins, pluginFile), Comment: "--", Text: p.plugin()}}
	if profile {
		files = append(files, tsharkprofile.Profile(folders.Config)...)
	}
	if err := tsharkprofile.Install(p.Console, files); err != nil {
		return err
	}
	var names []byte
	for _, f := range files {
		names = append(append(names, terminal.Visible(f.Path)...), '\n')
	}
	if err := p.Print(names); err != nil {
		return err
	}
	if folders.Guessed {
		p.Complain("no tshark was found; this is where Wireshark usually looks (Help, About, Folders shows it)")
	}
	p.Complain("the plug-in was " + tsharkprofile.Tried)
	if profile {
		p.Complain("wireshark -C " + tsharkprofile.ProfileName + " uses the profile")
	}
	return nil
}
