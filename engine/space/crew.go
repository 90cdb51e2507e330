package space

import (
	"runtime"
	"sync/atomic"
)

// A crew is goroutines that wait for tasks. Whoever gives out a task works on it too, and waits for
// nobody who has not begun: a goroutine that gets no processor delays nothing.
type crew struct {
	jobs  int // with the one that gives out the tasks
	tasks chan *task
}

// A task is n calls of do, of which each goroutine takes the next.
type task struct {
	n          int
	do         func(i int)
	next, left atomic.Int64
	done       chan struct{}
}

// newCrew starts the goroutines; dismiss ends them.
func newCrew(jobs int) *crew {
	c := &crew{jobs: jobs, tasks: make(chan *task, jobs-1)}
	for range jobs - 1 {
		go func() {
			for t, more := await(c.tasks); more; t, more = await(c.tasks) {
				t.work()
			}
		}()
	}
	return c
}

func (c *crew) dismiss() { close(c.tasks) }

// each calls do for every number below n and returns when all calls have. A nil crew does so alone.
func (c *crew) each(n int, do func(i int)) {
	if c == nil {
		for i := range n {
			do(i)
		}
		return
	}
	t := &task{n: n, do: do, done: make(chan struct{})}
	t.left.Store(int64(n))
	for range c.jobs - 1 {
		select {
		case c.tasks <- t:
		default: // they are still asleep over earlier ones
		}
	}
	t.work()
	await(t.done)
}

func (t *task) work() {
	for i := int(t.next.Add(1)) - 1; i < t.n; i = int(t.next.Add(1)) - 1 {
		t.do(i)
		if t.left.Add(-1) == 0 {
			close(t.done)
		}
	}
}

// await receives from c. It looks again and again, for some hundred microseconds, before it sleeps:
// waking up takes about as long, and the phases of a batch are hardly longer.
func await[T any](c <-chan T) (v T, ok bool) {
	for i := range 1 << 15 {
		select {
		case v, ok = <-c:
			return v, ok
		default:
		}
		if i%64 == 63 {
			runtime.Gosched()
		}
	}
	v, ok = <-c
	return v, ok
}
