package behaviour_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// TestSaidOfNormsIsTrue reads the runs of dropped and changed norms as a reader would, and plays both drafts step by step: what each step
// changes, the states of both versions at its end, after how many steps, and for whom it is better or worse.
func TestSaidOfNormsIsTrue(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 160
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(15, 4))
	kinds := map[string]int{}
	for n := 0; n < pairs; {
		base := testkit.DrawOwing(r)
		if r.IntN(3) == 0 {
			base = base.Ending(r)
		}
		if r.IntN(3) == 0 {
			base = base.Repairing(r)
		}
		head := base.Amended(r)
		if r.IntN(2) == 0 {
			head = base.Rescheduled(r)
		}
		s := &saidReader{t: t, kinds: kinds, texts: base.Text() + "\n\n" + head.Text()}
		s.players = [2]player{{testkit.DraftOf(t, base.Text())}, {testkit.DraftOf(t, head.Text())}}
		budget := finding.Budget{Jobs: 1}
		if n%4 == 0 {
			budget.Engine = finding.Symbolic
		}
		review := blame.Compare(context.Background(), s.players[0].Draft, s.players[1].Draft, budget)
		if review.Status != finding.Changed {
			continue
		}
		n++
		var b strings.Builder
		if err := text.Review(&b, &finding.Review{Contracts: []finding.ContractReview{review}}, text.Style{}); err != nil {
			t.Fatal(err)
		}
		inText := saidStates(rowStates, b.String())
		if inMarkdown := saidStates(cellStates, markdown.Review(&finding.Review{Contracts: []finding.ContractReview{review}})); !slices.Equal(inText, inMarkdown) {
			t.Fatalf("in text %q, in Markdown %q\n%s", inText, inMarkdown, s.texts)
		}
		if err := text.Results(&b, []*finding.Result{review.Head}, text.Style{}); err != nil { // with the remarks that the review has said already
			t.Fatal(err)
		}
		s.lines = strings.Split(b.String(), "\n")
		s.review()
		kinds["reparation"] += strings.Count(s.texts, "reparation = ")
	}
	t.Log(kinds)
	for _, kind := range []string{"norm-dropped", "norm-changed", "as it was before", "as it is now", "row", "time passes", "breached", "fulfilled", "better", "worse", "Now:", "not in the contract", "reparation", "later"} {
		if kinds[kind] == 0 {
			t.Errorf("nothing was said of kind %q", kind)
		}
	}
}

// The states of a norm before and now, as they are said in text and in Markdown.
var (
	rowStates  = regexp.MustCompile(`(?m)^ +before: (.+); now: (.+?)\.$`)
	cellStates = regexp.MustCompile(`(?m)^\| .+?before: (.+?); now: (.+?) \|`)
)

// saidStates returns the states of norms that a review says.
func saidStates(form *regexp.Regexp, review string) (all []string) {
	for _, m := range form.FindAllStringSubmatch(review, -1) {
		all = append(all, m[1]+"; "+m[2])
	}
	return all
}

// A saidReader reads a review.
type saidReader struct {
	t       *testing.T
	players [2]player
	lines   []string
	at      int
	texts   string
	kinds   map[string]int
}

func (s *saidReader) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s\n%s\n\n%s", fmt.Sprintf(format, args...), s.texts, strings.Join(s.lines, "\n"))
}

var (
	rowForm     = regexp.MustCompile(`^      ~ (.+), (at the start|after (\d+) (step|tick)s?)$`)
	normForm    = regexp.MustCompile(`^  \w+\[(norm-\w+)\]: .*?"(\w+)"`)
	stepForm    = regexp.MustCompile(`^ +(\d+)\. (.+)$`)
	tickForm    = regexp.MustCompile(`^time passes(?:, (\d+) times)? \[tick\]$`)
	balanceForm = regexp.MustCompile(`(?i)(better|worse) for (the \w+(?: and the \w+)*)[.;]`)
	detailForm  = regexp.MustCompile(`(At the start|After (\d+) (step|tick)s?) it was (.+?); now it is (.+?)\.((?: (?:Better|Worse) for the [a-z]+(?: and the [a-z]+)*\.)*)`)
)

func (s *saidReader) review() {
	for s.at = 0; s.at < len(s.lines); s.at++ {
		line := s.lines[s.at]
		if m := rowForm.FindStringSubmatch(line); m != nil {
			s.row(m)
		} else if m := normForm.FindStringSubmatch(line); m != nil {
			s.kinds[m[1]]++
			s.diagnostic(m[2])
		}
	}
}

