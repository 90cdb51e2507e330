package store

import (
	"bytes"
	"context"
	"fmt"
)

// create creates all refs, or none. It returns errRaced if another process created one of them first.
func (r Repository) create(ctx context.Context, names []Name) error {
	if len(names) == 0 {
		return nil
	}
	var in bytes.Buffer
	in.WriteString("start\n")
	for _, n := range names {
		fmt.Fprintf(&in, "create %s %s\n", n.Ref, n.Object)
	}
	in.WriteString("prepare\ncommit\n")
	return r.refs(ctx, in.Bytes())
}

// move moves a ref from one object to another. An empty from means that the ref does not exist yet.
func (r Repository) move(ctx context.Context, ref, from, to string) error {
	if from == "" {
		return r.create(ctx, []Name{{ref, to}})
	}
	return r.refs(ctx, fmt.Appendf(nil, "start\nupdate %s %s %s\nprepare\ncommit\n", ref, to, from))
}

// refs carries out a transaction. Git runs uncancelled and in its own process group: killed in the middle of a transaction, it would leave
// its locks behind.
func (r Repository) refs(ctx context.Context, transaction []byte) error {
	cmd := r.local(context.WithoutCancel(ctx), "update-ref", "--no-deref", "--stdin")
	apart(cmd)
	_, err := run(ctx, cmd, transaction)
	if says(err, "cannot lock ref", "already exists", "is at ", "but expected") {
		return fmt.Errorf("%w: %w", errRaced, err)
	}
	return err
}

// unsent returns the records that a remote lacks: those kept, and those before them.
func (b *book) unsent(kept []Kept, there map[string]string) []Name {
	var list []Name
	seen := map[string]bool{}
	for _, k := range kept {
		at := Name{k.Ref, k.object}
		for before := k.before; there[at.Ref] == "" && !seen[at.Ref]; {
			seen[at.Ref] = true
			list = append(list, at)
			c := b.at(before)
			if c == nil {
				break
			}
			at, before = c.Name, c.before()
		}
	}
	return list
}

// before returns the ref of the previous record, or "".
func (c *Card) before() string {
	if c.previous == nil {
		return ""
	}
	return c.previous.Record
}
