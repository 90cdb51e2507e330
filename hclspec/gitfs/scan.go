package gitfs

import (
	"bufio"
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"
)

// Identical reports whether two entries of revisions are the same object: of the same type, and with the same content. It reports false of
// an entry of a work tree, whose content it does not know.
func Identical(a, b fs.DirEntry) bool {
	x, ok := a.(*node)
	y, also := b.(*node)
	return ok && also && x.id == y.id && x.mode.Type() == y.mode.Type()
}

// Each reads files and calls visit with the content of each, in an order of its own. Files of one content are read once. It ends at the first
// error, which is errMissing, before anything is read, if a content is not in this clone. Cost: one run of git, and memory for one file.
func (t *tree) Each(ctx context.Context, names []string, visit func(name string, content []byte) error) error {
	type wanted struct {
		*node
		name string
	}
	var all []wanted
	for _, name := range names {
		n, err := t.find("read", name)
		if err == nil {
			err = n.content()
		}
		if err != nil {
			return &fs.PathError{Op: "read", Path: name, Err: err}
		}
		all = append(all, wanted{n, name})
	}
	slices.SortFunc(all, func(a, b wanted) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.name, b.name)) })
	if len(all) == 0 {
		return nil
	}
	var ids strings.Builder
	for i, w := range all {
		if i == 0 || w.id != all[i-1].id {
			ids.WriteString(w.id + "\n")
		}
	}
	c := git(ctx, t.objects.git.dir, "cat-file", "--batch", "--buffer")
	c.Stdin = strings.NewReader(ids.String())
	out, err := c.StdoutPipe()
	if err != nil {
		return c.explain(err)
	}
	if err := c.Start(); err != nil {
		return c.explain(err)
	}
	from := bufio.NewReaderSize(out, 1<<16)
	var content []byte
	for i, w := range all {
		if i == 0 || w.id != all[i-1].id {
			content, err = answer(from, w.node)
		}
		if err == nil {
			err = visit(w.name, content)
		}
		if err != nil {
			c.Cancel()
			_ = c.Wait() // it was ended
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return &fs.PathError{Op: "read", Path: w.name, Err: err}
		}
	}
	if err := c.Wait(); err != nil {
		return c.explain(err)
	}
	return nil
}