// next returns the line after this one.
func (s *saidReader) next() string {
	if s.at+1 < len(s.lines) {
		return s.lines[s.at+1]
	}
	return ""
}

// row reads a norm under "what is owed differs".
func (s *saidReader) row(m []string) {
	s.kinds["row"]++
	s.at++
	was, now, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(s.lines[s.at]), "before: "), "; now: ")
	if !ok {
		s.fail("what does %q say?", s.lines[s.at])
	}
	balance := ""
	for strings.HasPrefix(s.next(), "        ") && !stepForm.MatchString(s.next()) {
		s.at++
		if !strings.HasPrefix(strings.TrimSpace(s.lines[s.at]), "Only the time left differs") {
			balance += strings.TrimSpace(s.lines[s.at])
		}
	}
	timeAlone := strings.Contains(s.lines[s.at], "Only the time left")
	var names []string
	for stepForm.MatchString(s.next()) {
		s.at++
		names = append(names, s.stepNames(stepForm.FindStringSubmatch(s.lines[s.at]))...)
	}
	title := m[1][strings.LastIndexByte(m[1], ' ')+1:]
	if m[1] == "the end of the contract" {
		title = "contract"
	}
	s.when(m[2], m[3], m[4], names)
	s.differs(title, strings.TrimSuffix(was, "."), strings.TrimSuffix(now, "."), balance, names, timeAlone)
}

// stepNames returns the names of a step that is shown, once for each time that it happens.
func (s *saidReader) stepNames(m []string) []string {
	if tick := tickForm.FindStringSubmatch(m[2]); tick != nil {
		s.kinds["time passes"]++
		n, _ := strconv.Atoi(tick[1])
		return slices.Repeat([]string{"tick"}, max(n, 1))
	}
	return []string{strings.TrimSuffix(m[2][strings.LastIndexByte(m[2], '[')+1:], "]")}
}

// when wants a run to be as long as it says, in steps, or in ticks if there is nothing else.
func (s *saidReader) when(words, number, unit string, names []string) {
	others := slices.ContainsFunc(names, func(n string) bool { return n != "tick" })
	if n, _ := strconv.Atoi(number); n != len(names) || len(names) > 0 && (unit == "step") != others {
		s.fail("%s: it is after %v", words, names)
	}
}

// later wants a norm that does not bind on a side to stand as on the other one after so many ticks more, and after no fewer.
func (s *saidReader) later(side int, norm, said, there string, names []string) {
	s.kinds["later"]++
	number, _, _ := strings.Cut(said, " ")
	n, err := strconv.Atoi(number)
	for k := 1; k <= n && err == nil; k++ {
		names = append(slices.Clone(names), "tick")
		so := false
		for _, m := range s.players[side].follow(names) {
			state := s.players[side].state(m, s.named(side, norm))
			so = so || state != "" && slices.Contains(strings.Split(withoutLeft(there), ", or "), withoutLeft(state))
		}
		if so != (k == n) {
			s.fail("%s is %q after %d ticks of %q: %t", norm, there, k, said, so)
		}
	}
}

var laterForm = regexp.MustCompile(`^(.+?)(?: until|, and [a-z ]+ only) (.+? later)(?:, if nothing else happens)?$`)

var leftForm = regexp.MustCompile(`, \d+ ticks? left`)

func withoutLeft(state string) string { return leftForm.ReplaceAllString(state, "") }

// differs wants the states of a norm on both sides, and for whom that is better or worse. Of one side, which the run is of, it is one state.
func (s *saidReader) differs(norm, was, now, balance string, names []string, timeAlone bool) {
	said := [2][]string{strings.Split(was, ", or "), strings.Split(now, ", or ")}
	stakes, whole := [2][]stakeOf{}, false
	for i, p := range s.players {
		can := map[string]stakeOf{}
		for _, m := range p.follow(names) {
			stake := stakeIn(p, m, s.named(i, norm))
			words := p.state(m, s.named(i, norm))
			if words == "not in the contract" {
				words = idleOf[cmp.Or(stake.kind, stakeIn(s.players[1-i], s.players[1-i].Net.Initial, s.named(1-i, norm)).kind)]
			}
			can[words] = stake
		}
		for _, one := range said[i] {
			if m := laterForm.FindStringSubmatch(one); m != nil {
				one = m[1]
				s.later(i, norm, m[2], [2]string{was, now}[1-i], names)
			}
			stake, so := can[one]
			if !so {
				s.fail("%s after %v: %q is not so: it can be %v", norm, names, one, can)
			}
			stakes[i] = append(stakes[i], stake)
		}
		whole = whole || len(said[i]) == len(can)
		if len(said[i]) > 1 && len(said[i]) < len(can) {
			s.fail("%s after %v: it can be %v, too", norm, names, can)
		}
	}
	if !whole || slices.Equal(said[0], said[1]) {
		s.fail("%s after %v: before %q, now %q", norm, names, was, now)
	}
	switch {
	case timeAlone || norm == "contract":
	case s.givenUp(0, norm, said, names) || s.givenUp(1, norm, said, names):
		if balance != "" {
			s.fail("%s after %v is given up by an act, it says %q", norm, names, balance)
		}
	default:
		s.balanced(norm, balance, stakes)
	}
}

