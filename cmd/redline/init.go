package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/escape"
)

func initCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write an example contract to start from",
		Args:  cobra.MaximumNArgs(1),
	}
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		panic(err) // our own files
	}
	example := addChoice(cmd, "example", "which contract to start from", append([]string{"sale"}, without(names, "sale")...)...)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		dir := path.Base(example.value)
		if len(args) == 1 {
			dir = args[0]
		}
		if err := copyExample(s, example.value, dir); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "\nNext: edit, then 'redline check %s'.\nOnce it is committed: amend it, then 'redline review --base HEAD --worktree'.\n", escape.TerminalText(dir))
		return nil
	}
	return cmd
}

func without(list []string, word string) []string {
	var rest []string
	for _, w := range list {
		if w != word {
			rest = append(rest, w)
		}
	}
	return rest
}

// copyExample never overwrites a file.
func copyExample(s streams, example, dir string) error {
	entries, err := fs.ReadDir(examples.FS, example)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		content, err := fs.ReadFile(examples.FS, path.Join(example, e.Name()))
		if err != nil {
			return err
		}
		name := filepath.Join(dir, e.Name())
		if err := create(name, content); err != nil {
			return err
		}
		fmt.Fprintln(s.out, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	}
	return nil
}

func create(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
