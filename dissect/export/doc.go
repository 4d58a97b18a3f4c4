// Package export writes files from the records of an engine. It is independent of games: they decide which data
// belong to files.
//
// [Demos] writes what each client saw as a demo that the game plays, and a manifest of them.
//
// [Files] writes the files that servers sent to their clients, and a manifest of them.
package export
