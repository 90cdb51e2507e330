package compare_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// renting writes a rent that is owed so many times or so often at once, a promise about it, and what else there is.
func renting(how, promise, more string) string {
	return fmt.Sprintf(`contract "c" {}
party "tenant" {}
party "landlord" {}
event "start" { by = tenant }
event "pay" { by = tenant }
event "other" { by = tenant }
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  when         = start
  fulfil       = pay
  within       = "2 months"
  %s
}
%s
requirement "r" { ctl = %q }
`, how, more, promise)
}

// TestGateOfOccurrences: a promise about every occurrence of a norm, or some, is kept as it is written where the norm has fewer or more of
// them. It is given up if it names one that is gone, if head breaks it, or if a norm is new, which may stand in for those that are gone.
func TestGateOfOccurrences(t *testing.T) {
	const another = `obligation "last" {
  bearer       = tenant
  counterparty = landlord
  when         = start
  fulfil       = other
  within       = "2 months"
}
`
	times := func(n int) string { return fmt.Sprintf("times = %d\n  every = \"3 months\"", n) }
	atMost := func(n int) string { return fmt.Sprintf("at_most = %d", n) }
	for _, c := range []struct {
		was, now, promise, more string
		want                    finding.ExitStatus
	}{
		{times(3), times(2), "AG !((some i in rent: i.owed) && (some i in rent: i.owed && i.breached))", "", finding.Clean},
		{times(3), times(2), "all i in rent: AG (i.breached -> !i.owed)", "", finding.Clean},
		{times(3), times(2), "all i in rent: EF i.breached", "", finding.Clean},
		{times(2), times(3), "EF (some i in rent: i.breached)", "", finding.Clean},
		{atMost(2), atMost(1), "AG ((some i in rent: i.breached) -> (all i in rent: !i.owed || !i.breached))", "", finding.Clean},
		{times(3), times(2), "EF rent[3].breached", "", finding.Violations},
		{times(3), times(2), "all i in rent: EF (rent[3].breached || i.breached)", "", finding.Violations},
		{times(3), times(2), "all i in rent: EF i.breached", another, finding.Violations},
		{times(3), times(2), "EF (some i in rent: i.breached)", another, finding.Clean},
		{times(2), times(3), "all i in rent: EF i.breached", another, finding.Clean},
	} {
		now := strings.ReplaceAll(c.promise, "rent[3]", "rent[2]") // what is gone can't be named
		if got := amend(t, renting(c.was, c.promise, ""), renting(c.now, now, c.more), "").Gate(finding.FailNew); got != c.want {
			t.Errorf("%s, now %s, with %q: %s: exit status %d, want %d", c.was, c.now, c.more, c.promise, got, c.want)
		}
	}
}

// holding writes a rent that is owed so many times, of which some may not be paid while they are owed.
func holding(times int, which ...int) string {
	text := ""
	for _, i := range which {
		from := "start"
		if i > 1 {
			from = fmt.Sprintf("[rent[%d].fulfilled, rent[%[1]d].breached]", i-1)
		}
		text += fmt.Sprintf("prohibition \"hold-%d\" {\n  bearer = tenant\n  of = pay\n  from = %s\n  until = [rent[%[1]d].fulfilled, rent[%[1]d].breached]\n}\n", i, from)
	}
	return renting(fmt.Sprintf("times = %d\n  every = \"3 months\"", times), "EF rent[1].fulfilled", text)
}

// always forbids to pay, whichever rent.
const always = "prohibition \"hold\" {\n  bearer = tenant\n  of = pay\n}\n"

// TestGateOfChecksOfOccurrences: a check of a norm that recurs is sorted by its occurrences, of which a version reports the first that fails alone. What is
// to blame for another one brings that about, and not the first.
func TestGateOfChecksOfOccurrences(t *testing.T) {
	for _, c := range []struct {
		name, base, head string
		want             string
	}{
		{"as before", holding(3, 1), holding(3, 1) + "net \"n\" {}\n", "standing [1]"},
		{"one more", holding(3, 1), holding(3, 1, 3), "standing [1], new [3]"},
		{"two more, of which one is told", holding(4, 1), holding(4, 1, 3, 4), "standing [1], new [3]"},
		{"one less", holding(3, 1, 3), holding(3, 3), "standing [3], repaired [1]"},
		{"another", holding(3, 1), holding(3, 3), "new [3], repaired [1]"},
		{"the last, of which there are more", holding(2, 1), holding(3, 1, 3), "standing [1], new [3]"},
		{"all, of which there are more", holding(2) + always, holding(3) + always, "standing [1]"},
		{"the first alone accepted", holding(3), holding(3, 1, 3) + accepting("obliged-and-forbidden", "obligation.rent[1]", "", "why"), "new [3]"},
		{"accepted", holding(3, 1), holding(3, 1, 3) + accepting("obliged-and-forbidden", "obligation.rent[3]", "", "why"), "standing [1]"},
	} {
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			want := c.want
			if engine == finding.Symbolic { // there no ways are compared
				want = strings.ReplaceAll(want, "standing", "undecided")
			}
			var got []string
			for _, f := range blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: engine}).Findings {
				if f.Name == "obliged-and-forbidden" {
					got = append(got, f.Kind.String()+" "+strings.TrimPrefix(f.Check.Subject, "obligation.rent"))
					if of := regexp.MustCompile(`hold-\d`).FindAllString(fmt.Sprintf("%+v", f.Blame), -1); f.Kind == finding.New && fmt.Sprint(of) != "[hold-3]" {
						t.Errorf("%s, %s: %v to blame", c.name, engine, of)
					}
				}
			}
			if s := strings.Join(got, ", "); s != want {
				t.Errorf("%s, %s: %s, want %s", c.name, engine, s, want)
			}
		}
	}
}

