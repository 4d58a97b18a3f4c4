package parquet

// SetMemory changes how much memory the open files of an input may take, in bytes.
func (d *Dataset) SetMemory(n int64) { d.memory = n }
