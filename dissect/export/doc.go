// Package export writes files out of what an engine dissects. It knows no game: what belongs into a file
// the games say themselves, in the records.
//
// [Demos] writes what each client saw as a demo that the game plays, and a manifest of them.
//
// [Files] writes the files that servers sent to their clients, and a manifest of them.
package export
