package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// An object is git's answer about one object. Body must be read before the next one is requested; unread bytes are skipped.
type object struct {
	missing bool // it is not in this clone, or there is none of that name
	lost    bool // it is not in this clone, which is partial
	id      string
	kind    string // commit, tree, blob, tag
	size    int64
	body    io.Reader
}

// objects asks git for objects, by id or as COMMIT:PATH, and passes each to each in order.
func (r Repository) objects(ctx context.Context, specs []string, each func(i int, o object) error) error {
	for at := 0; at < len(specs); {
		n, lost, err := r.someObjects(ctx, specs[at:], func(i int, o object) error { return each(at+i, o) })
		if err != nil {
			return err
		}
		if at += n; lost { // an object of a partial clone, at which git before 2.45 gives up
			if err := each(at, object{missing: true, lost: true}); err != nil {
				return err
			}
			at++
		}
	}
	return nil
}

// someObjects passes on objects as far as git answers. It returns their number, and lost if git gave up at the next one because a partial
// clone lacks it.
func (r Repository) someObjects(ctx context.Context, specs []string, each func(i int, o object) error) (n int, lost bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.local(ctx, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(specs, "\n") + "\n")
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return 0, false, err
	}
	if err := cmd.Start(); err != nil {
		return 0, false, explain(ctx, cmd, err)
	}
	from := bufio.NewReaderSize(answers, 1<<16)
	for n < len(specs) && err == nil {
		if err = answer(from, specs[n], func(o object) error { return each(n, o) }); err == nil {
			n++
		}
	}
	var stopped *stop
	if errors.As(err, &stopped) {
		cancel()
	}
	exit := cmd.Wait()
	switch {
	case stopped != nil:
		return n, false, stopped.err
	case exit == nil:
		return n, false, err
	}
	if exit = explain(ctx, cmd, exit); says(exit, "could not fetch", "promisor") {
		return n, true, nil
	}
	return n, false, exit
}

// A stop wraps an error of the callback, to tell it from git's.
type stop struct{ err error }

func (s *stop) Error() string { return s.err.Error() }

// answer reads the answer of git cat-file --batch about one object.
func answer(from *bufio.Reader, spec string, each func(object) error) error {
	header, err := from.ReadString('\n')
	if err != nil {
		return err
	}
	header = strings.TrimSuffix(header, "\n")
	if header == spec+" missing" {
		return stopping(each(object{missing: true}))
	}
	parts := strings.Split(header, " ")
	if len(parts) != 3 || !record.IsCommit(parts[0]) {
		return fmt.Errorf("git cat-file answered %.200q", header)
	}
	size, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || size < 0 {
		return fmt.Errorf("git cat-file answered %.200q", header)
	}
	body := &io.LimitedReader{R: from, N: size}
	if err := each(object{id: parts[0], kind: parts[1], size: size, body: body}); err != nil {
		return stopping(err)
	}
	_, err = io.CopyN(io.Discard, from, body.N+1) // also skips the line end after it
	return err
}

func stopping(err error) error {
	if err == nil {
		return nil
	}
	return &stop{err}
}
