package quake3

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/token"
)

// Passwords and keys are found anywhere in a command: in its text, its words and its infostring.
func TestSecretsOfCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string // the secrets, in order
	}{
		{"say password hunter2", nil},
		{`userinfo "\name\x\password\hunter2\rate\5"`, []string{"hunter2", "hunter2", "hunter2"}},
		{`userinfo "\Password\hunter2"`, []string{"hunter2", "hunter2", "hunter2"}},
		{`userinfo "\password\"`, nil},
		{`userinfo "\passwords\hunter2\mypassword\x"`, []string{"x", "x", "x"}},
		{`userinfo "\cl_cdkey\abcd"`, []string{"abcd", "abcd", "abcd"}},
		{"rcon hunter two status", []string{"hunter two status", "hunter", "two", "status"}},
		{"Rcon x", []string{"x", "x"}},
		{"rcon", nil},
		{"rconaddress 1.2.3.4", nil},
	} {
		rec := dissect.NewRecord()
		tree := rec.Tree
		tree.Open(&clientCommandField, 0)
		tree.AddBytes(&commandText, []byte(c.text), 0, 0)
		var w token.Words
		w.Split([]byte(c.text))
		tree.AddBytes(&commandName, w.At(0), 0, 0)
		tree.Open(&commandArguments, 0)
		for i := 1; i < w.Len(); i++ {
			tree.AddBytes(commandArguments.Children[0], w.At(i), 0, 0)
		}
		tree.Close(0)
		if string(w.At(0)) == "userinfo" {
			tree.AddBytes(&userinfoField, w.At(1), 0, 0)
		}
		tree.Close(0)
		var got []string
		for _, s := range appendSecrets(nil, rec) {
			got = append(got, string(tree.Bytes(&tree.Nodes[s.Node])[s.From:s.To]))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}
