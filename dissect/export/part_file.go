package export

import (
	"errors"
	"io"
	"io/fs"
	"math"
)

// A partFile is an incomplete file. It is open only while it is written to, so that any number of them can be
// in progress.
type partFile struct {
	store store
	name  string // ends with the folder's partSuffix
	made  bool
	err   error // why a part of it could not be written: the file is then useless
}

// write writes to the end of the file, which is made with the first write.
func (p *partFile) write(b []byte) error {
	return p.use(func(file storeFile) error {
		_, err := file.Write(b)
		return err
	})
}

// flush writes what was collected for the file, and gives up the memory: an unfinished file must not keep it.
func (p *partFile) flush(collected *[]byte) error {
	b := *collected
	*collected = nil
	if len(b) == 0 {
		return nil
	}
	return p.write(b)
}

// replaceHead writes over the first bytes of the file, and then all of it to sum.
func (p *partFile) replaceHead(head []byte, sum io.Writer) error {
	if p.err != nil {
		return p.err
	}
	p.err = func() error {
		file, err := p.store.revise(p.name)
		if err != nil {
			return err
		}
		_, err = file.Write(head)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		from, closer, err := p.store.read(p.name)
		if err != nil {
			return err
		}
		_, err = io.Copy(sum, io.NewSectionReader(from, 0, math.MaxInt64))
		return errors.Join(err, closer.Close())
	}()
	return p.err
}

// finish returns when the file's data are on the disk.
func (p *partFile) finish() error { return p.use(storeFile.Sync) }

// use opens the file for one operation. The first error stays.
func (p *partFile) use(do func(storeFile) error) error {
	if p.err != nil {
		return p.err
	}
	open := p.store.extend
	if !p.made {
		open = p.store.create
	}
	file, err := open(p.name)
	if err == nil {
		p.made = true
		err = errors.Join(do(file), file.Close())
	}
	p.err = err
	return err
}

// discard removes the file, if it was created. It can then be begun again.
func (p *partFile) discard() error {
	p.err = nil
	if !p.made {
		return nil
	}
	p.made = false
	if err := p.store.remove(p.name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
