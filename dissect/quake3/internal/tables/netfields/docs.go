package netfields

import (
	_ "embed" // for what the fields mean
	"maps"
	"sync"

	"github.com/q3dissect/q3dissect/dissect/internal/fielddoc"
)

//go:embed docs/entity.txt
var entityDocs string

//go:embed docs/player.txt
var playerDocs string

//go:embed docs/games.txt
var gameDocs string

//go:embed docs/mohaa_entity.txt
var mohaaEntityDocs string

//go:embed docs/mohaa_player.txt
var mohaaPlayerDocs string

// What the fields of entities and players mean, by the engine's name: in Quake III, in all games that are made from it,
// and in Medal of Honor. The files are read when somebody asks.
var (
	EntityDocs      = sync.OnceValue(func() map[string]string { return fielddoc.Parse(entityDocs) })
	PlayerDocs      = sync.OnceValue(func() map[string]string { return fielddoc.Parse(playerDocs) })
	GameEntityDocs  = withGameDocs(EntityDocs)
	GamePlayerDocs  = withGameDocs(PlayerDocs)
	MohaaEntityDocs = sync.OnceValue(func() map[string]string { return fielddoc.Parse(mohaaEntityDocs) })
	MohaaPlayerDocs = sync.OnceValue(func() map[string]string { return fielddoc.Parse(mohaaPlayerDocs) })
)

// withGameDocs adds the documentation of the games' own fields.
func withGameDocs(docs func() map[string]string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		all := fielddoc.Parse(gameDocs)
		maps.Copy(all, docs())
		return all
	})
}
