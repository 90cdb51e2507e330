package gitfs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
)

// blobs is one run of git cat-file --batch. It requests ids and reads blobs, one at a time.
type blobs struct {
	mu   sync.Mutex
	git  *command
	ask  io.WriteCloser
	said *bufio.Reader
	dead error // the failure after which nothing can be read
}

func startBlobs(ctx context.Context, dir string) (*blobs, error) {
	b := &blobs{git: git(ctx, dir, "cat-file", "--batch")}
	var err error
	if b.ask, err = b.git.StdinPipe(); err != nil {
		return nil, b.git.explain(err)
	}
	out, err := b.git.StdoutPipe()
	if err != nil {
		return nil, b.git.explain(err)
	}
	b.said = bufio.NewReader(out)
	if err := b.git.Start(); err != nil {
		return nil, b.git.explain(err)
	}
	return b, nil
}

// read returns a blob's content. A failure within an answer ends the process, because later answers could not be trusted.
func (b *blobs) read(n *node) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead != nil {
		return nil, b.dead
	}
	if _, err := io.WriteString(b.ask, n.id+"\n"); err != nil {
		return nil, b.fail(err)
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
func (b *blobs) fail(err error) error {
	b.git.Cancel()
	b.git.Wait()
	b.dead = b.git.explain(err)
	return b.dead
}

func (b *blobs) close() error {
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
