package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// A truth is what redline has to say of the smallest contracts of which something false, or something that misleads, was once said.
type truth struct {
	args  string // DIR is the folder
	says  string // an expression that the output matches
	never string // one that it does not: what was said once; empty: what is missing was the mistake
	exit  int    // -1: any
}

// truths has all folders, by name.
var truths = map[string]truth{
	"arises-from-itself":             {"check DIR", `The obligation \"rent\" can.t begin or end by what it comes to itself`, ``, 2},
	"bpmn-messages":                  {"import -o OUT DIR/async.bpmn", "wrote", "", 0},
	"completion-already-lost":        {"review --base HEAD --worktree", "still fails +no-option-to-complete", "✗ broken|fails 1", 0},
	"dead-event-hides-transition":    {"check DIR", `seller.reoffer can never happen.*never come either: buyer.never`, `idle-self-loop|changes nothing`, 0},
	"ideal-without-runs":             {"check DIR", `all-well .*(?i)only because (nobody|no run)`, ``, 0},
	"must-somebody-act":              {"check DIR", `paid-is-delivered .*Rests on seller`, ``, 1},
	"must-somebody-act-with-a-light": {"check DIR", `paid-is-delivered .*Rests on seller`, ``, 1},
	"never-arises-again":             {"check DIR", `norm-never-again.*Once it has been breached, the obligation \"rent\" does not arise again`, ``, 1},
	"not-its-own-act":                {"check DIR", `The prohibition \"no-resale\" is the buyer.s, and the buyer takes no part.*The power \"p\" is the buyer.s, and the buyer takes no part`, ``, 1},
	"obligation-dropped":             {"review --base HEAD --worktree", `The same steps can happen; what is owed differs: ~ pay the loan back .* worse for the lender.*No promise is broken, but what is owed changes`, `behaves as before: proved, not guessed. For whom: no party can see a change|Nothing to object to`, 0},
	"observed-event-moves":           {"review --observe b --base HEAD --worktree", `Looking only at b.y, b.z, e: Every sequence of steps that was possible still is, and more. Now possible: 1. e .*Can happen now, and never could before: e`, "behaves as before", 0},
	"only-while-both":                {"check DIR", `rent.owed and rent.fulfilled are never so at once`, `In no reachable state are all the parties it concerns ready`, 2},
	"pnml-guard":                     {"check DIR/guard.pnml", "error\\[net-unreadable\\].*guard", "sound", 2},
	"precedence-of-two":              {"check DIR", `No “a: p1” and later “a: p2” unless “a: q” has come by the first of these`, ``, 1},
	"replay-grid":                    {"replay --tick 1mo DIR DIR/log.csv", `fulfilled`, `in breach`, 0},
	"reworded-while-violated":        {"review --base HEAD --worktree", "✗ broken", "still broken", 1},
	"scopes-from-every":              {"check DIR", `holds after-only .*holds after-until `, `✗ violated after-until`, 0},
	"steps-together":                 {"check DIR", `2 states, 1 step, 1 dead end; all that can happen together does ✓ holds never-one-without-the-other`, "violated", 0},
	"steps-together-and-end":         {"check DIR", `✗ violated together .*1. e1 a: s0 → s1 o1: not yet owed → owed, 2 ticks left At the end: a: s1; b: s0; .*So: “b: s1” does not hold`, "holds together", 1},
	"time-stands-still":              {"check DIR", "progress\\(time\\)", "", 1},
	"vacuity-of-a-disjunct":          {"check DIR", "that part is not needed", "nobody can ever call on it", 0},
	"waived-second-way":              {"review --base HEAD --worktree", "✗ broken", "(?i)nothing to object to", 1},
	"while-breached":                 {"check DIR", `whileconseq`, `breach-without-consequence`, 0},
	"whose-waiting":                  {"check DIR", `plain .*Rests on (buyer and )?seller`, `It fails only because buyer may wait for ever`, 1},
}

// TestTruths: of each contract in the collection of such cases what is true is said, and what was said once is not. Each is also in this repository, in words of its own: see
// testdata/script/truth-*.txtar and true-sentences.txtar.
func TestTruths(t *testing.T) {
	root := corpus.Need(t, "cases/truth")
	folders, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		name := folder.Name()
		if !folder.IsDir() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			of, known := truths[name]
			if !known {
				t.Fatal("nothing says what is true of it")
			}
			t.Chdir(t.TempDir())
			if err := os.CopyFS("case", os.DirFS(filepath.Join(root, name))); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(of.args, "review ") {
				amended(t)
			}
			out, status := runMain(t, strings.Fields(strings.NewReplacer("DIR", "case", "OUT", "out").Replace(of.args))...)
			if name == "bpmn-messages" {
				out, status = runMain(t, "check", "out")
				of.says, of.never = "16 states, 22 steps, 1 dead end", "AF \\(false|2 dead ends"
			}
			if why := wrong(of, strings.Join(strings.Fields(out), " "), status); why != "" {
				t.Errorf("redline %s: %s\n%s", of.args, why, out)
			}
		})
	}
}

// amended makes a repository of the folder case: base is committed, and head is the work tree.
func amended(t *testing.T) {
	t.Helper()
	if err := os.CopyFS("contract", os.DirFS("case/base")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "contract"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "base"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.RemoveAll("contract"); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS("contract", os.DirFS("case/head")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll("case"); err != nil {
		t.Fatal(err)
	}
}

// wrong says in what an output is not as it has to be; empty: in nothing.
func wrong(of truth, out string, status int) string {
	switch {
	case !regexp.MustCompile(of.says).MatchString(out):
		return "it does not say " + of.says
	case of.never != "" && regexp.MustCompile(of.never).MatchString(out):
		return "it says " + of.never
	case of.exit >= 0 && of.exit != status:
		return "the exit status is another"
	}
	return ""
}
