package recover

import (
	_ "embed" // for the commands
	"encoding/json"
	"slices"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A corpus are typical commands: their words, in sentences that players and servers send. Names are invented.
//
// Words: clientCommand and serverCommand as in code/game/g_cmds.c, code/cgame/cg_servercmds.c, code/client/cl_main.c
// and code/server/sv_init.c. Those that only other games have: code/game/g_cmds.c, code/game/g_client.c and
// code/cgame/cg_servercmds.c of OpenJK (keywords); src/game/g_cmds.c and src/cgame/cg_servercmds.c of ET: Legacy
// (objectives); code/fgame, code/cgame/cg_servercmds.c, code/server/sv_client.c and code/client/cl_main.c of openmohaa
// (battle).
type corpus struct{ Client, Server, Objectives, Keywords, Battle []string }

//go:embed corpus.json
var corpusFile []byte

// readCorpus reads the commands when they are first needed.
var readCorpus = sync.OnceValue(func() *corpus {
	c := new(corpus)
	if err := json.Unmarshal(corpusFile, c); err != nil {
		panic(err) // the file is part of the program
	}
	return c
})

// of returns the commands of a set of games.
func (c *corpus) of(set tables.Corpus) []string {
	more := [tables.NumCorpora][]string{
		tables.CorpusObjectives: c.Objectives, tables.CorpusKeywords: c.Keywords, tables.CorpusBattle: c.Battle,
	}
	return slices.Concat(c.Client, c.Server, more[set])
}
