package demo

import "io"

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
fail-on = "new" # what an amendment newly breaks; "any" fails on whatever is violated

limits {
  timeout = "5m" # for one version of a contract
}
`

// WriteGate writes both workflows and the settings into the repository at top, and the names of the files to w.
func WriteGate(w io.Writer, top string) error {
	return write(w, top, []file{{".github/workflows/redline.yml", workflow}, {".github/workflows/redline-approval.yml", approvalWorkflow}, {".github/redline.hcl", gateSettings}})
}
