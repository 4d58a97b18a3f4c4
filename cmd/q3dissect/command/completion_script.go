package command

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionScript returns the script for a shell. Those that cobra makes for bash and zsh pass the words as typed to
// eval, which refuses a word whose closing quote is not typed yet: a filter is such a word. That for fish takes the
// quote for a part of the word.
func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var script bytes.Buffer
	switch shell {
	case "bash":
		err := root.GenBashCompletionV2(&script, true)
		return replaceOnce(script.Bytes(), bashResults, bashOpenQuote+bashResults), err
	case "zsh":
		err := root.GenZshCompletion(&script)
		return replaceOnce(script.Bytes(), zshWords, zshOpenQuote+zshWords), err
	case "fish":
		err := root.GenFishCompletion(&script, true)
		text := script.Bytes()
		for _, call := range []string{"commandline -ct", "commandline -t"} {
			text = replaceOnce(text, call, call+fishUnquoted)
		}
		return replaceOnce(text, "commandline -opc", "commandline -opc | string escape"), err
	case "powershell":
		err := root.GenPowerShellCompletionWithDesc(&script)
		return script.Bytes(), err
	}
	return nil, exit.Usagef("completion %s: want %s", shell, strings.Join(shells, ", "))
}

// replaceOnce replaces the first place of a text in a script.
func replaceOnce(script []byte, text, by string) []byte {
	if !bytes.Contains(script, []byte(text)) {
		panic(fmt.Sprintf("cobra's script does not contain %q", text))
	}
	return bytes.Replace(script, []byte(text), []byte(by), 1)
}

// The lines of cobra's scripts that come after what is added: in bash the words are known, in zsh not changed yet.
const (
	bashResults = "    local out directive\n"
	zshWords    = "    # The user could have moved the cursor backwards"
)

// bashOpenQuote completes a word in bash whose opening quote alone is typed. bash replaces what is after the quote.
const bashOpenQuote = `    # A filter: its closing quote is not typed yet.
    if [[ ${cur} == [\'\"]* ]]; then
        local line begun=${cur:1}
        while IFS='' read -r line; do
            line=${line%%$'\t'*}
            [[ ${line} == "${begun}"* && ${line} != :[0-9]* ]] && COMPREPLY+=("${line}")
        done < <(eval "${words[0]} __complete ${words[*]:1:cword-1}" '"${begun}"' 2>/dev/null)
        return
    fi

`

// zshOpenQuote is the same for zsh. PREFIX is what is after the quote.
const zshOpenQuote = `    # A filter: its closing quote is not typed yet.
    if [[ -n ${compstate[quote]} ]]; then
        local -a fields
        fields=(${(f)"$(eval "${words[1]} __complete ${words[2,CURRENT-1]}" '"${PREFIX}"' 2>/dev/null)"})
        fields=("${(@)${(@)fields:#:<->}%%$'\t'*}")
        compadd -S '' -a fields && return
        _files
        return
    fi

`

// fishUnquoted removes the opening quote of a word.
const fishUnquoted = ` | string replace -r '^[\'"]' ''`
