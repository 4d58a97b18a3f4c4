// Package pictures makes what plots are drawn of: the games of an input with their players, matches, events, scores and
// ways over the map, how messages travelled, and how many bytes went by, over time. It draws nothing and knows no page.
//
//	c := pictures.New(pictures.Options{})
//	for rec := range records { // made with their trees, and with Options.Needs
//		c.Add(rec)
//	}
//	json.Marshal(c.Data())
//
// It takes the records of one input, on one goroutine, in the order in which they are finished. Memory is bounded: places
// of players are kept at ten a second until there are too many, then less often; events up to a number, and so on. What
// was left out is said in the notes.
//
// The package knows no game: it asks protocols through the interfaces of dissect, and through their events.
package pictures