// TestWhatOccurrencesAreComparedWith: an occurrence is compared with base's of the same norm, if base fails it unaccepted.
// What base failed is repaired only if no occurrence of it fails.
func TestWhatOccurrencesAreComparedWith(t *testing.T) {
	fee := func(text string, which ...int) string { // a second norm that recurs
		text += "obligation \"fee\" {\n  bearer = tenant\n  when = start\n  fulfil = other\n  within = \"2 months\"\n  times = 2\n  every = \"3 months\"\n}\n"
		for _, i := range which {
			text += fmt.Sprintf("prohibition \"silence-%d\" {\n  bearer = tenant\n  of = other\n  from = %s\n  until = [fee[%[1]d].fulfilled, fee[%[1]d].breached]\n}\n", i, []string{1: "start", 2: "[fee[1].fulfilled, fee[1].breached]"}[i])
		}
		return text
	}
	once := strings.NewReplacer("rent[1]", "rent").Replace(renting("", "EF rent.fulfilled", "prohibition \"hold-1\" {\n  bearer = tenant\n  of = pay\n  from = start\n  until = [rent.fulfilled, rent.breached]\n}\n"))
	third := accepting("obliged-and-forbidden", "obligation.rent[3]", "", "why")
	either := strings.Replace(holding(2, 1), "from = start", "from = other", 1) // start, other; or other, start
	run := ""
	for _, d := range verify.Check(t.Context(), testkit.DraftOf(t, either), finding.Budget{Jobs: 1}).Diagnostics {
		if d.Code == "obliged-and-forbidden" {
			run = d.Run
		}
	}
	for _, c := range []struct{ name, base, head, want string }{
		{"with nothing", "", holding(3, 1, 3), "new rent[1]"},
		{"with nothing, since the norm did not recur", once, holding(2, 1), "new rent[1]"},
		{"an earlier one fails, too", holding(3, 3), holding(3, 1, 3), "new rent[1]"},
		{"another run than the one that is accepted", holding(2), either + accepting("obliged-and-forbidden", "obligation.rent[1]", run, "why"), "new rent[2], new rent[1]"},
		{"a norm that recurs no more", holding(2, 1), once, "standing rent"},
		{"each norm with its own", fee(holding(3, 1), 1), fee(holding(3, 1, 3), 1), "standing rent[1], new rent[3], standing fee[1]"},
		{"each norm with its own, and the other fails", fee(holding(3, 1), 1), fee(holding(3, 1), 1, 2), "standing rent[1], standing fee[1], new fee[2]"},
		{"what was accepted", holding(3, 1, 3) + third, holding(3, 1, 3), "standing rent[1], new rent[3]"},
	} {
		var got []string
		for _, f := range reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1}).Findings {
			if f.Name == "obliged-and-forbidden" {
				got = append(got, f.Kind.String()+" "+strings.TrimPrefix(f.Check.Subject, "obligation."))
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// TestAcceptOfBaseIsOfItsNorms: an accept of base that names no norm does not cover a new one that fails after the same steps as one that base has.
func TestAcceptOfBaseIsOfItsNorms(t *testing.T) {
	base := always + holding(1) + accepting("obliged-and-forbidden", "", "", "why")
	for more, want := range map[string]string{"net \"n\" {}\n": "by-base 0, by-base 0, by-base 0", strings.Replace(renting("", "", ""), "rent", "fee", 1): "pending 1, pending 1, by-amendment 0"} {
		if more = more[max(0, strings.Index(more, "obligation")):]; strings.Contains(more, "requirement") {
			more = more[:strings.Index(more, "requirement")]
		}
		if got := accepted(t, amend(t, base, base+more, ""), finding.AcceptancePolicy{}); got != want {
			t.Errorf("with %s: %s, want %s", more, got, want)
		}
	}
}

// TestWayOfAnOccurrenceIsShown: where an occurrence that failed on base fails in a new way, head's check shows that one, which is the finding.
func TestWayOfAnOccurrenceIsShown(t *testing.T) {
	late := strings.Replace(holding(2, 1), "from = start", "from = other", 1) + "event \"first\" { by = tenant }\nevent \"second\" {\n  by = tenant\n  only_while = happened(first)\n}\n"
	later := strings.NewReplacer("hold", "hold-2", "of = pay", "of = pay\n  from = second").Replace(always)
	c := reviewOf(t, late, late+later, finding.Budget{Jobs: 1})
	for _, f := range c.Findings {
		if f.Name == "obliged-and-forbidden" && (f.Kind != finding.New || !slices.ContainsFunc(c.Head.Diagnostics, func(d finding.Diagnostic) bool {
			return d.Code == f.Check.Code && d.Subject == f.Check.Subject && d.Run == f.Check.Run
		})) {
			t.Errorf("%s %s, %+v", f.Kind, f.Check.Run, c.Head.Diagnostics)
		}
	}
}

// TestOccurrencesThatAreLeftOut: an accept of one occurrence leaves out the next that fails, on listed states and on diagrams, in a check; and in a review of which
// one version alone has its states listed.
func TestOccurrencesThatAreLeftOut(t *testing.T) {
	base, head := holding(1, 1), holding(3, 1, 3)
	for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
		got := ""
		for _, d := range verify.Check(t.Context(), testkit.DraftOf(t, head+accepting("obliged-and-forbidden", "obligation.rent[1]", "", "why")), finding.Budget{Jobs: 1, Engine: engine}).Diagnostics {
			if d.Code == "obliged-and-forbidden" {
				got += fmt.Sprintf("%s %q; ", d.Subject, d.Accepted)
			}
		}
		if want := `obligation.rent[3] ""; obligation.rent[1] "why"; `; got != want {
			t.Errorf("%s: %s, want %s", engine, got, want)
		}
	}
	most := int(verify.Check(t.Context(), testkit.DraftOf(t, base), finding.Budget{Jobs: 1}).Model.States.Int64())
	c, listed := compare.Compared(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, States: most})
	if listed == nil || c.Head.Model.Engine != string(finding.Symbolic) {
		t.Fatalf("base listed: %t; head by %s", listed != nil, c.Head.Model.Engine)
	}
	if got, want := findingsOf(c), "undecided obliged-and-forbidden on obligation.rent[1]"; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	c, _ = compare.Compared(t.Context(), testkit.DraftOf(t, holding(1)), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, States: most})
	if got, want := findingsOf(c), "new obliged-and-forbidden on obligation.rent[1]"; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestAcceptOfBaseIsOfItsOccurrences: an accept of base covers the occurrences of a norm that failed there, however it names them. What fails for another one has
