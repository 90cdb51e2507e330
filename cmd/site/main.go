// Command site writes the documentation as a small static site, of the same files that are read on GitHub, in the editor
// and in 'redline explain', and a gallery of reviewed amendments. Its pages fetch nothing, run nothing but the search, and
// link to each other relatively, so they are read from a disk as from a server.
//
//	go run ./cmd/site -o DIR     # at the repository's top
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	to := flag.String("o", "", "directory to write the pages to")
	flag.Parse()
	if *to == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.DirFS("."), *to); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run writes the site of a repository. Nothing is written if a link leads nowhere.
func run(repository fs.FS, to string) error {
	shown, err := reviewExamples(context.Background())
	if err != nil {
		return err
	}
	site, err := build(repository, shown)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(site)) {
		file := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, site[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}
