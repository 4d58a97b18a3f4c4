package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/dissect/all"
)

// commands returns a command and all below it.
func commands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		list = append(list, commands(c)...)
	}
	return list
}

// TestOutputsAreClaimed: every flag that names a file or folder has a type that states what happens to it, and one that
// is written is refused if it is the input, whatever the verb.
func TestOutputsAreClaimed(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	program := func() *program {
		return &program{Console: &console.Console{Stdin: null, Stdout: null, Stderr: null}, protocols: all.Protocols()}
	}
	outputs := 0
	for _, cmd := range commands(newRoot(program())) {
		words := strings.Fields(cmd.CommandPath())[1:]
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			_, reads := f.Value.(interface{ Reads() []string })
			_, isFile := f.Value.(*output.Name)
			folder, isFolder := f.Value.(*output.Folder)
			what, _ := pflag.UnquoteUsage(f)
			names := slices.Contains([]string{"FILE", "FILES", "DIR", "FOLDER", "PATH"}, what) ||
				slices.Contains([]string{"output", "write", "out", "save", "log", "profile"}, f.Name)
			if names && !reads && !isFile && !isFolder {
				t.Errorf("%s --%s names a file, and its type does not say whether that is written", cmd.CommandPath(), f.Name)
			}
			dir := t.TempDir()
			in := filepath.Join(dir, "in")
			var value string
			switch {
			case isFile:
				value = in
			case isFolder && len(folder.Files) > 0:
				value, in = dir, filepath.Join(dir, folder.Files[0])
			default:
				return
			}
			outputs++
			const text = "no byte of this is written over"
			if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args := append(slices.Clone(words), "--"+f.Name, value, in)
			root := newRoot(program())
			root.SetArgs(args)
			err := root.Execute()
			if err == nil || exit.StatusOf(err) != exit.Usage || !strings.Contains(err.Error(), "this is the input") {
				t.Errorf("%q: %v", args, err)
			}
			if b, err := os.ReadFile(in); err != nil || string(b) != text {
				t.Errorf("%q: the input is %q, %v", args, b, err)
			}
		})
	}
	if outputs < 8 { // -w, --evidence, --manifest, -o of tables, report and three exports
		t.Errorf("%d outputs", outputs)
	}
}
