package browse

import (
	"context"
	"fmt"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/all"
)

// Of many passes few run at the same time; one that is stopped while it waits does not run.
func TestPassesQueue(t *testing.T) {
	t.Parallel()
	s := &Session{running: make(chan struct{}, runningJobs)}
	var now, most, ran atomic.Int32
	hold := make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	var left atomic.Int32
	var group sync.WaitGroup
	for range 300 {
		group.Go(func() {
			defer left.Add(1)
			_ = s.inTurn(ctx, func() error {
				ran.Add(1)
				n := now.Add(1)
				defer now.Add(-1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				<-hold
				return nil
			})
		})
	}
	for len(s.running) < runningJobs {
		runtime.Gosched()
	}
	stop()
	for left.Load() < 300-runningJobs {
		runtime.Gosched()
	}
	close(hold)
	group.Wait()
	if most.Load() != runningJobs || ran.Load() != runningJobs {
		t.Errorf("%d at the same time, %d of 300 ran", most.Load(), ran.Load())
	}
	if err := s.inTurn(context.Background(), func() error { return nil }); err != nil {
		t.Error(err)
	}
}

// 300 filters at once are answered, the last ones completely.
func TestManyFilters(t *testing.T) {
	t.Parallel()
	s, err := Open([]Source{File("../../../samples/quake3/68-connect-play.pcap")},
		Options{Protocols: all.Protocols(), Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	var group sync.WaitGroup
	for i := range 300 {
		group.Go(func() {
			if answer, ok := s.Ask("rows", url.Values{"filter": {fmt.Sprintf("frame > %d", i)}}); !ok {
				t.Errorf("%s", answer)
			}
		})
	}
	group.Wait()
	for {
		page, err := s.Rows(0, 10, "frame > 490")
		if err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
		if page.Done {
			if page.Many != 10 {
				t.Errorf("%d rows", page.Many)
			}
			return
		}
	}
}
