package review

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/github"
)

// A tree is a repository's files.
type tree = fstest.MapFS

// sale is the example, with its files edited: each edit is a file, a text in it, and what comes in its place.
func sale(t testing.TB, edits ...[3]string) tree {
	t.Helper()
	to := tree{}
	files, err := fs.Glob(examples.FS, "sale/*.hcl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(examples.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		to[name] = &fstest.MapFile{Data: text}
	}
	for _, e := range edits {
		name := "sale/" + e[0] + ".contract.hcl"
		was := string(to[name].Data)
		if strings.Count(was, e[1]) != 1 {
			t.Fatalf("%s has %q %d times", name, e[1], strings.Count(was, e[1]))
		}
		to[name] = &fstest.MapFile{Data: []byte(strings.Replace(was, e[1], e[2], 1))}
	}
	return to
}

var (
	withdraw = [3]string{"seller", `    when  = { GAV = false }
  }
`, `    when  = { GAV = false }
  }

  transition "withdraw" {
    title  = "the seller withdraws the goods"
    clause = "4.2 (new)"
    from   = S2
    to     = S0
    set    = { GAV = false }
  }
`}
	reword   = [3]string{"sale", `AG (seller.GAV -> A[seller.GAV U purchaser.P3])`, `AG (seller.GAV -> EF purchaser.P3 || true)`}
	promise2 = [3]string{"sale", `requirement "accept-only-available" {`, `requirement "never-both" {
  title = "Goods are never accepted before the sale has started"
  ctl   = "AG !(seller.S0 && purchaser.P3 && seller.GAV)"
}

requirement "accept-only-available" {`}
	remarked = [3]string{"seller", `party "seller" {`, "# The seller's view.\nparty \"seller\" {"}
)

var (
	compared  = map[string]*finding.Review{}
	comparing sync.Mutex
)

