// Package cacheline pads values that several goroutines write at the same time to a cache line each. Values in one
// cache line make two processors as slow as one, and values that were allocated one after the other share one.
package cacheline

// A Distance at the end of a struct, or between its fields, separates what is written before it from what follows: two
// cache lines of x86-64, which fetches them in pairs, and one of some ARM processors.
type Distance [128]byte
