package record

import (
	"context"
	"fmt"
	"io"
	"strings"
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

// Names lists the records of the repository, in order of their refs.
func (r Repository) Names(ctx context.Context) (names []Name, err error) {
	defer wrapped(&err, "listing records")
	out, err := run(ctx, r.local(ctx, "for-each-ref", fmt.Sprintf("--count=%d", maxRecords+1), "--format=%(objectname) %(refname)", Refs), nil)
	if err != nil {
		return nil, err
	}
	for one := range strings.Lines(out) {
		object, ref, _ := strings.Cut(strings.TrimSuffix(one, "\n"), " ")
		names = append(names, Name{ref, object})
	}
	if len(names) > maxRecords {
		return nil, fmt.Errorf("there are more than %d", maxRecords)
	}
	return names, nil
}

// Each reads all records of the repository, in order of their refs, one after the other: none is kept. It ends with the first error
// of each.
func (r Repository) Each(ctx context.Context, each func(Found) error) error {
	names, err := r.Names(ctx)
	if err != nil {
		return err
	}
	return r.Read(ctx, names, each)
}

// Read is Each of these only.
func (r Repository) Read(ctx context.Context, names []Name, each func(Found) error) (err error) {
	ids := make([]string, len(names))
	for i, n := range names {
		ids[i] = n.Object
	}
	return r.objects(ctx, ids, func(i int, o object) error {
		found, err := foundOf(names[i], o)
		if err != nil {
			return err
		}
		return each(found)
	})
}

func foundOf(n Name, o object) (Found, error) {
	found := Found{Name: n}
	switch {
	case o.missing:
		found.Wrong = fmt.Errorf("object %s is not in this clone", short(n.Object))
		return found, nil
	case o.kind != "commit" || o.size > MaxSize:
		found.Wrong = fmt.Errorf("it is a %s of %d bytes, and no record", o.kind, o.size)
		return found, nil
	}
	raw, err := io.ReadAll(o.body)
	if err != nil {
		return found, err
	}
	if found.Record, found.Wrong = parse(n.Ref, n.Object, raw); found.Wrong != nil {
		found.Record = nil
	}
	return found, nil
}