// compareTrees reviews one tree against another, each two once.
func compareTrees(t testing.TB, base, head tree) *finding.Review {
	t.Helper()
	key := fmt.Sprint(base, head)
	comparing.Lock()
	defer comparing.Unlock()
	if r := compared[key]; r != nil {
		return r
	}
	drafts := func(files tree) []*compile.Draft {
		all, err := engine.Tree{FS: files, Root: "."}.Drafts(t.Context(), nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	r := &finding.Review{Base: "base", Head: "head", Contracts: engine.CompareAll(t.Context(), drafts(base), drafts(head), finding.Budget{States: 100_000, Jobs: 1})}
	compared[key] = r
	return r
}

// changed lists the files of a pull request as GitHub does, with hunks.
func changed(base, head tree) []github.File {
	var all []github.File
	for _, name := range sortedNames(base, head) {
		was, has := base[name], head[name]
		f := github.File{Path: name, Status: "modified"}
		switch {
		case has == nil:
			f.Status = "removed"
			has = &fstest.MapFile{}
		case was == nil:
			f.Status = "added"
			was = &fstest.MapFile{}
		}
		if f.Patch = patchOf(string(was.Data), string(has.Data)); f.Patch != "" {
			all = append(all, f)
		}
	}
	return all
}

func sortedNames(trees ...tree) []string {
	all := tree{}
	for _, t := range trees {
		for name, f := range t {
			all[name] = f
		}
	}
	names, _ := fs.Glob(all, "*/*")
	return names
}

// patchOf is a unified diff with three lines of context, of one hunk for each change and its neighbours.
func patchOf(was, now string) string {
	a, b := strings.Split(strings.TrimSuffix(was, "\n"), "\n"), strings.Split(strings.TrimSuffix(now, "\n"), "\n")
	if was == "" {
		a = nil
	}
	type step struct {
		sign byte
		text string
		a, b int // lines before it
	}
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var steps []step
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			steps = append(steps, step{' ', a[i], i, j})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			steps = append(steps, step{'-', a[i], i, j})
			i++
		default:
			steps = append(steps, step{'+', b[j], i, j})
			j++
		}
	}
	keep := make([]bool, len(steps))
	for k, s := range steps {
		if s.sign != ' ' {
			for n := max(0, k-3); n < min(len(steps), k+4); n++ {
				keep[n] = true
			}
		}
	}
	var out strings.Builder
	for k := 0; k < len(steps); k++ {
		if !keep[k] {
			continue
		}
		end := k
		for end < len(steps) && keep[end] {
			end++
		}
		last := steps[end-1]
		overA, overB := last.a-steps[k].a, last.b-steps[k].b
		if last.sign != '+' {
			overA++
		}
		if last.sign != '-' {
			overB++
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", steps[k].a+1, overA, steps[k].b+1, overB)
		for _, s := range steps[k:end] {
			fmt.Fprintf(&out, "%c%s\n", s.sign, s.text)
		}
		k = end
	}
	return strings.TrimSuffix(out.String(), "\n")
}

const (
	sha1st  = "1111111111111111111111111111111111111111"
	sha2nd  = "2222222222222222222222222222222222222222"
	sha3rd  = "3333333333333333333333333333333333333333"
	robot   = github.ActionsBot
	runPage = "https://github.com/acme/deals/actions/runs/"
)

// telling returns the report of a run on a commit; what is merged is what head is, unless base went on.
func telling(t testing.TB, base, head tree, commit string, number int) *PullReport {
	t.Helper()
	return &PullReport{Number: 7, Commit: commit, Run: Run{id: int64(number), number: number, Attempt: 1, url: runPage + fmt.Sprint(number)},
		Review: compareTrees(t, base, head), Talk: Talk{Summary: true, Inline: true}, Merged: head, Head: head}
}

// there is a pull request with that head, and nobody has said anything.
func there(base, head tree, commit string) There {
	return There{Pull: github.PullRequest{Number: 7, State: "open", Head: github.Side{SHA: commit}}, Me: robot, Files: changed(base, head)}
}

// done is what there is once a conversation was carried out.
func done(was There, c conversation) There {
	now := was
	now.comments, now.remarks = nil, nil
	for _, o := range was.comments {
		if o.ID == c.Summary.id && c.Summary.Body != "" {
			o.Body = c.Summary.Body
		}
		if !contains(c.Summary.remove, o.ID) {
			now.comments = append(now.comments, o)
		}
	}
	if c.Summary.id == 0 && c.Summary.Body != "" {
		now.comments = append(now.comments, github.Comment{ID: nextID(was), Author: was.Me, Body: c.Summary.Body})
	}
	for _, o := range was.remarks {
		for _, change := range c.change {
			if change.id == o.ID {
				o.Body, o.Resolved = change.body, (o.Resolved || change.resolve) && !change.reopen
			}
		}
		gone := false
		for _, d := range c.remove {
			gone = gone || d.id == o.ID
		}
		if !gone {
			now.remarks = append(now.remarks, o)
		}
	}
	for _, r := range c.Create {
		id := nextID(now)
		now.remarks = append(now.remarks, github.ReviewComment{ID: id, Author: was.Me, Body: r.At.Body, Path: r.At.Path, Line: r.At.Line, Thread: fmt.Sprint("T", id)})
	}
	return now
}

func contains(all []int64, one int64) bool {
	for _, o := range all {
		if o == one {
			return true
		}
	}
	return false
}

func nextID(t There) int64 {
	id := int64(100)
	for _, c := range t.comments {
		id = max(id, c.ID)
	}
	for _, r := range t.remarks {
		id = max(id, r.ID)
	}
	return id + 1
}

// moved is what there is after a push.
func moved(was There, base, head tree, commit string) There {
	was.Pull.Head.SHA, was.Files = commit, changed(base, head)
	return was
}

func treeOf(name, text string) tree { return tree{name: &fstest.MapFile{Data: []byte(text)}} }
