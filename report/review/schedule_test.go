package review

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/github/githubtest"
)

// schedules is how many random histories of a pull request are lived through.
const schedules = 1000

// Whatever goes wrong on the way, and whoever does what meanwhile: in the end there is one summary, each finding has at most one
// remark, none is lost, and what others have written is as they left it.
func TestSchedules(t *testing.T) {
	if githubtest.Description() == "" {
		t.Log("requests are not validated: GitHub's API description is not here")
	}
	n := schedules
	if os.Getenv("REDLINE_HEAVY") == "" { // all of them take half a minute
		n = 300
	}
	if testing.Short() {
		n = 40
	}
	net, group := inside(t), errgroup.Group{}
	group.SetLimit(4)
	for seed := range uint64(n) {
		group.Go(func() error {
			if t.Failed() {
				return nil
			}
			s := newHistory(t, net, seed)
			s.live()
			if len(s.wrong) > 0 && !t.Failed() {
				t.Errorf("seed %d: %s\n%s", seed, strings.Join(s.wrong, "\n"), strings.Join(s.told, "\n"))
			}
			return nil
		})
	}
	_ = group.Wait()
}

// Lists that are behind, or have rows twice, lose nothing and double nothing, and the last summary is never removed: neither by a run
// alone nor by two at once, whatever else goes wrong.
func TestSchedulesOfRows(t *testing.T) {
	net, n := inside(t), 300
	if testing.Short() {
		n = 12
	}
	for seed := range uint64(n) {
		s := newHistory(t, net, seed)
		s.rows = []int{30, 60, 100}[s.draw.IntN(3)]
		if s.live(); len(s.wrong) > 0 {
			t.Fatalf("seed %d: %s\n%s", seed, strings.Join(s.wrong, "\n"), strings.Join(s.told, "\n"))
		}
	}
}

// Two runs at once leave one summary and no remark twice, without a third one that clears up, be it that one of them is late.
func TestTwoRunsAtOnce(t *testing.T) {
	net := inside(t)
	for seed := range uint64(150) {
		s := newHistory(t, net, seed)
		if s.draw.IntN(2) == 0 {
			s.run(s.next())
			s.push()
		}
		first := s.next()
		if s.draw.IntN(2) == 0 {
			s.gate.meanwhile(4+s.draw.IntN(12), s.push) // it is late, and the other one too, if it was begun
		}
		s.run(first, s.next())
		sums := slices.DeleteFunc(s.hub.Comments(7), func(c githubtest.Comment) bool { return c.Author != robot })
		seen := map[string]bool{}
		for _, c := range s.hub.ReviewComments(7) {
			m, _, _ := readRemarkMarker(c.Body)
			if seen[m.id] {
				s.object("%s has two remarks", m.id)
			}
			seen[m.id] = true
		}
		if len(sums) > 1 || len(s.wrong) > 0 {
			t.Fatalf("seed %d: %d summaries; %s\n%s", seed, len(sums), strings.Join(s.wrong, "\n"), strings.Join(s.told, "\n"))
		}
	}
}

// A history is what happens to one pull request.
type history struct {
	t     testing.TB
	draw  *rand.Rand
	hub   *githubtest.Hub
	gate  *gate
	told  []string // for whoever reads a failure
	wrong []string

	version       version // head's
	number, pushs int
	runs          []*PullReport
	strangers     map[int64]string // what others have written
	faults        githubtest.Schedule
	alone         bool // one run is under way
	rows          int  // of a hundred lists, so many are behind or have rows twice
}

func newHistory(t testing.TB, net *insideNetwork, seed uint64) *history {
	s := &history{t: t, draw: rand.New(rand.NewPCG(seed, 6)), gate: newGate(), strangers: map[int64]string{}}
	var err error
	if s.hub, err = githubtest.New("acme/deals", githubtest.Description()); err != nil {
		t.Fatal(err)
	}
	s.hub.Faults = func(n int) githubtest.Fault {
		if s.faults == nil {
			return githubtest.None
		}
		return s.faults(n)
	}
	host := fmt.Sprintf("hub-%d", seed)
	net.servers.Store(host, s.gate.before(s.watch(s.hub)))
	s.hub.URL = "http://" + host
	s.version = s.anyVersion()
	s.hub.Open(githubtest.Pull{Number: 7, Head: githubtest.Side{SHA: s.sha(), Ref: "amendment", Repository: "acme/deals"},
		Base: githubtest.Side{SHA: strings.Repeat("b", 40), Ref: "main", Repository: "acme/deals"}, Files: s.version.files()})
	return s
}

