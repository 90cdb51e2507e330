package demo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/redlinehq/redline/report/escape"
)

// workflow is the one that has every pull request reviewed. Checkout is pinned to the commit that this repository's own workflows name.
const workflow = `name: redline
on: [pull_request, merge_group]
permissions: {contents: read, pull-requests: write}
jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@d23441a48e516b6c34aea4fa41551a30e30af803 # v6.1.0
      - uses: redlinehq/redline@v1 # or its commit: git ls-remote https://github.com/redlinehq/redline v1
`

// approvalWorkflow is the one that repeats the gate after a review: an approval decides whether a waiver counts, and by itself starts no run of the gate.
const approvalWorkflow = `name: redline after a review
on: {pull_request_review: {types: [submitted, dismissed]}}
permissions: {actions: write, contents: read}
jobs:
  again:
    if: github.event.review.user.type != 'Bot' && github.event.review.state != 'commented'
    runs-on: ubuntu-latest
    steps:
      - uses: redlinehq/redline@v1
        with: {workflow: redline.yml} # the file that has the gate
`

const gateSettings = `# What this repository wants of redline; every setting may be left out. 'redline config' shows what is in force.
# All settings: https://github.com/redlinehq/redline/blob/main/hclspec/README.md#settings-of-a-repository
fail-on    = "new"      # what an amendment newly breaks; "any" fails on whatever is violated
acceptance = "approved" # what an amendment accepts counts once an owner of the file approves it; "base": once it is merged by itself

limits {
  timeout = "5m" # for one version of a contract
}
`

// GateSteps says what is left to do once the files of WriteWorkflows are there: what to commit, and what to click on GitHub.
const GateSteps = `
Next: write .github/CODEOWNERS with these lines, and your own logins or teams for @you and @colleague:
  *         @you @colleague
  /.github/ @you @colleague
The first line says who may approve a waiver, of somebody else's pull request: in a file that no line takes in, nobody may. The second says
who may change the gate.
Commit all four files and push them to the default branch.
Open any pull request: the check is in GitHub's list only after it ran. Then, in the repository:
  1. Settings > Rules > Rulesets > New ruleset > New branch ruleset.
  2. Enforcement status: Active. Bypass list: leave it empty. Target branches: Include default branch.
  3. Tick "Require a pull request before merging". Required approvals: 1 or more. Tick "Require review from Code Owners".
  4. Tick "Require status checks to pass", and add the check "review", source GitHub Actions.
     Not "again": it only repeats the first after a review, which decides whether a waiver counts.
  5. There, tick "Require branches to be up to date before merging", or use a merge queue: two amendments that are each
     sound can break a promise together.
  6. Create.
If you work alone: GitHub lets nobody approve their own pull request. In step 3 require 0 approvals and leave Code Owners unticked, and
write acceptance = "base" in .github/redline.hcl: then a waiver counts once it is merged by itself, before the amendment that needs it.
From then on a pull request that newly breaks a promise can't be merged, unless a waiver that counts accepts it, or it changes .github/
itself and its owners approve that.
Rulesets on a private repository need a paid plan of GitHub. What else to guard:
https://github.com/redlinehq/redline/blob/main/.github/docs/github.md#what-does-not
`

// WriteWorkflows writes both workflows and the settings into the repository at top, those that are not there yet, and says to w which it wrote.
func WriteWorkflows(w io.Writer, top string) error {
	for _, f := range []file{{".github/workflows/redline.yml", workflow}, {".github/workflows/redline-approval.yml", approvalWorkflow}, {".github/redline.hcl", gateSettings}} {
		switch _, err := os.Lstat(filepath.Join(top, f.name)); {
		case err == nil:
			fmt.Fprintln(w, "kept "+escape.TerminalText(filepath.ToSlash(filepath.Join(top, f.name)))+", which is there already")
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if err := write(w, top, []file{f}); err != nil {
			return err
		}
	}
	return nil
}
