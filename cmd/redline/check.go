package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/text"
)

func checkCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Check every requirement of the contracts at or under each PATH",
		Long: `Check composes every contract at or under each PATH (default: here) and decides its requirements. In a git repository it goes by the
settings in its work tree ('redline config' shows them); a PATH that is itself a contract is checked whatever they say.

A PATH that ends in .pnml is a Petri net written elsewhere (PNML, ISO/IEC 15909-2: a place/transition net). Check says whether it is
one-safe, where it stops and what never happens; of a workflow net, whether it is sound: whatever has happened, the process can
still end; it is over when it says so; and no transition is dead. A workflow net has one source place, and everything in it is on
a path from there to a sink place. It may have several sinks, and then ends when only sinks are marked. Up to 250,000 states
(fewer with --max-states) are looked at one by one; beyond that, decision diagrams take over.`,
	}
	flags := addChecking(cmd, "sarif", "junit")
	name := addResult(cmd)
	var cached string
	addCache(cmd, &cached)
	certificates := addCertificate(cmd)
	stats := cmd.Flags().Bool("stats", false, "say what state models took, in text (engine/README.md says how to read it)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, top, err := workTreeSettings()
		if err != nil {
			return err
		}
		if err := under(wanted, cmd.Flags()); err != nil {
			return err
		}
		contracts, files := netFiles(args)
		nets, err := readNets(cmd.Context(), files, flags)
		if err != nil {
			return err
		}
		drafts, err := draftsBeside(cmd.Context(), nets, contracts, flags, wanted)
		if err != nil {
			return err
		}
		drafts, notices, err := lookedAt(drafts, wanted, top, contracts)
		if err != nil {
			return err
		}
		tell(s.err, notices)
		stop := progress(s.err, &flags.budget)
		f, trouble, err := checkFile(cmd.Context(), drafts, flags, wanted, cached)
		checked := []*finding.Result(nil)
		if err == nil {
			checked = f.Results
			f.Results = append(f.Results, imported.CheckNets(cmd.Context(), nets, flags.budget)...)
		}
		stop()
		if err != nil {
			return err
		}
		f.Notices = notices
		tellTrouble(s.err, trouble)
		if err := saveCertificates(cmd.Context(), s, *certificates, drafts, checked, flags.budget); err != nil {
			return err
		}
		results := f.Results
		if err := writeResults(s.out, results, flags.format.value, *stats); err != nil {
			return err
		}
		if err := saveResult(cmd.Context(), *name, f); err != nil {
			return err
		}
		return exit(finding.StatusOf(results))
	}
	return cmd
}

// checkFile checks drafts of the work tree, with the help of a cache if there is one.
func checkFile(ctx context.Context, drafts []*compile.Draft, flags *checking, wanted *settings.Settings, cached string) (f *result.File, trouble, err error) {
	how, err := flags.reading(wanted)
	if err != nil {
		return nil, nil, err
	}
	f = &result.File{Format: result.Format, Tool: version(), Terms: termsOf(how, flags.budget, ""), Shard: 1, Shards: 1}
	if cached == "" {
		f.Results = engine.CheckAll(ctx, drafts, flags.budget)
		return f, nil, nil
	}
	store, err := openCache(cached)
	if err != nil { // verdicts do not depend on it
		f.Results = engine.CheckAll(ctx, drafts, flags.budget)
		return f, err, nil
	}
	f.Results, trouble = store.Check(ctx, drafts, f.Terms, flags.budget)
	return f, trouble, nil
}

func writeResults(w io.Writer, results []*finding.Result, format string, stats bool) error {
	switch format {
	case "json":
		return json.WriteResults(w, results, version())
	case "sarif":
		return ci.SARIF(w, results, finding.FailAny, version())
	case "junit":
		return ci.JUnit(w, results)
	case "markdown":
		_, err := io.WriteString(w, markdown.Results(results))
		return err
	}
	style := styleOf(w)
	style.Stats = stats
	return text.Results(w, results, style)
}

// lookedAt leaves out the contracts that the settings of the repository at top leave out. What is named as it lies is meant, whatever they say, and
// so is what lies in no directory of theirs.
func lookedAt(drafts []*compile.Draft, s *settings.Settings, top string, named []string) (kept []*compile.Draft, notices []string, err error) {
	how := reading{under: s}
	if how.includes() == nil || len(drafts) == 0 {
		return drafts, nil, nil
	}
	for _, d := range drafts {
		in, err := includes(s, top, d.Path)
		if err != nil {
			return nil, nil, err
		}
		if in || slices.ContainsFunc(named, func(p string) bool { return path.Clean(filepath.ToSlash(p)) == d.Path }) {
			kept = append(kept, d)
		}
	}
	notices = how.leftOut(len(drafts) - len(kept))
	if len(kept) == 0 {
		return nil, nil, fmt.Errorf("nothing is left to check: %s\nname a contract's directory to check it all the same", notices[0])
	}
	return kept, notices, nil
}

// includes says whether settings take in a directory of the work tree, named from here.
func includes(s *settings.Settings, top, dir string) (bool, error) {
	whole, err := filepath.Abs(filepath.FromSlash(dir))
	if err != nil {
		return false, err
	}
	below, err := filepath.Rel(top, whole)
	if err != nil || !filepath.IsLocal(below) {
		return true, nil // it is not this repository's
	}
	return s.Includes(filepath.ToSlash(below)), nil
}

// workTreeDrafts reads the contracts at or under each path of the work tree, each once.
func workTreeDrafts(ctx context.Context, paths []string, how reading) ([]*compile.Draft, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var all []*compile.Draft
	for _, p := range paths {
		drafts, err := draftsAt(ctx, p, how)
		if err != nil {
			return nil, err
		}
		if len(drafts) == 0 {
			return nil, fmt.Errorf("no contract at or under %s: a contract is a directory with *.contract.hcl files, and 'redline init' writes one", p)
		}
		for _, d := range drafts {
			if !slices.ContainsFunc(all, func(e *compile.Draft) bool { return e.Path == d.Path }) {
				all = append(all, d)
			}
		}
	}
	return all, how.declared(all...)
}

// draftsAt reads below the current directory where it can, so that messages name files as the
// user would; nothing outside the directory it opens is ever read.
func draftsAt(ctx context.Context, p string, how reading) ([]*compile.Draft, error) {
	info, err := os.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file or directory %s", p)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !hclspec.IsContractFile(p) {
			return nil, fmt.Errorf("%s is no contract: name a directory, a file whose name ends in .contract.hcl, or a net whose name ends in .pnml", p)
		}
		p = filepath.Dir(p)
	}
	tree := engine.Tree{Root: path.Clean(filepath.ToSlash(p)), Values: how.values, Time: how.time}
	top := "."
	if !filepath.IsLocal(p) {
		top, tree.Shown, tree.Root = p, tree.Root, "."
	}
	work, err := gitfs.WorkTree(top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	tree.FS = work
	return tree.Drafts(ctx, how.rule, how.jobs)
}