// to be accepted anew, and so does what the engine can't compare.
func TestAcceptOfBaseIsOfItsOccurrences(t *testing.T) {
	const byBase, grown = "by-base 0, by-base 0, by-base 0", "pending 1, pending 1, by-amendment 0"
	for _, on := range []string{"", "obligation.rent"} {
		accept := accepting("obliged-and-forbidden", on, "", "why")
		for _, c := range []struct {
			name          string
			base, head    string
			listed, drawn string
		}{
			{"as before", holding(3, 1) + accept, holding(3, 1) + accept + "net \"n\" {}\n", byBase, grown},
			{"one more", holding(3, 1) + accept, holding(3, 1, 3) + accept, grown, grown},
			{"of one that base lacks", holding(2, 1) + accept, holding(3, 1, 3) + accept, grown, grown},
			{"one more, of which all fail", holding(2) + always + accept, holding(3) + always + accept, byBase, grown},
			{"one less", holding(3, 1, 3) + accept, holding(3, 3) + accept, byBase, grown},
		} {
			for engine, want := range map[finding.Engine]string{finding.Explicit: c.listed, finding.Symbolic: c.drawn} {
				r := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: engine})
				if got := accepted(t, &finding.Review{Contracts: []finding.ContractReview{r}}, finding.AcceptancePolicy{}); got != want {
					t.Errorf("%s, accepted on %q, %s: %s, want %s", c.name, on, engine, got, want)
				}
			}
		}
	}
	first, third := accepting("obliged-and-forbidden", "obligation.rent[1]", "", "why"), accepting("obliged-and-forbidden", "obligation.rent[3]", "", "why")
	r := amend(t, holding(3, 1)+third, holding(3, 1, 3)+third, "")
	if got, want := accepted(t, r, finding.AcceptancePolicy{}), grown; got != want {
		t.Errorf("the third accepted, which failed nothing: %s, want %s", got, want)
	}
	r = amend(t, holding(3, 1, 3)+first+third, holding(3, 3)+first+third, "")
	if got, want := accepted(t, r, finding.AcceptancePolicy{}), byBase; got != want {
		t.Errorf("both accepted, which failed: %s, want %s", got, want)
	}
}

