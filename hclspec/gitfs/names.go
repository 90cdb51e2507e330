package gitfs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// wholeNames returns an error for a tree with an entry whose name has a slash: git lists it like a file of a directory, which it is not. It
// ignores trees that are not in this clone.
func wholeNames(ctx context.Context, dir string, trees []string) error {
	slices.Sort(trees)
	trees = slices.Compact(trees)
	c := git(ctx, dir, "cat-file", "--batch", "--buffer")
	c.Stdin = strings.NewReader(strings.Join(trees, "\n") + "\n")
	out, err := c.StdoutPipe()
	if err != nil {
		return c.explain(err)
	}
	if err := c.Start(); err != nil {
		return c.explain(err)
	}
	from := bufio.NewReader(out)
	for range trees {
		if err = wholeNamesOf(from); err != nil {
			break
		}
	}
	if err != nil {
		c.Cancel()
	}
	exit := c.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && err != io.EOF:
		return err
	case exit != nil && err == nil:
		return c.explain(exit)
	}
	return nil // git before 2.45 ends at a tree that is elsewhere
}

// wholeNamesOf reads one answer of git cat-file --batch: a line, and then a tree's entries, each "MODE NAME", a NUL and an id.
func wholeNamesOf(from *bufio.Reader) error {
	head, err := from.ReadString('\n')
	if err != nil {
		return io.EOF
	}
	field := strings.Fields(head)
	if len(field) != 3 {
		return nil // missing
	}
	size, err := strconv.ParseInt(field[2], 10, 64)
	if err != nil {
		return fmt.Errorf("git cat-file printed %q: %w", head, err)
	}
	tree, err := io.ReadAll(io.LimitReader(from, size))
	if err != nil {
		return err
	}
	if _, err := from.Discard(1); err != nil {
		return io.EOF
	}
	for len(tree) > 0 {
		entry, rest, ok := bytes.Cut(tree, []byte{0})
		if !ok || len(rest) < len(field[0])/2 {
			return &Error{errMalformed, fmt.Sprintf("tree %s ends within an entry", field[0]), "look at it with `git fsck`"}
		}
		if _, name, _ := bytes.Cut(entry, []byte(" ")); bytes.IndexByte(name, '/') >= 0 {
			return &Error{errMalformed, fmt.Sprintf("the tree holds the impossible name %q", name), "look at it with `git fsck`"}
		}
		tree = rest[len(field[0])/2:]
	}
	return nil
}
