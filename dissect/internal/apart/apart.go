// Package apart keeps what goroutines write at the same time in cache lines of their own. Values that share one make
// two processors as slow as one: those that were allocated one after the other do.
package apart

// A Distance at the end of a struct, or between its fields, separates what is written before it from what follows: two
// cache lines of x86-64, which fetches them in pairs, and one of some ARM processors.
type Distance [128]byte
