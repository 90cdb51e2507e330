package store

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// A Name is a ref below Refs, and the object it is.
type Name struct{ Ref, Object string }

// Found is a record as it was read: it, or what is wrong with it.
type Found struct {
	Name
	Record *Record // nil: it is no record
	Wrong  error   // why; not that the repository could not be read
}

// maxRecords is how many records a repository may have.
const maxRecords = 1_000_000

// Names are the records of the repository, in order of their refs, as git lists them: none is kept.
func (r Repository) Names(ctx context.Context) iter.Seq2[Name, error] {
	return func(yield func(Name, error) bool) {
		cmd, n := r.local(ctx, "for-each-ref", fmt.Sprintf("--count=%d", maxRecords+1), "--format=%(objectname) %(refname)", record.Refs), 0
		for one, err := range lines(ctx, cmd) {
			if n++; err == nil && n > maxRecords {
				err = fmt.Errorf("there are more than %d", maxRecords)
			}
			if err != nil {
				yield(Name{}, fmt.Errorf("listing records: %w", err))
				return
			}
			if object, ref, _ := strings.Cut(one, " "); !yield(Name{ref, object}, nil) {
				return
			}
		}
	}
}

// Each reads all records of the repository, in order of their refs, one after the other: none is kept. It ends with the first error
// of each.
func (r Repository) Each(ctx context.Context, each func(Found) error) error {
	return read(ctx, r, r.Names(ctx), same, each)
}

// Read is Each of these only.
func (r Repository) Read(ctx context.Context, names []Name, each func(Found) error) error {
	all := func(yield func(Name, error) bool) {
		for _, n := range names {
			if !yield(n, nil) {
				return
			}
		}
	}
	return read(ctx, r, all, same, each)
}

// Gather makes something of each record, side by side, and hands it over in order of their refs. What is kept of a record is to be
// cloned: texts in it are parts of all that it says.
func Gather[T any](ctx context.Context, r Repository, make func(Found) T, each func(T) error) error {
	once := func(f Found) T {
		defer f.Record.drop()
		return make(f)
	}
	return read(ctx, r, r.Names(ctx), once, each)
}

func same(f Found) Found { return f }

// Records are read in bundles of at most so many, which end when they have so many bytes.
const bundleRecords, bundleBytes = 64, 1 << 16

// A bundle are records that are read one after the other, beside others.
type bundle[T any] struct {
	names []Name
	raw   [][]byte
	wrong []error
	room  []byte // what raw is of; taken again for other records
	made  chan []T
}

func newBundle[T any]() *bundle[T] {
	return &bundle[T]{room: make([]byte, 0, 2*bundleBytes), made: make(chan []T, 1)}
}

// clear makes room for other records.
func (b *bundle[T]) clear() {
	b.names, b.raw, b.wrong, b.room = b.names[:0], b.raw[:0], b.wrong[:0], b.room[:0]
}

func (b *bundle[T]) full() bool { return len(b.names) == bundleRecords || len(b.room) >= bundleBytes }

// add takes the text of a record from git. Wrong is why it can't be one.
func (b *bundle[T]) add(n Name, o object) (err error) {
	var raw []byte
	var wrong error
	switch {
	case o.missing:
		wrong = fmt.Errorf("object %s is not in this clone", short(n.Object))
	case o.kind != "commit" || o.size > record.MaxSize:
		wrong = fmt.Errorf("it is a %s of %d bytes, and no record", o.kind, o.size)
	default:
		at := len(b.room)
		b.room = slices.Grow(b.room, int(o.size))[:at+int(o.size)]
		raw = b.room[at:len(b.room):len(b.room)]
		_, err = io.ReadFull(o.body, raw)
	}
	b.names, b.raw, b.wrong = append(b.names, n), append(b.raw, raw), append(b.wrong, wrong)
	return err
}

func (b *bundle[T]) make(of func(Found) T) {
	list := make([]T, len(b.names))
	for i, n := range b.names {
		list[i] = of(foundOf(n, b.raw[i], b.wrong[i]))
	}
	b.made <- list
}

// read reads records, side by side, for that takes longer than git takes to find them, and hands them over in order.
func read[T any](ctx context.Context, r Repository, names iter.Seq2[Name, error], of func(Found) T, each func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	coming, work, empty := make(chan *bundle[T], workers), make(chan *bundle[T], workers), make(chan *bundle[T], 2*workers)
	for range workers {
		go func() {
			for b := range work {
				b.make(of)
			}
		}()
	}
	for range cap(empty) {
		empty <- newBundle[T]()
	}
	var failed error
	go func() {
		defer close(coming)
		defer close(work)
		failed = bundles(ctx, r, names, empty, func(b *bundle[T]) { work <- b; coming <- b })
	}()
	for b := range coming {
		for _, one := range <-b.made {
			if err := each(one); err != nil {
				cancel()
				for range coming { // until git has ended
				}
				return err
			}
		}
		b.clear()
		empty <- b
	}
	return failed
}

// bundles asks git for records and hands them over as there are enough of them.
func bundles[T any](ctx context.Context, r Repository, names iter.Seq2[Name, error], empty <-chan *bundle[T], hand func(*bundle[T])) error {
	b := <-empty
	err := inParts(names, maxAsked, func(some []Name) error {
		ids := make([]string, len(some))
		for i, n := range some {
			ids[i] = n.Object
		}
		return r.objects(ctx, ids, func(i int, o object) error {
			if err := b.add(some[i], o); err != nil || !b.full() {
				return err
			}
			hand(b)
			select {
			case b = <-empty:
				return nil
			case <-ctx.Done():
				b = nil
				return context.Cause(ctx)
			}
		})
	})
	if b != nil {
		hand(b)
	}
	return err
}

// maxAsked is how many objects one run of git is asked for: their names are kept until it has answered.
const maxAsked = 4096

// inParts hands over what comes in lists of at most so many, each of which is of use until the next one.
func inParts[T any](all iter.Seq2[T, error], most int, each func([]T) error) error {
	var part []T
	for one, err := range all {
		if err != nil {
			return err
		}
		if part = append(part, one); len(part) < most {
			continue
		}
		if err := each(part); err != nil {
			return err
		}
		part = part[:0]
	}
	return each(part)
}

func foundOf(n Name, raw []byte, wrong error) Found {
	found := Found{Name: n, Wrong: wrong}
	if wrong == nil {
		found.Record, found.Wrong = parse(n.Ref, n.Object, raw)
	}
	if found.Wrong != nil {
		found.Record = nil
	}
	return found
}
