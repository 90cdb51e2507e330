package mutants

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/internal/draws"
)

// A build is the tests of some packages, built once with every change in them.
type build struct {
	dir      string // where active and seen are
	binaries map[string]string
	draws    map[string]bool // packages whose tests draw at random
}

// A test may use ten times the processor time that it uses without a change, and at least this much: a change that makes it run for ever is found,
// too, however busy the machine is. A test that only waits is given up after the last of these.
const least, most, asleep = 10 * time.Second, 3 * time.Minute, 15 * time.Minute

// newBuild builds the tests of packages, with other text in some files, all named from the repository's top.
func newBuild(t *testing.T, dir string, changed map[string][]byte, packages []string) *build {
	t.Helper()
	b := &build{dir: dir, binaries: map[string]string{}, draws: map[string]bool{}}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	top, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, text []byte) {
		at := filepath.Join(dir, strings.ReplaceAll(name, "/", "__"))
		if err := os.WriteFile(at, text, 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(top, filepath.FromSlash(name))] = at
	}
	var set []string
	for name, text := range changed {
		put(name, text)
		pkg := path.Base(path.Dir(name))
		if path.Dir(name) == "cmd/redline" {
			pkg = "main"
		}
		put(path.Dir(name)+"/mutant_switch.go", switchSource(pkg))
		set = append(set, "-X=github.com/redlinehq/redline/"+path.Dir(name)+".mutantDir="+dir)
		if pkg == "main" {
			set = append(set, "-X=main.mutantDir="+dir)
		}
	}
	slices.Sort(set)
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pkg := range packages {
		b.binaries[pkg] = filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "_")+".test")
		cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"), "-ldflags", strings.Join(slices.Compact(set), " "), "-o", b.binaries[pkg], pkg)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", pkg, err, out)
		}
		usage, _ := exec.CommandContext(t.Context(), b.binaries[pkg], "-h").CombinedOutput()
		b.draws[pkg] = bytes.Contains(usage, []byte("-rapid.seed"))
	}
	return b
}