// balanced wants the parties for which a difference of states is better or worse, whichever of the states are meant.
func (s *saidReader) balanced(norm, balance string, stakes [2][]stakeOf) {
	got := map[string]string{}
	for _, m := range balanceForm.FindAllStringSubmatch(balance, -1) {
		s.kinds[strings.ToLower(m[1])]++
		for _, p := range strings.Split(m[2], " and ") {
			got[strings.TrimPrefix(p, "the ")] = strings.ToLower(m[1])
		}
	}
	for _, party := range testkit.PartyNames {
		better, worse := false, false
		for _, was := range stakes[0] {
			for _, now := range stakes[1] {
				better = better || gains(party, was, now) > 0 || sides(party, was, now) > 0
				worse = worse || gains(party, was, now) < 0 || sides(party, was, now) < 0
			}
		}
		want := map[[2]bool]string{{true, false}: "better", {false, true}: "worse"}[[2]bool{better, worse}]
		if got[party] != want {
			s.fail("%s: for %s it is %q, it says %q: %v", norm, party, want, got[party], stakes)
		}
	}
}

// named returns the name on a side of a norm that is named as on head.
func (s *saidReader) named(side int, norm string) string {
	for was, now := range s.renamed() {
		if side == 0 && now == norm {
			return was
		}
	}
	return norm
}

var renamedForm = regexp.MustCompile(`(\w+) is now called (\w+)`)

// renamed returns the new names of norms that are said to have one.
func (s *saidReader) renamed() map[string]string {
	all := map[string]string{}
	for _, line := range s.lines {
		if m := renamedForm.FindStringSubmatch(line); m != nil {
			all[m[1]] = m[2]
		}
	}
	return all
}

func (s *saidReader) nets(side int) (all []string) {
	for _, p := range s.players[side].Net.Places {
		if !slices.Contains(all, p.Net) {
			all = append(all, p.Net)
		}
	}
	return all
}

// diagnostic reads a warning of a norm: its detail, and the run below.
func (s *saidReader) diagnostic(norm string) {
	var details [][]string
	for !strings.HasPrefix(s.next(), "    more:") {
		s.at++
		line := strings.TrimSpace(s.lines[s.at])
		if found := detailForm.FindAllStringSubmatch(line, -1); found != nil {
			details = found
		}
		if lead, ok := strings.CutPrefix(line, "A run of both versions after which it differs"); ok {
			s.run(norm, details[0], strings.Trim(lead, ",: "))
			return
		}
	}
}

func (s *saidReader) run(norm string, detail []string, as string) {
	s.kinds[as]++
	side := map[string]int{"as it is now": 1}[as]
	p := s.players[side]
	at := []petri.Marking{p.Net.Initial}
	var names []string
	for stepForm.MatchString(s.next()) {
		s.at++
		step := s.stepNames(stepForm.FindStringSubmatch(s.lines[s.at]))
		names = append(names, step...)
		var effects []string
		for strings.HasPrefix(s.next(), "            ") && !stepForm.MatchString(s.next()) && strings.Contains(s.next(), ": ") {
			s.at++
			effects = append(effects, strings.TrimSpace(s.lines[s.at]))
		}
		at = s.step(p, at, step, effects)
	}
	s.when(detail[1], detail[2], detail[3], names)
	s.differs(norm, detail[4], detail[5], detail[6], names, strings.Contains(strings.Join(s.lines, " "), "Only the time left"))
	ends := map[string]string{}
	for {
		lead, rest, ok := strings.Cut(strings.TrimSpace(s.next()), ": ")
		if lead = strings.TrimSuffix(strings.TrimPrefix(lead, "At the end, "), ":"); !ok {
			break
		}
		if len(names) == 0 {
			lead = strings.TrimPrefix(lead, "At the start, ")
		}
		if !slices.Contains([]string{"before the amendment", "Now", "As before"}, lead) {
			break
		}
		s.kinds[lead+":"]++
		ends[lead] = strings.TrimSuffix(rest, ".")
		s.at++
	}
	s.ends(ends, names, at, side)
}

