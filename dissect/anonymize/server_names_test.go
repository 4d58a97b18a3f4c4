package anonymize_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// The name of a server is replaced wherever it is set or told, also one of words that games use themselves: in the
// header of a teehistorian file, in its settings, in commands of the remote console, and in what servers say of
// themselves.
func TestServerNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"../../samples/teeworlds/ddnet.teehistorian", "../../samples/teeworlds/07-servers.pcap",
		referenceRoot() + "/captures/teeworlds/dd06-full.d/" +
			"srv.teehistorian__1d57823c-59fe-46dd-9afb-5beb2e28c8a6.teehistorian",
	} {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		cfg := engine.Config{Protocols: all.Protocols(), Workers: 1}
		ids := anonymize.New(anonymize.Key{1})
		if err := ids.LearnFrom(openFile(t, name), cfg); err != nil {
			t.Fatal(err)
		}
		before := serverNames(t, openFile(t, name))
		copied := serverNames(t, anonymize.NewReader(openFile(t, name), ids.Seal(anonymize.Keep{}), cfg))
		if len(before) == 0 || len(before) != len(copied) {
			t.Fatalf("%s: %q became %q", name, before, copied)
		}
		same := map[string]string{}
		for i, text := range before {
			if same[text] = cmp.Or(same[text], copied[i]); same[text] != copied[i] {
				t.Errorf("%s: %q became %q and %q", name, text, same[text], copied[i])
			}
			for _, word := range strings.Fields(text) {
				if slices.Contains(strings.Fields(copied[i]), word) && strings.Trim(word, "0123456789[]:.") != "" {
					t.Errorf("%s: %q became %q", name, text, copied[i])
				}
			}
		}
	}
}

// serverNames returns the names of servers in the records of some packets.
func serverNames(t *testing.T, src interface {
	Next() (*dissect.Packet, error)
},
) (names []string) {
	t.Helper()
	records(t, src, dissect.Options{}, func(rec *dissect.Record) {
		if rec.Protocol == nil || rec.Tree == nil {
			return
		}
		tree, setting := rec.Tree, ""
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			if n.Field.Kind != dissect.Text {
				continue
			}
			text := string(tree.Bytes(n))
			switch key := n.Field.Key; {
			case key == "server_name", key == "value" && setting == "sv_name", key == "" && setting == "sv_name":
				names = append(names, text)
				setting = ""
			case key == "command", key == "name":
				setting = text
			default:
				setting = ""
			}
		}
		if v := rec.Root().Lookup("connless.info.name"); v.Exists() {
			names = append(names, v.String())
		}
	})
	return names
}
