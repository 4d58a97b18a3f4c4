// Package timeline collects the data of plots over time: the games of an input with their players, matches, events,
// scores and paths over the map, the transmission of messages, and bandwidth. It does not draw.
//
//	c := pictures.New(pictures.Options{})
//	for rec := range records { // made with their trees, and with Options.Needs
//		c.Add(rec)
//	}
//	json.Marshal(c.Data())
//
// It takes the records of one input, on one goroutine, in the order in which they are finished. Memory is bounded:
// places of players are kept at ten a second until there are too many, then less often; events up to a number, and so
// on. The notes list what was left out.
//
// The package names no game: it uses the functions of protocols and their events.
package timeline
