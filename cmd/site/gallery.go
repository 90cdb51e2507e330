package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/report/escape"
	report "github.com/redlinehq/redline/report/page"
	"github.com/redlinehq/redline/report/words"
)

const (
	galleryURL    = "gallery/index.html"
	gallerySource = "hclspec/examples/amendments.go"
	sample        = "gas-supply" // whose contract is checked by itself, too
)

// A gallery shows amendments that redline reviewed.
type gallery struct {
	text    string            // Markdown
	reports map[string][]byte // the pages of 'redline report', by URL
}

// reviewExamples reviews the amendments of the examples.
func reviewExamples(ctx context.Context) (gallery, error) {
	var b strings.Builder
	b.WriteString("# Amendments, reviewed\n\nEach of these changes the text of an [example](README.md). Redline reviewed them when this site was built. " +
		"Open a review to see the run that breaks the promise, step through it, and try what else can happen.\n")
	reports := map[string][]byte{}
	for _, a := range examples.Amendments {
		r, html, err := reviewed(ctx, a)
		if err != nil {
			return gallery{}, fmt.Errorf("amendment %s: %w", a.Name, err)
		}
		reports["gallery/"+a.Name+".html"] = html
		b.WriteString(entry(a, r))
	}
	html, err := checked(ctx)
	reports["gallery/check.html"] = html
	b.WriteString("\n## A contract by itself\n\nThe gas supply before any amendment, with every requirement that it keeps.\n\n[Open the check](gallery/check.html)\n")
	return gallery{b.String(), reports}, err
}

// entry describes an amendment: what it is for, what it changes, and what redline says of it.
func entry(a examples.Amendment, r *finding.Review) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", a.Title, a.Why)
	for _, e := range a.Edits {
		fmt.Fprintf(&b, "```diff\n%s```\n\n", changed(e))
	}
	sum := words.SumReviewed(r)
	fmt.Fprintf(&b, "%s **%s** %s\n\n", sum.Sign, sum.Head, sum.Rest)
	for _, c := range r.Contracts {
		for i := range c.Findings {
			if f := &c.Findings[i]; f.Kind == finding.New {
				fmt.Fprintf(&b, "- %s\n", escape.MarkdownText(words.DescribeFinding(f).Says))
			}
		}
	}
	fmt.Fprintf(&b, "\n[Open the review](gallery/%s.html)\n", a.Name)
	return b.String()
}

// changed returns an edit as lines that go and lines that come.
func changed(e examples.Edit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@@ %s\n", e.File)
	was, now := strings.Split(strings.TrimSuffix(e.Old, "\n"), "\n"), strings.Split(strings.TrimSuffix(e.New, "\n"), "\n")
	var same []string // at the end of both
	for len(was) > 0 && len(now) > 0 && was[len(was)-1] == now[len(now)-1] {
		same = append([]string{" " + was[len(was)-1]}, same...)
		was, now = was[:len(was)-1], now[:len(now)-1]
	}
	for _, l := range was {
		b.WriteString("-" + l + "\n")
	}
	for _, l := range now {
		b.WriteString("+" + l + "\n")
	}
	for _, l := range same {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// reviewed reviews an amendment, and writes the page of the review.
func reviewed(ctx context.Context, a examples.Amendment) (*finding.Review, []byte, error) {
	values, mistakes := expr.Read("amendment "+a.Name, []byte(a.Given))
	if mistakes.HasErrors() {
		return nil, nil, mistakes
	}
	var sides [2][]*compile.Draft
	for i, amend := range []func(file, text string) (string, error){func(_, text string) (string, error) { return text, nil }, a.Amend} {
		files, err := filesOf(a.Example, amend)
		if err != nil {
			return nil, nil, err
		}
		if sides[i], err = (engine.Tree{FS: files, Values: values}).Drafts(ctx, nil, 1); err != nil {
			return nil, nil, err
		}
	}
	pairs := engine.Pairs(sides[0], sides[1])
	r := &finding.Review{Base: "before", Head: "after", Contracts: engine.ComparePairs(ctx, pairs, engine.DefaultBudget())}
	if err := r.Settle(ctx, finding.AcceptancePolicy{Rule: finding.AcceptBase}, nil); err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	err := report.Reviewed(ctx, &b, r, pairs, about(a.Title, a.Why+" "+words.SumReviewed(r).Head))
	return r, b.Bytes(), err
}

// checked writes the page of the sample, checked by itself.
func checked(ctx context.Context) ([]byte, error) {
	files, err := filesOf(sample, func(_, text string) (string, error) { return text, nil })
	if err != nil {
		return nil, err
	}
	drafts, err := (engine.Tree{FS: files}).Drafts(ctx, nil, 1)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	results := engine.CheckAll(ctx, drafts, engine.DefaultBudget())
	err = report.Checked(ctx, &b, drafts, results, about("The gas supply, checked", "The contract of the gas supply before any amendment. "+words.SumChecked(results).Head))
	return b.Bytes(), err
}

// about makes a report a page of the site, below the gallery.
func about(title, description string) report.About {
	up := []report.Link{{URL: "../index.html", Text: "redline"}, {URL: "index.html", Text: "Gallery"}}
	return report.About{Title: title, Description: shortened(description), Up: up}
}

// filesOf returns the files of an example, each as amend has it, in a folder of the example's name.
func filesOf(example string, amend func(file, text string) (string, error)) (fs.FS, error) {
	entries, err := fs.ReadDir(examples.FS, example)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for _, e := range entries {
		name := path.Join(example, e.Name())
		raw, err := fs.ReadFile(examples.FS, name)
		if err != nil {
			return nil, err
		}
		text, err := amend(e.Name(), string(raw))
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files, nil
}
