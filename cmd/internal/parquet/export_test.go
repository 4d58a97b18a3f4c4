package parquet

// SetMemory changes how many bytes of rows an input may keep.
func (d *Dataset) SetMemory(n int64) { d.memory = n }

// SetChanges changes how often a table's files may end because of a further day.
func (d *Dataset) SetChanges(n int) { d.changes = n }
