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
	"github.com/redlinehq/redline/report/record/log"
)

// A Name is a ref below Refs, and its object.
type Name struct{ Ref, Object string }

// ReadResult is the result of reading a record: the record, or why it is none.
type ReadResult struct {
	Name
	Record *Record // nil: it is no record
	Wrong  error   // the reason; never a failure to read the repository
}

// maxRecords limits the number of records in a repository.
const maxRecords = 1_000_000

// refsBelow yields the refs below a prefix in order, as git lists them, without keeping any.
func (r Repository) refsBelow(ctx context.Context, prefix string) iter.Seq2[Name, error] {
	return func(yield func(Name, error) bool) {
		cmd, n := r.local(ctx, "for-each-ref", fmt.Sprintf("--count=%d", maxRecords+1), "--format=%(objectname) %(refname)", prefix), 0
		for one, err := range lines(ctx, cmd) {
			if n++; err == nil && n > maxRecords {
				err = fmt.Errorf("there are more than %d records", maxRecords)
			}
			if err != nil {
				yield(Name{}, err)
				return
			}
			if object, ref, _ := strings.Cut(one, " "); !yield(Name{ref, object}, nil) {
				return
			}
		}
	}
}

// names yields the records' refs in order: all below Refs but those of the log.
func (r Repository) names(ctx context.Context) iter.Seq2[Name, error] {
	return func(yield func(Name, error) bool) {
		for n, err := range r.refsBelow(ctx, record.Refs) {
			if !strings.HasPrefix(n.Ref, log.Refs) && !yield(n, err) {
				return
			}
		}
	}
}

// each reads all records of the repository and calls each with them, in order of their refs. None is kept in memory. It stops at the first
// error of each.
func (r Repository) each(ctx context.Context, each func(ReadResult) error) error {
	return read(ctx, r, r.names(ctx), same, each)
}

// Read reads the named records and calls each with them, in the given order. It stops at the first error of each.
func (r Repository) Read(ctx context.Context, names []Name, each func(ReadResult) error) error {
	all := func(yield func(Name, error) bool) {
		for _, n := range names {
			if !yield(n, nil) {
				return
			}
		}
	}
	return read(ctx, r, all, same, each)
}

// Gather computes a value from each record, several side by side, and calls each with the values in order of the records' refs. Clone
// strings that make keeps: they share memory with all of the record.
func Gather[T any](ctx context.Context, r Repository, make func(ReadResult) T, each func(T) error) error {
	once := func(f ReadResult) T {
		defer f.Record.drop()
		return make(f)
	}
	return read(ctx, r, r.names(ctx), once, each)
}

func same(f ReadResult) ReadResult { return f }

// A bundle ends after so many records, or so many bytes.
const bundleRecords, bundleBytes = 64, 1 << 16

// A bundle is a group of records that one worker parses.
type bundle[T any] struct {
	names  []Name
	raw    [][]byte
	wrong  []error
	buffer []byte // the buffer that raw points into; reused for other records
	made   chan []T
}

func newBundle[T any]() *bundle[T] {
	return &bundle[T]{buffer: make([]byte, 0, 2*bundleBytes), made: make(chan []T, 1)}
}

// clear empties the bundle for reuse.
func (b *bundle[T]) clear() {
	b.names, b.raw, b.wrong, b.buffer = b.names[:0], b.raw[:0], b.wrong[:0], b.buffer[:0]
}

func (b *bundle[T]) full() bool { return len(b.names) == bundleRecords || len(b.buffer) >= bundleBytes }

// add reads a record's text from git, or notes why the object can't be a record.
func (b *bundle[T]) add(n Name, o object) (err error) {
	var raw []byte
	var wrong error
	switch {
	case o.missing:
		wrong = fmt.Errorf("object %s is not in this clone", short(n.Object))
	case o.kind != "commit" || o.size > record.MaxSize:
		wrong = fmt.Errorf("it is a %s of %d bytes, and no record", o.kind, o.size)
	default:
		at := len(b.buffer)
		b.buffer = slices.Grow(b.buffer, int(o.size))[:at+int(o.size)]
		raw = b.buffer[at:len(b.buffer):len(b.buffer)]
		_, err = io.ReadFull(o.body, raw)
	}
	b.names, b.raw, b.wrong = append(b.names, n), append(b.raw, raw), append(b.wrong, wrong)
	return err
}

func (b *bundle[T]) make(of func(ReadResult) T) {
	list := make([]T, len(b.names))
	for i, n := range b.names {
		list[i] = of(resultOf(n, b.raw[i], b.wrong[i]))
	}
	b.made <- list
}

// read parses records on several workers, because parsing takes longer than git takes to find them, and hands the values over in order.
func read[T any](ctx context.Context, r Repository, names iter.Seq2[Name, error], of func(ReadResult) T, each func(T) error) error {
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
				for range coming { // wait for git to end
				}
				return err
			}
		}
		b.clear()
		empty <- b
	}
	return failed
}

// bundles requests records from git and hands over each full bundle.
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

// maxAsked limits how many objects one run of git is asked for: their names are kept until it has answered.
const maxAsked = 4096

// inParts passes on values in slices of at most most elements. Each slice is valid only during the call. The last one may be empty.
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

func resultOf(n Name, raw []byte, wrong error) ReadResult {
	found := ReadResult{Name: n, Wrong: wrong}
	if wrong == nil {
		found.Record, found.Wrong = parse(n.Ref, n.Object, raw)
	}
	if found.Wrong != nil {
		found.Record = nil
	}
	return found
}
