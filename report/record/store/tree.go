package store

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/report/record"
)

// A treeEntry is a contract's file as git lists it.
type treeEntry struct{ mode, name, id string }

// maxTree limits the size of a tree object that is read, in bytes.
const maxTree = 64 << 20

// contractSuffix ends the names of a contract's files (load.Find).
const contractSuffix = ".contract.hcl"

// errElsewhere reports that an object is not in this clone.
var errElsewhere = errors.New("not in this clone")

const fetchIt = "run 'git fetch --refetch --no-filter', or clone again without --filter"

// parseTree returns a tree object's entries that are files of a contract. Links count as files; submodules and directories do not.
func parseTree(raw []byte, digits int) ([]treeEntry, error) {
	var list []treeEntry
	for len(raw) > 0 {
		head, rest, ok := bytes.Cut(raw, []byte{0})
		mode, name, blank := strings.Cut(string(head), " ")
		if !ok || !blank || len(rest) < digits/2 {
			return nil, errors.New("it is no tree")
		}
		if strings.HasSuffix(name, contractSuffix) && strings.HasPrefix(mode, "1") && mode != "160000" {
			list = append(list, treeEntry{mode, name, hex.EncodeToString(rest[:digits/2])})
		}
		raw = rest[digits/2:]
	}
	return list, nil
}

// treeID returns git's id of the tree that has these files only.
func treeID(files []treeEntry, digits int) string {
	var b bytes.Buffer
	for _, f := range files {
		raw, err := hex.DecodeString(f.id)
		if err != nil {
			panic(err) // parseTree has encoded it
		}
		fmt.Fprintf(&b, "%s %s\x00%s", f.mode, f.name, raw)
	}
	framed := append(fmt.Appendf(nil, "tree %d\x00", b.Len()), b.Bytes()...)
	if digits == 2*sha1.Size {
		return fmt.Sprintf("%x", sha1.Sum(framed))
	}
	return fmt.Sprintf("%x", sha256.Sum256(framed))
}

// A place is a directory in a commit.
type place struct{ commit, dir string }

func (p place) spec() string {
	if p.dir == "." {
		return p.commit + ":"
	}
	return p.commit + ":" + p.dir
}

// A text lists the files of a contract. Err is errElsewhere if the clone lacks the tree. Without files there is no contract.
type text struct {
	files []treeEntry
	tree  string // of these files only
	err   error
}

// texts lists the files of contracts in commits that are in this clone.
func (r Repository) texts(ctx context.Context, places []place) ([]text, error) {
	specs, list := make([]string, len(places)), make([]text, len(places))
	for i, p := range places {
		specs[i] = p.spec()
	}
	return list, r.objects(ctx, specs, func(i int, o object) error {
		var err error
		list[i], err = textOf(o)
		return err
	})
}

func textOf(o object) (t text, err error) {
	if o.lost {
		return text{err: errElsewhere}, nil
	}
	if o.missing || o.kind != "tree" {
		return text{}, nil
	}
	if o.size > maxTree {
		return text{err: fmt.Errorf("its directory has more than %d bytes", maxTree)}, nil
	}
	raw, err := io.ReadAll(o.body)
	if err != nil {
		return t, err
	}
	if t.files, t.err = parseTree(raw, len(o.id)); t.err == nil && len(t.files) > 0 {
		t.tree = treeID(t.files, len(o.id))
	}
	return t, nil
}

// digests returns the SHA-256 of those blobs that are in this clone, by id.
func (r Repository) digests(ctx context.Context, ids []string) (map[string]string, error) {
	sums := make(map[string]string, len(ids))
	return sums, r.objects(ctx, ids, func(i int, o object) error {
		if o.missing || o.kind != "blob" {
			return nil
		}
		h := sha256.New()
		if _, err := io.Copy(h, o.body); err != nil {
			return err
		}
		sums[ids[i]] = hex.EncodeToString(h.Sum(nil))
		return nil
	})
}

// maxContent limits the size of a file that is read, in bytes. What hclspec reads of a contract is far below.
const maxContent = 64 << 20

// contents reads the files of trees, by tree. It omits trees that are not complete in this clone.
func (r Repository) contents(ctx context.Context, trees []string) (map[string]*txtar.Archive, error) {
	texts, err := r.trees(ctx, trees)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range texts {
		for _, f := range t.files {
			ids = append(ids, f.id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	blobs := map[string][]byte{}
	err = r.objects(ctx, ids, func(i int, o object) error {
		if o.missing || o.kind != "blob" || o.size > maxContent {
			return nil
		}
		blobs[ids[i]], err = io.ReadAll(o.body)
		return err
	})
	files := map[string]*txtar.Archive{}
	for i, t := range texts {
		if all := archive(t, blobs); t.err == nil && all != nil {
			files[trees[i]] = all
		}
	}
	return files, err
}

// archive returns a text's files with their contents, or nil if one is missing.
func archive(t text, blobs map[string][]byte) *txtar.Archive {
	all := &txtar.Archive{}
	for _, f := range t.files {
		data, ok := blobs[f.id]
		if !ok {
			return nil
		}
		all.Files = append(all.Files, txtar.File{Name: f.name, Data: data})
	}
	return all
}

// trees lists the files in trees.
func (r Repository) trees(ctx context.Context, ids []string) ([]text, error) {
	list := make([]text, len(ids))
	return list, r.objects(ctx, ids, func(i int, o object) error {
		var err error
		if list[i], err = textOf(o); o.missing {
			list[i].err = errElsewhere
		}
		return err
	})
}

// subjects returns a contract's files as a statement lists them.
func subjects(dir string, files []treeEntry, sums map[string]string) ([]record.Subject, error) {
	list := make([]record.Subject, 0, len(files)+1)
	for _, f := range files {
		sum, ok := sums[f.id]
		if !ok {
			return nil, fmt.Errorf("%s (object %s) is %w: %s", path.Join(dir, f.name), short(f.id), errElsewhere, fetchIt)
		}
		list = append(list, record.Subject{Name: path.Join(dir, f.name), Digest: record.Digest{SHA256: sum}})
	}
	return list, nil
}

// keepTree writes the tree that has these files only.
func (r Repository) keepTree(ctx context.Context, files []treeEntry) (string, error) {
	var in bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&in, "%s blob %s\t%s\x00", f.mode, f.id, f.name)
	}
	return line(ctx, r.local(ctx, "mktree", "-z", "--missing"), in.Bytes())
}
