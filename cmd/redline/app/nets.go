package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/petri"
)

// NetFiles separates the files of nets from other paths.
func NetFiles(paths []string) (others, nets []string) {
	for _, p := range paths {
		if strings.EqualFold(filepath.Ext(p), ".pnml") && !isDirectory(p) {
			nets = append(nets, p)
		} else {
			others = append(others, p)
		}
	}
	return others, nets
}

// DraftsBeside reads the contracts to be checked beside some nets. If only nets are named, it reads none.
func DraftsBeside(ctx context.Context, nets []*imported.Imported, paths []string, how ReadOptions) ([]*compile.Draft, error) {
	if len(paths) == 0 && len(nets) > 0 {
		return nil, how.Declared()
	}
	return WorkTreeDrafts(ctx, paths, how)
}

// ReadNets reads each net once.
func ReadNets(ctx context.Context, files []string, rule *petri.Rule, b finding.Budget) ([]*imported.Imported, error) {
	if len(files) > 0 && rule != nil && *rule == petri.All {
		return nil, errors.New("a net in PNML is checked with one transition firing at a time: --firing all is for contracts")
	}
	var nets []*imported.Imported
	for _, f := range files {
		f = path.Clean(filepath.ToSlash(f))
		if slices.ContainsFunc(nets, func(n *imported.Imported) bool { return n.Path == f }) {
			continue
		}
		n, err := ReadNet(ctx, f, b)
		if err != nil {
			return nil, err
		}
		nets = append(nets, n)
	}
	return nets, nil
}

// ReadNet reads a net in PNML from a regular file, within the limits of a budget.
func ReadNet(ctx context.Context, name string, b finding.Budget) (*imported.Imported, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(name)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe without a writer would block for ever
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	return imported.ImportWithin(ctx, b, name, f)
}