// ends wants of each party and norm the states that it can be in on both sides.
func (s *saidReader) ends(said map[string]string, names []string, own []petri.Marking, side int) {
	var want [2]map[string]string
	var all []string
	for i, p := range s.players {
		want[i] = map[string]string{}
		markings := p.follow(names)
		if i == side {
			markings = own
		}
		for n := range s.players {
			for _, net := range s.nets(n) {
				name := net
				if now, is := s.renamed()[net]; is && n == 0 {
					name = now
				}
				if !slices.Contains(all, name) && net != "" {
					all = append(all, name)
				}
			}
		}
		for _, name := range all {
			var can []string
			for _, m := range markings {
				if words := p.state(m, s.named(i, name)); !slices.Contains(can, words) {
					can = append(can, words)
				}
			}
			slices.Sort(can)
			want[i][name] = strings.Join(can, ", or ")
		}
	}
	got := [2]map[string]string{{}, {}}
	for lead, list := range said {
		for _, one := range strings.Split(list, "; ") {
			name, state, _ := strings.Cut(one, ": ")
			for i := range got {
				if lead == "As before" || lead == [2]string{"before the amendment", "Now"}[i] {
					got[i][name] = state
				}
			}
			s.kinds[state]++
			for _, word := range []string{"breached", "fulfilled"} {
				s.kinds[word] += strings.Count(state, word)
			}
		}
	}
	for i := range got {
		for _, name := range all {
			if got[i][name] == "" && want[0][name] == want[1][name] { // what no step touched need not be listed
				continue
			}
			if got[i][name] == "" && want[i][name] != "" && idleWords(want[i][name]) && idleWords(want[1-i][name]) {
				continue
			}
			if got[i][name] != want[i][name] {
				s.fail("%s of side %d after %v: %q, it says %q", name, i, names, want[i][name], got[i][name])
			}
		}
	}
}

// idleWords reports whether a state need not be listed.
func idleWords(state string) bool {
	return slices.Contains([]string{"not owed", "not in force", "not given", "not held", "in force", "not in the contract"}, state)
}

// step plays one step, or several ticks, and wants what they change to be what is said.
func (s *saidReader) step(p player, at []petri.Marking, names, effects []string) (fits []petri.Marking) {
	var could []string
	for _, m := range at {
		to := []petri.Marking{m}
		for _, name := range names {
			var next []petri.Marking
			for _, o := range to {
				next = append(next, p.after(o, name)...)
			}
			to = next
		}
		for _, o := range to {
			want := p.effects(m, o)
			if said := saidEffects(effects); slices.Equal(want, said) {
				fits = append(fits, o)
			} else {
				could = append(could, fmt.Sprintf("%q, not %q", want, said))
			}
		}
	}
	if len(fits) == 0 {
		s.fail("%v can't change that: %s", names, strings.Join(could, " or "))
	}
	return fits
}

// saidEffects returns the changes that are written, in the words of places.
func saidEffects(effects []string) (list []string) {
	for _, e := range effects {
		name, change, _ := strings.Cut(e, ":")
		change = strings.TrimSpace(change)
		if strings.HasSuffix(change, "as before") {
			continue
		}
		for _, state := range []string{"owed", "in force", "given", "held"} {
			change = strings.ReplaceAll(change, "not yet "+state, "dormant")
		}
		if now, ok := strings.CutPrefix(change, "now "); ok {
			change = " → " + now
		}
		if was, ok := strings.CutPrefix(change, "no longer "); ok {
			change = was + " → "
		}
		before, after, _ := strings.Cut(change, " → ")
		if before != after {
			list = append(list, name+": "+sortedWords(before)+" → "+sortedWords(after))
		}
	}
	slices.Sort(list)
	return list
}

func sortedWords(list string) string {
	all := strings.Split(list, ", ")
	slices.Sort(all)
	return strings.Join(all, ", ")
}
