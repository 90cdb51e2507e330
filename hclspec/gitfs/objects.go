package gitfs

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"sync"
)

// objects is one run of git cat-file --batch. It requests objects and reads them, one at a time.
type objects struct {
	mu   sync.Mutex
	git  *command
	ask  io.WriteCloser
	said *bufio.Reader
	dead error // the failure after which nothing can be read
}

func startObjects(ctx context.Context, dir string) (*objects, error) {
	b := &objects{git: git(ctx, dir, "cat-file", "--batch")}
	var err error
	if b.ask, err = b.git.StdinPipe(); err != nil {
		return nil, b.git.explain(err)
	}
	out, err := b.git.StdoutPipe()
	if err != nil {
		return nil, b.git.explain(err)
	}
	b.said = bufio.NewReaderSize(out, maxPath)
	if err := b.git.Start(); err != nil {
		return nil, b.git.explain(err)
	}
	return b, nil
}

// request asks for the object with a name. The answer has to be read in full before the next request. Once the context has ended it fails, also where git, which
// is stopped side by side, could still answer.
func (b *objects) request(name string) error {
	if err := b.git.ctx.Err(); err != nil {
		return b.fail(err)
	}
	if _, err := io.WriteString(b.ask, name+"\n"); err != nil {
		return b.fail(err)
	}
	return nil
}

// header reads the first line of git's answer to a request. The kind of an object that is not in this clone is "missing".
func (b *objects) header() (id, kind string, size int64, err error) {
	line, err := b.said.ReadString('\n')
	if err != nil {
		return "", "", 0, b.fail(err)
	}
	switch field := strings.Fields(line); {
	case len(field) == 2 && field[1] == "missing":
		return field[0], field[1], 0, nil
	case len(field) == 3:
		if size, err = strconv.ParseInt(field[2], 10, 64); err == nil {
			return field[0], field[1], size, nil
		}
	}
	return "", "", 0, b.fail(fmt.Errorf("git cat-file answered %q", line))
}

// commit returns the full ids of the commit that an id names, itself or by a tag, and of its tree. The first is empty if there is none in this clone.
func (b *objects) commit(id string) (commit, tree string, err error) {
	if err := b.request(id + "^{commit}"); err != nil {
		return "", "", err
	}
	commit, kind, size, err := b.header()
	if err != nil || kind == "missing" {
		return "", "", err
	}
	first, err := b.said.ReadString('\n')
	if err == nil {
		_, err = io.CopyN(io.Discard, b.said, size-int64(len(first))+1)
	}
	tree, ok := strings.CutPrefix(strings.TrimSuffix(first, "\n"), "tree ")
	if err == nil && (!ok || !fullID.MatchString(tree)) {
		err = fmt.Errorf("commit %s begins with %q", commit, first)
	}
	if err != nil {
		return "", "", b.fail(err)
	}
	return commit, tree, nil
}

// tree returns the entries of a tree, in git's order.
func (b *objects) tree(id string) ([]node, error) {
	if err := b.request(id); err != nil {
		return nil, err
	}
	_, kind, left, err := b.header()
	switch {
	case err != nil:
		return nil, err
	case kind == "missing":
		return nil, missing(id)
	case kind != "tree":
		return nil, &problem{errMalformed, fmt.Sprintf("object %s is a %s, not a list of files", id, kind), "look at it with `git fsck`"}
	}
	var all []node
	raw := make([]byte, len(id)/2)
	for left > 0 {
		if len(all) > maxEntries {
			return nil, tooMany
		}
		head, err := b.said.ReadSlice(0)
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, tooLong
		}
		mode, name, ok := strings.Cut(strings.TrimSuffix(string(head), "\x00"), " ")
		if left -= int64(len(head) + len(raw)); err == nil {
			_, err = io.ReadFull(b.said, raw)
		}
		if err != nil {
			return nil, b.fail(err)
		}
		bits, err := strconv.ParseUint(mode, 8, 32)
		if err != nil || !ok || left < 0 {
			return nil, &problem{errMalformed, "tree " + id + " has an entry that is none", "look at it with `git fsck`"}
		}
		if name == "" || name == "." || name == ".." || strings.Contains(name, "/") { // git lists sale/a like a file of a directory, which it is not
			return nil, &problem{errMalformed, fmt.Sprintf("the tree holds the impossible name %q", name), "look at it with `git fsck`"}
		}
		all = append(all, node{name: name, mode: fileMode(bits), id: hex.EncodeToString(raw)})
	}
	if _, err := b.said.Discard(1); err != nil { // the line end after it
		return nil, b.fail(err)
	}
	return all, nil
}

// read returns a blob's content. A failure within an answer ends the process, because later answers could not be trusted.
func (b *objects) read(n *node) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead != nil {
		return nil, b.dead
	}
	if err := b.request(n.id); err != nil {
		return nil, err
	}
	data, err := answer(b.said, n)
	if err != nil && !errors.Is(err, errMissing) {
		return nil, b.fail(err)
	}
	return data, err
}

// answer reads git's answer to a request for a blob.
func answer(from *bufio.Reader, n *node) ([]byte, error) {
	header, err := from.ReadString('\n')
	if err != nil {
		return nil, err
	}
	header = strings.TrimSuffix(header, "\n")
	if header == n.id+" missing" {
		return nil, missing(n.id)
	}
	if want := fmt.Sprintf("%s blob %d", n.id, n.size); header != want {
		return nil, fmt.Errorf("git cat-file answered %q, not %q", header, want)
	}
	data := make([]byte, n.size+1) // and the line end after it
	if _, err := io.ReadFull(from, data); err != nil {
		return nil, err
	}
	return data[:n.size:n.size], nil
}

// fail ends the process and keeps the error for later reads.
func (b *objects) fail(err error) error {
	b.end()
	b.dead = b.git.explain(err)
	return b.dead
}

// end ends the process, also within an answer.
func (b *objects) end() {
	if b.dead == nil {
		b.git.Cancel()
		b.git.Wait()
		b.dead = fs.ErrClosed
	}
}

func (b *objects) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead != nil {
		return nil
	}
	b.dead = fs.ErrClosed
	b.ask.Close()
	if err := b.git.Wait(); err != nil && b.git.ctx.Err() == nil {
		return b.git.explain(err)
	}
	return nil
}
