// Killfeed prints who killed whom in captures and demos of any game, and who killed most.
//
//	go run ./killfeed FILE...
package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
)

func main() {
	kills := map[string]int{}
	for _, name := range os.Args[1:] {
		for e, err := range open.Events(name, all.Protocols(), dissect.Options{}) {
			if err != nil {
				fmt.Fprintln(os.Stderr, name+":", err) // what came before it counts
				continue
			}
			kill, ok := e.Kill()
			if !ok || !kill.Killer.Known || kill.Suicide {
				continue
			}
			kills[kill.Killer.Name]++
			fmt.Printf("%v  %s  [%s]  %s\n", e.ServerTime(), kill.Killer.Name, kill.Weapon, kill.Victim.Name)
		}
	}
	best := slices.SortedFunc(maps.Keys(kills), func(a, b string) int {
		return cmp.Or(kills[b]-kills[a], cmp.Compare(a, b))
	})
	for _, name := range best {
		fmt.Println(kills[name], name)
	}
}
