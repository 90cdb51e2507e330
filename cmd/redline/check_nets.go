package main

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
	"github.com/redlinehq/redline/hclspec/settings"
)

// netFiles takes the files of nets from among some paths.
func netFiles(paths []string) (others, nets []string) {
	for _, p := range paths {
		if strings.EqualFold(filepath.Ext(p), ".pnml") && !isDirectory(p) {
			nets = append(nets, p)
		} else {
			others = append(others, p)
		}
	}
	return others, nets
}

// draftsBeside reads the contracts that are to be checked beside some nets: those here only if nothing was named.
func draftsBeside(ctx context.Context, nets []*imported.Imported, paths []string, flags *checking, under *settings.Settings) ([]*compile.Draft, error) {
	how, err := flags.reading(under)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 && len(nets) > 0 {
		return nil, how.declared()
	}
	return workTreeDrafts(ctx, paths, how)
}

// readNets reads each net once.
func readNets(ctx context.Context, files []string, flags *checking) ([]*imported.Imported, error) {
	if len(files) > 0 && flags.firing.value == "all" {
		return nil, errors.New("a net in PNML is checked with one transition firing at a time: --firing all is for contracts")
	}
	var nets []*imported.Imported
	for _, f := range files {
		f = path.Clean(filepath.ToSlash(f))
		if slices.ContainsFunc(nets, func(n *imported.Imported) bool { return n.Path == f }) {
			continue
		}
		n, err := readNet(ctx, f, flags.budget)
		if err != nil {
			return nil, err
		}
		nets = append(nets, n)
	}
	return nets, nil
}

func readNet(ctx context.Context, name string, b finding.Budget) (*imported.Imported, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file or directory %s", name)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // one that nobody writes to would never end
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	return imported.ImportWithin(ctx, b, name, f)
}