// passes runs tests of a package with a change on, or with 0 none, within some processor time. It returns what they print, and the time used.
func (b *build) passes(t *testing.T, pkg, tests string, number int, limit time.Duration) (bool, string, time.Duration) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, active), []byte(strconv.Itoa(number)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), asleep)
	defer cancel()
	args := []string{"-c", `ulimit -t "$0"; exec "$@"`, strconv.Itoa(int(limit.Seconds())), b.binaries[pkg], "-test.run", tests, "-test.failfast", "-test.v"}
	if b.draws[pkg] { // the same draws each time, no file of those that fail, nor the least of them
		args = append(args, "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=1ns")
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir = filepath.Join("../../..", filepath.FromSlash(pkg))
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REDLINE_HEAVY=") })
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return err == nil, string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func bypasses(t *testing.T) []bypass {
	t.Helper()
	all, err := readBypasses(read(t, "testdata/bypasses.txtar"), 1)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// planted returns the files with every bypass in them.
func planted(t *testing.T, all []bypass) map[string][]byte {
	t.Helper()
	of := map[string][]bypass{}
	for _, b := range all {
		of[b.file] = append(of[b.file], b)
	}
	changed := map[string][]byte{}
	for name, list := range of {
		text, err := plant(string(read(t, "../../../"+name)), list)
		if err != nil {
			t.Error(err)
		}
		changed[name] = []byte(text)
	}
	return changed
}

// TestBypassesApply: every bypass that is listed can still be planted, none is listed twice, and twenty are for the random amendments of the gate
// alone to find.
func TestBypassesApply(t *testing.T) {
	all, drawn := bypasses(t), 0
	planted(t, all)
	change := map[[3]string]string{}
	for _, b := range all {
		if other := change[[3]string{b.file, b.old, b.new}]; other != "" {
			t.Errorf("bypasses %s and %s are the same", other, b.name)
		}
		change[[3]string{b.file, b.old, b.new}] = b.name
		if slices.Equal(b.tests, []string{"./engine/compare TestNothingGetsPastTheGate"}) {
			drawn++
		}
	}
	if drawn < 20 {
		t.Errorf("only %d bypasses are for random amendments to find", drawn)
	}
}

// TestBypassesAreFound: every bypass makes one of its tests fail, which pass without it. With REDLINE_HEAVY; it builds the tests of four packages.
func TestBypassesAreFound(t *testing.T) {
	if !draws.All() {
		t.Skip("REDLINE_HEAVY is not set")
	}
	all := bypasses(t)
	changed := planted(t, all)
	if t.Failed() {
		t.FailNow()
	}
	var packages []string
	tests := map[string]bool{}
	for _, b := range all {
		for _, one := range b.tests {
			tests[one] = true
			pkg, _, _ := strings.Cut(one, " ")
			packages = append(packages, pkg)
		}
	}
	slices.Sort(packages)
	built := newBuild(t, t.TempDir(), changed, slices.Compact(packages))
	for one := range tests {
		pkg, pattern, _ := strings.Cut(one, " ")
		if ok, out, _ := built.passes(t, pkg, pattern, 0, most); !ok || !strings.Contains(out, "--- PASS") {
			t.Fatalf("without a bypass, %s does not pass:\n%s", one, out)
		}
	}
	for _, b := range all {
		found := slices.ContainsFunc(b.tests, func(one string) bool {
			pkg, pattern, _ := strings.Cut(one, " ")
			ok, _, _ := built.passes(t, pkg, pattern, b.number, most)
			return !ok
		})
		if !found {
			t.Errorf("bypass %s: %s does not find it", b.name, strings.Join(b.tests, ", "))
		}
	}
}

// A suite is the tests of a package that are asked: those of a pattern, but for those of another.
type suite struct{ pkg, run, skip string }

// slow are tests of package compare that take seconds. What only they find has no test that says which rule it breaks.
const slow = "^(TestWaiversNameWays|TestNewWaysByTheirDefinition|TestReviewOfRestsAgainstNaive)$"

// slower are those and others that take a second.
const slower = "^(TestWaiversNameWays|TestNewWaysByTheirDefinition|TestReviewOfRestsAgainstNaive|TestAcceptedApart|TestNotRelieved|TestRelievedMoreEasily|TestNoOccurrenceGetsPastTheGate|TestLimitsInEveryPhase|TestNoNormGetsPastTheGate|TestRestsOfBothVersions|TestNothingGetsPastTheGate|TestNoDateGetsPastTheGate|TestEachLossIsSaidOnce)$"

// laws are tests of package behaviour that take a second or more, but for the one of turns.
const laws = "^(TestExposureLaw|TestOwedAgainstNaive|TestDeadlinesAgainstNaive|TestForeseenAgainstNaive|TestSaidOfNormsIsTrue|TestUnseenAgainstNaive|TestTicksAgainstListed|TestBehaviourAgainstNaive|TestAlikeViews|TestSuspensionAgainstNaive|TestSequencesReplay|TestContact|TestAssignmentAgainstNaive|TestExtensionAgainstNaive|TestLaterLaw|TestUntimedAgainstNaive)$"

// mutated are the files of which every mutant has to be found, each with the tests to ask. Those that come by a mutant are asked, the quick ones first. Not among them is
// engine/compare/renamed.go: of what it says of texts in between, only causes are looked for.
var mutated = []struct {
	files  []string
	suites []suite
}{
	{[]string{"engine/finding/gate.go", "engine/finding/acceptance.go", "engine/finding/waiver.go", "engine/finding/review.go", "engine/compare/accepting.go", "engine/compare/withdrawn.go", "engine/compare/waived.go", "engine/compile/run.go"}, []suite{
		{"./engine/finding", ".", "^$"}, {"./engine/compile", ".", "^$"}, {"./engine/verify", "^(TestFingerprint|TestWaiver.*)$", "^$"}, {"./engine", "^(TestUnreadFileIsAChange)$", "^$"},
		{"./engine/compare", ".", slow},
	}},
	{[]string{"engine/compare/sorting.go", "engine/compare/acted.go", "engine/compare/timing.go", "engine/compare/rests_compare.go", "engine/compare/leaning.go", "engine/compare/checks.go", "engine/compare/checks_ways.go", "engine/compare/ways_named.go", "engine/compare/ways.go", "engine/compare/declared.go", "engine/compare/relieved.go", "engine/compare/entails.go", "engine/ways/claim.go", "engine/ways/fresh.go", "engine/ways/named.go", "engine/ways/pairs.go", "engine/ways/endless.go", "engine/ways/least.go", "engine/ways/ways.go"}, []suite{
		{"./engine/ways", ".", "^$"}, {"./engine/compare", ".", slow}}},
	{[]string{"engine/compare/norms.go", "engine/compare/checks_occurrences.go", "engine/compare/compare.go", "engine/compare/changes.go", "engine/compare/retrace.go"}, []suite{
		{"./engine/compare", ".", slower}}},
	{[]string{"engine/compare/paths.go", "engine/heirs.go", "engine/within.go"}, []suite{
		{"./engine", "^(TestWithin|TestHeirs|TestPartNames|TestStays|TestSwappedPlaces)$", "^$"}, {"./engine/compare", "^TestGateOf.*$", "^$"}}},
	{[]string{"engine/finding/difference.go"}, []suite{{"./engine/finding", ".", "^$"}}},
	{[]string{"engine/behaviour/turns.go", "engine/behaviour/owed.go", "engine/behaviour/ends.go", "engine/behaviour/fate.go"}, []suite{
		{"./engine/behaviour", ".", laws}}},
	{[]string{"engine/behaviour/outlook.go"}, []suite{
		{"./engine/behaviour", "^TestForeseen.*$", "^$"}, {"./engine/compare", "^(TestForeseen|TestNeedsOthersWhereItDidNot)$", "^$"}}},
	{[]string{"engine/behaviour/late.go"}, []suite{{"./engine/behaviour", "^(TestPerformed.*|TestReparations|TestExposure.*|TestOwnPerformanceIsNotWeighed)$", "^$"}}},
	{[]string{"engine/product/losses.go"}, []suite{{"./engine/product", "^(TestLost.*|TestGivenUp|TestTicksOfWhichIdlenessIsNotKnown)$", "^$"}, {"./engine/compare", "^(TestForeseen|TestNeedsOthersWhereItDidNot)$", "^$"}}},
	{[]string{"report/review/approval.go", "report/review/approvals.go", "report/codeowners/codeowners.go"}, []suite{
		{"./report/review", "^(TestApproval.*|TestOwners.*)$", "^$"}, {"./report/codeowners", ".", "^$"}}},
	{[]string{"engine/petri/compose.go", "engine/petri/fire.go", "engine/petri/moves.go", "engine/petri/net.go", "engine/petri/plain.go", "engine/petri/sane.go"}, []suite{
		{"./engine/petri", ".", "^$"}}},
	{[]string{"engine/ctl/sat.go", "engine/ctl/fair.go", "engine/ctl/explain.go", "engine/ctl/witness.go", "engine/ctl/lasso.go", "engine/ctl/vacuity.go", "engine/ctl/vacuity_pattern.go"}, []suite{
		{"./engine/ctl", ".", "^$"}}},
	{[]string{"cmd/redline/action/action.go", "cmd/redline/action/approve.go", "cmd/redline/action/find.go", "cmd/redline/action/shard.go"}, []suite{
		{"./cmd/redline/action", ".", "^$"}, {"./cmd/redline", "^TestAct.*$", "^$"}}},
}

// TestMutants: every mutant of the code that sorts findings, accepts and gates makes a test fail, or is listed in testdata/survivors.txt with the reason
// why it changes nothing. REDLINE_MUTANTS asks for it: "all", or parts of file names or of mutants' texts, separated by commas.
func TestMutants(t *testing.T) {
	asked := os.Getenv("REDLINE_MUTANTS")
	if asked == "" {
		t.Skip("REDLINE_MUTANTS is not set")
	}
	wanted := func(key string) bool {
		return asked == "all" || slices.ContainsFunc(strings.Split(asked, ","), func(part string) bool { return strings.Contains(key, part) })
	}
	listed := map[string]string{} // why, by key
	for line := range strings.Lines(string(read(t, "testdata/survivors.txt"))) {
		if key, why, ok := strings.Cut(strings.TrimSpace(line), " # "); ok && wanted(key) {
			listed[key] = why
		}
	}
	for _, group := range mutated {
		var all []mutant
		changed, next := map[string][]byte{}, 1
		for _, name := range group.files {
			text, list, err := mutate(name, read(t, "../../../"+name), next)
			if err != nil {
				t.Fatal(err)
			}
			changed[name], next, all = text, next+len(list), append(all, list...)
		}
		all = slices.DeleteFunc(all, func(m mutant) bool { return !wanted(m.key) })
		if len(all) == 0 {
			continue
		}
		var packages []string
		for _, s := range group.suites {
			packages = append(packages, s.pkg)
		}
		built := newBuild(t, t.TempDir(), changed, packages)
		probes := built.probes(t, group.suites)
		for _, m := range all {
			by := built.found(t, probes, m.number)
			switch why := listed[m.key]; {
			case by != "" && why != "":
				t.Errorf("listed as changing nothing, and %s finds it: %s", by, m.key)
			case by == "" && why == "":
				t.Errorf("not found: %s", m.key)
			}
			delete(listed, m.key)
		}
		t.Logf("%s ...: %d mutants", group.files[0], len(all))
	}
	for key := range listed {
		t.Errorf("listed, and there is no such mutant: %s", key)
	}
}

// A probe is a test without any change: its processor time, and the changes that it comes by.
type probe struct {
	pkg, test string
	cost      time.Duration
	reached   map[int]bool
}

// probes runs every test of some suites once, and returns the quick ones first.
func (b *build) probes(t *testing.T, suites []suite) []probe {
	t.Helper()
	var all []probe
	for _, s := range suites {
		list, err := exec.CommandContext(t.Context(), b.binaries[s.pkg], "-test.list", s.run).Output()
		if err != nil {
			t.Fatal(err)
		}
		skip := regexp.MustCompile(s.skip)
		for name := range strings.FieldsSeq(string(list)) {
			if !skip.MatchString(name) && !strings.HasPrefix(name, "Benchmark") {
				all = append(all, b.probe(t, s.pkg, name))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b probe) int { return cmp.Compare(a.cost, b.cost) })
	return all
}

func (b *build) probe(t *testing.T, pkg, test string) probe {
	t.Helper()
	seen := filepath.Join(b.dir, seen)
	if err := os.WriteFile(seen, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ok, out, cost := b.passes(t, pkg, "^"+test+"$", 0, most)
	if !ok {
		t.Fatalf("without a mutant, %s of %s does not pass:\n%s", test, pkg, out)
	}
	one := probe{pkg, test, cost, map[int]bool{}}
	for _, line := range bytes.Fields(read(t, seen)) {
		n, err := strconv.Atoi(string(line))
		if err != nil {
			t.Fatal(err)
		}
		one.reached[n] = true
	}
	if err := os.Remove(seen); err != nil {
		t.Fatal(err)
	}
	return one
}

// found returns a test that fails with a change, or "" if there is none. Quick tests of a package run in one process.
func (b *build) found(t *testing.T, probes []probe, number int) string {
	t.Helper()
	const quick = 300 * time.Millisecond
	together := map[string][]string{}
	for _, p := range probes {
		if p.reached[number] && p.cost <= quick {
			together[p.pkg] = append(together[p.pkg], p.test)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(together)) {
		if ok, _, _ := b.passes(t, pkg, "^("+strings.Join(together[pkg], "|")+")$", number, least); !ok {
			return "a test of " + pkg
		}
	}
	for _, p := range probes {
		if p.reached[number] && p.cost > quick {
			if ok, _, _ := b.passes(t, p.pkg, "^"+p.test+"$", number, min(max(10*p.cost, least), most)); !ok {
				return p.test + " of " + p.pkg
			}
		}
	}
	return ""
}