func (s *history) sha() string { return fmt.Sprintf("%040x", s.pushs+0x10) }

func (s *history) say(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

func (s *history) object(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// live has things happen, and in the end a run that nothing disturbs.
func (s *history) live() {
	seed, percent := s.draw.Uint64(), []int{0, 10, 40}[s.draw.IntN(3)]
	s.faults = githubtest.FlakyLists(seed, s.rows, percent)
	s.say("%d%% of lists, %d%% faults; at first %s", s.rows, percent, s.version)
	if s.draw.IntN(2) == 0 {
		s.run(s.next())
	} else {
		s.run(s.next(), s.next())
	}
	for range 1 + s.draw.IntN(6) {
		s.step()
	}
	s.faults = nil
	s.say("calm")
	last := s.next()
	if errs := s.run(last)[0]; len(errs) > 0 {
		s.object("the calm run: %v", errs)
	}
	s.judge(last)
	before := len(s.hub.Writes())
	if s.run(last); len(s.hub.Writes()) != before {
		s.object("the same run again writes %q", s.hub.Writes()[before:])
	}
	for _, p := range s.hub.Problems() {
		s.object("this does not fit GitHub's description: %s", p)
	}
}

// watch objects where a request takes our last summary away, or the last remark on a finding, and where a run that is alone says one twice.
func (s *history) watch(h http.Handler) http.Handler {
	ours := func() map[string]int {
		all := map[string]int{}
		for _, c := range s.hub.Comments(7) {
			if _, ok := readSummaryMarker(c.Body); ok && c.Author == robot {
				all["the summary"]++
			}
		}
		for _, c := range s.hub.ReviewComments(7) {
			if m, _, ok := readRemarkMarker(c.Body); ok && c.Author == robot && !c.Minimized {
				all["the remark on "+m.id]++
			}
		}
		return all
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before := ours(); r.Method != http.MethodGet {
			defer func() { // the connection may break
				after := ours()
				for what, n := range before {
					if after[what] == 0 {
						s.object("%s was taken away by %s %s", what, r.Method, r.URL.Path)
					}
					if s.alone && after[what] > n {
						s.object("%s was made again by %s %s", what, r.Method, r.URL.Path)
					}
				}
			}()
		}
		h.ServeHTTP(w, r)
	})
}

func (s *history) step() {
	switch s.draw.IntN(8) {
	case 0, 1: // a push, and its run
		s.push()
		s.run(s.next())
	case 2: // two pushes, and both runs at once
		s.push()
		first := s.next()
		s.push()
		s.run(first, s.next())
	case 3: // a run is repeated, whatever has happened since
		again := *s.runs[s.draw.IntN(len(s.runs))]
		again.Run.Attempt++
		s.run(&again)
	case 4: // two runs of one new head
		s.push()
		s.run(s.next(), s.next())
	case 5: // a push while a run is under way
		late := s.next()
		s.gate.meanwhile(1+s.draw.IntN(8), s.push)
		s.run(late)
		s.gate.meanwhile(0, nil)
		s.run(s.next())
	case 6:
		s.stranger()
	case 7: // a token that may only read
		s.push()
		s.run(s.next(), nil)
	}
}

func (s *history) push() {
	s.pushs++
	s.version = s.anyVersion()
	s.say("push %s: %s", s.sha()[36:], s.version)
	if s.draw.IntN(3) == 0 {
		s.hub.ForcePush(7, s.sha(), s.version.files())
	} else {
		s.hub.Push(7, s.sha(), s.version.files())
	}
}

// next is the run of what is head now.
func (s *history) next() *PullReport {
	s.number++
	t := s.version.telling()
	t.Commit, t.Run = s.sha(), Run{id: int64(s.number), number: s.number, Attempt: 1, url: runPage + fmt.Sprint(s.number)}
	s.runs = append(s.runs, t)
	return t
}

// run publishes side by side, request by request in an order that the seed decides. A nil says that the run before it may only read.
func (s *history) run(all ...*PullReport) [][]error {
	token := githubtest.Job("pull-requests: write")
	switch {
	case s.draw.IntN(2) == 0:
		token = githubtest.Job("pull-requests: write", "contents: write")
	}
	if last := len(all) - 1; all[last] == nil {
		all, token = all[:last], githubtest.Job("contents: read")
	}
	if err := s.hub.Wait(context.Background(), settle); err != nil { // runs are further apart than lists lag behind
		s.t.Fatal(err)
	}
	s.alone = len(all) == 1
	errs := make([][]error, len(all))
	var names []string
	for i := range all {
		names = append(names, fmt.Sprintf("token-%d", i))
	}
	s.gate.open(names, s.draw)
	var group sync.WaitGroup
	for i, t := range all {
		s.hub.Allow(names[i], token)
		hub, err := github.New(github.Config{API: s.hub.URL, Token: names[i], Repository: "acme/deals", Wait: s.hub.Wait})
		if err != nil {
			s.t.Fatal(err)
		}
		group.Go(func() {
			errs[i] = Publish(context.Background(), hub, t)
			s.gate.leave(names[i])
		})
	}
	group.Wait()
	for i, t := range all {
		s.say("run %d.%d of %s: %v", t.Run.number, t.Run.Attempt, t.Commit[36:], errs[i])
	}
	return errs
}

// stranger forges our markers, answers us, or settles a thread.
func (s *history) stranger() {
	ours, inline := s.hub.Comments(7), s.hub.ReviewComments(7)
	switch {
	case s.draw.IntN(2) == 0 && len(ours) > 0:
		c := s.hub.Say(7, "mallory", ours[s.draw.IntN(len(ours))].Body)
		s.strangers[c.ID] = c.Body
	case s.draw.IntN(2) == 0 && len(inline) > 0:
		like := inline[s.draw.IntN(len(inline))]
		for _, f := range s.version.files() {
			c := s.hub.SayAt(7, "mallory", f.Path, hunksOf(f.Patch)[0].first, like.Body)
			s.strangers[c.ID] = c.Body
		}
	case len(inline) > 0:
		c := s.hub.Reply(inline[s.draw.IntN(len(inline))].ID, "alice", "I think so, too.")
		s.strangers[c.ID] = c.Body
	default:
		body := summaryMarker{s.sha(), 1 << 40, 9}.String() + "## ✓ redline: nothing to object to\n"
		s.strangers[s.hub.Say(7, "mallory", body).ID] = body
	}
	s.say("a stranger")
}

// judge looks at the pull request in the end.
func (s *history) judge(last *PullReport) {
	var sums []githubtest.Comment
	for _, c := range s.hub.Comments(7) {
		s.unharmed(c)
		if c.Author == robot {
			sums = append(sums, c)
		}
	}
	guilty := charges(last.Review)
	if len(sums) > 1 || len(sums) == 0 && len(guilty) > 0 {
		s.object("%d summaries", len(sums))
		return
	}
	summary := ""
	if len(sums) == 1 {
		summary = sums[0].Body
		if m, ok := readSummaryMarker(summary); !ok || m != last.marker() {
			s.object("the summary is of %v, not of %v", m, last.marker())
		}
	}
	s.judgeRemarks(last, guilty, summary)
}

func (s *history) judgeRemarks(last *PullReport, guilty []*matter, summary string) {
	open, seen := map[string]bool{}, map[string]bool{}
	for _, c := range s.hub.ReviewComments(7) {
		s.unharmed(c.Comment)
		m, _, ok := readRemarkMarker(c.Body)
		if c.Author != robot || c.Minimized {
			continue
		}
		if !ok || c.InReplyTo != 0 {
			s.object("we have written %q", c.Body)
		}
		if seen[m.id] {
			s.object("finding %s has two remarks", m.id)
		}
		seen[m.id], open[m.id] = true, m.state != "closed"
	}
	for _, m := range guilty {
		id := m.identity.String()
		if !strings.Contains(summary, "`"+m.finding.Name+"`") {
			s.object("%s is lost", m.finding.Name)
		}
		if last.Talk.Inline && s.version.changed() && !open[id] {
			s.object("%s has no open remark", m.finding.Name)
		}
		delete(open, id)
	}
	for id, still := range open {
		if still {
			s.object("remark %s is open and its finding is gone", id)
		}
	}
}

// unharmed finds what others have written as they have.
func (s *history) unharmed(c githubtest.Comment) {
	if body, theirs := s.strangers[c.ID]; theirs && (body != c.Body || len(c.EditedBy) > 0 || c.Minimized) {
		s.object("a stranger's comment was touched: %q", c.Body)
	} else if theirs {
		delete(s.strangers, c.ID)
	}
}

// A version of a contract: which of its promises the amendment breaks, which lines stand above them, and on which lines
// base's own work has moved them.
type version struct {
	broken       []bool
	above, moved int
}

func (s *history) anyVersion() version {
	v := version{above: s.draw.IntN(4), moved: s.draw.IntN(2) * 3}
	for range 5 {
		v.broken = append(v.broken, s.draw.IntN(3) == 0)
	}
	return v
}

func (v version) String() string { return fmt.Sprint(v.broken, v.above, v.moved) }

const promises = "sale/sale.contract.hcl"

// text is the contract's file, and which line each promise is on.
func (v version) text(extra int) (string, []int) {
	var b strings.Builder
	b.WriteString(strings.Repeat("# from base\n", extra) + strings.Repeat("# above\n", v.above))
	var at []int
	for i, broken := range v.broken {
		at = append(at, strings.Count(b.String(), "\n")+1)
		fmt.Fprintf(&b, "requirement \"r%d\" {\n  ctl = \"AG %v\"\n}\n\n", i, !broken)
	}
	return b.String(), at
}

func (v version) changed() bool { return len(v.files()) > 0 }

func (v version) files() []githubtest.File {
	was, _ := version{broken: make([]bool, len(v.broken))}.text(0)
	now, _ := v.text(0)
	patch := patchOf(was, now)
	if patch == "" {
		return nil
	}
	return []githubtest.File{{Path: promises, Status: "modified", Patch: patch}}
}

func (v version) telling() *PullReport {
	merged, at := v.text(v.moved)
	head, _ := v.text(0)
	c := finding.ContractReview{Path: "sale", Name: "sale", Status: finding.Changed, Head: &finding.Result{Path: "sale"}, Base: &finding.Result{Path: "sale"}}
	if !v.changed() {
		c.Status = finding.Same
	}
	for i, broken := range v.broken {
		name := fmt.Sprintf("r%d", i)
		q := finding.Requirement{Name: name, Verdict: finding.Holds, Source: hcl.Range{Filename: promises, Start: hcl.Pos{Line: at[i], Column: 1}, End: hcl.Pos{Line: at[i], Column: 10}}}
		f := finding.Finding{Kind: finding.Kept, Name: name, Base: &q}
		now := q
		if broken {
			now.Verdict, f.Kind = finding.Violated, finding.New
		}
		f.Head = &now
		if c.Status != finding.Same {
			c.Findings = append(c.Findings, f)
		}
	}
	return &PullReport{Number: 7, Review: &finding.Review{Contracts: []finding.ContractReview{c}}, Talk: Talk{Summary: true, Inline: true},
		Merged: treeOf(promises, merged), Head: treeOf(promises, head)}
}

// What is told is never changed by telling it.
func TestTellingChangesNothing(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	one := telling(t, plain, broken, sha1st, 1)
	before, err := json.Marshal(one.Review)
	if err != nil {
		t.Fatal(err)
	}
	DraftComments(one, there(plain, broken, sha1st))
	if after, _ := json.Marshal(one.Review); string(after) != string(before) {
		t.Error("the review has changed")
	}
}
