package record

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
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
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.local(ctx, "cat-file", "--batch", "--buffer")
	in, out := io.Pipe()
	cmd.Stdin = in
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return explain(ctx, cmd, err)
	}
	defer func() {
		cancel() // ends git where it was not read to its end
		_ = in.Close()
		_ = cmd.Wait()
	}()
	go func() {
		w := bufio.NewWriter(out)
		for _, n := range names {
			_, _ = w.WriteString(n.Object + "\n") // git tells what it was not asked
		}
		_ = w.Flush()
		_ = out.Close()
	}()
	from := bufio.NewReaderSize(answers, 1<<16)
	for _, n := range names {
		found, err := answer(from, n)
		if err != nil {
			return fmt.Errorf("reading records: %w", explain(ctx, cmd, err))
		}
		if err := each(found); err != nil {
			return err
		}
	}
	return nil
}

var headerForm = regexp.MustCompile(`^([0-9a-f]{40,64}) (commit|tree|blob|tag) ([0-9]{1,18})$`)

// answer reads what git cat-file --batch says of one object.
func answer(from *bufio.Reader, n Name) (Found, error) {
	found := Found{Name: n}
	header, err := from.ReadString('\n')
	if err != nil {
		return found, err
	}
	header = strings.TrimSuffix(header, "\n")
	if header == n.Object+" missing" {
		found.Wrong = fmt.Errorf("object %s is not in this clone", short(n.Object))
		return found, nil
	}
	parts := headerForm.FindStringSubmatch(header)
	if parts == nil || parts[1] != n.Object {
		return found, fmt.Errorf("git cat-file answered %q", header)
	}
	size, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return found, err
	}
	if parts[2] != "commit" || size > MaxSize {
		found.Wrong = fmt.Errorf("it is a %s of %d bytes, and no record", parts[2], size)
		_, err := io.CopyN(io.Discard, from, size+1)
		return found, err
	}
	raw := make([]byte, size+1) // and the line end after it
	if _, err := io.ReadFull(from, raw); err != nil {
		return found, err
	}
	found.Record, found.Wrong = parse(n.Ref, n.Object, raw[:size])
	if found.Wrong != nil {
		found.Record = nil
	}
	return found, nil
}