// TestNoOccurrenceGetsPastTheGate: whatever occurrences fail on base and on head, and whichever of them both accept, exit status 0 is given where each that fails on
// head failed on base, and only there. On diagrams those that fail on both are undecided, and have to be accepted anew.
func TestNoOccurrenceGetsPastTheGate(t *testing.T) {
	draws.SkipForRaces(t)
	most := 40
	if draws.All() {
		most = 500
	}
	tried := map[finding.ExitStatus]int{}
	for n := range most {
		r := rand.New(rand.NewPCG(26, uint64(n)))
		times, fails := [2]int{1 + r.IntN(3), 1 + r.IntN(3)}, [2][]int{}
		for side := range fails {
			for i := 1; i <= times[side]; i++ {
				if r.IntN(2) == 0 {
					fails[side] = append(fails[side], i)
				}
			}
		}
		if slices.Contains(fails[0], times[0]) && slices.ContainsFunc(fails[1], func(i int) bool { return i > times[0] }) {
			continue // one that base lacks is compared with base's last, by their runs
		}
		tail, accepts := "", func(int) bool { return false }
		switch only := 1 + r.IntN(min(times[0], times[1])); r.IntN(3) {
		case 0:
			tail, accepts = accepting("obliged-and-forbidden", "", "", "why"), func(int) bool { return true }
		case 1:
			tail, accepts = accepting("obliged-and-forbidden", fmt.Sprintf("obligation.rent[%d]", only), "", "why"), func(i int) bool { return i == only }
		}
		base, head := holding(times[0], fails[0]...)+tail, holding(times[1], fails[1]...)+tail+"net \"n\" {}\n"
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			want := finding.Clean
			for _, i := range fails[1] {
				switch stood := slices.Contains(fails[0], i); {
				case stood && engine == finding.Explicit:
				case stood && !accepts(i) && want != finding.Violations:
					want = finding.OutOfLimit
				default:
					want = finding.Violations
				}
			}
			c, _ := compare.Compared(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Engine: engine})
			if got := approvedBy(t, c, finding.AcceptBase, false); got != want {
				t.Errorf("%d, %s: of %d fail %v, then of %d %v; with %q exit status %d, want %d: %s", n, engine, times[0], fails[0], times[1], fails[1], tail, got, want, findingsOf(c))
			}
			tried[want]++
		}
	}
	for _, want := range []finding.ExitStatus{finding.Clean, finding.Violations, finding.OutOfLimit} {
		if tried[want]*12 < most {
			t.Errorf("of %d amendments, %d have the exit status %d", 2*most, tried[want], want)
		}
	}
}

// TestOccurrencesOfRemarks: of the occurrences that remarks on a promise name, those that base has are known, in head's names.
func TestOccurrencesOfRemarks(t *testing.T) {
	lease := func(duty, times, rest string) string {
		return "contract \"c\" {}\nparty \"landlord\" {}\nparty \"tenant\" {}\nobligation \"" + duty + "\" {\n  bearer = tenant\n  times = " + times + "\n  every = 2\n  within = 1\n}\n" +
			"obligation \"keys\" {\n  bearer = tenant\n  within = 1\n}\n" + rest
	}
	for _, c := range []struct {
		name, base, head string
		want             []string
	}{
		{"the same", lease("rent", "2", emptyPromise("rent", "1")), lease("rent", "2", emptyPromise("rent", "1")+"event \"more\" { by = tenant }\n"), []string{"rent[1]"}},
		{"one more", lease("rent", "2", emptyPromise("rent", "1")), lease("rent", "3", emptyPromise("rent", "3")), nil},
		{"none named", lease("rent", "2", ""), lease("rent", "2", "event \"more\" { by = tenant }\nrequirement \"r\" { ctl = \"AG true\" }\n"), nil},
		{"renamed", lease("rent", "2", emptyPromise("rent", "1")), lease("fee", "2", emptyPromise("fee", "1")), []string{"fee[1]"}},
	} {
		r := reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1})
		i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Name == "r" && !f.Old })
		if i < 0 || !slices.Equal(r.Findings[i].Recurring, c.want) {
			t.Errorf("%s: %+v", c.name, r.Findings)
		}
	}
}

// emptyPromise writes a promise on an occurrence that holds whatever that does.
func emptyPromise(duty, nth string) string {
	return "requirement \"r\" { ctl = \"AG (" + duty + "[" + nth + "].breached && false -> AF keys.fulfilled)\" }\n"
}
