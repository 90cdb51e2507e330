package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/internal/draws"
)

// A build is the tests of some packages, built once with every change in them.
type build struct {
	dir      string // where Active and Seen are
	binaries map[string]string
	most     map[string]time.Duration // how long tests may take
}

// Tests that are to find a change may take ten times as long as they do without it, these limits aside: a change that makes them run for ever is found, too.
const least, most = time.Minute, 3 * time.Minute

// newBuild builds the tests of packages, with other text in some files, all named from the repository's top.
func newBuild(t *testing.T, dir string, changed map[string][]byte, packages []string) *build {
	t.Helper()
	b := &build{dir: dir, binaries: map[string]string{}, most: map[string]time.Duration{}}
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
		put(path.Dir(name)+"/mutant_switch.go", Switch(pkg))
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
	}
	return b
}

// passes runs tests of a package with a change on, or with 0 none, and returns what they print.
func (b *build) passes(t *testing.T, pkg, tests string, number int) (bool, string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, Active), []byte(strconv.Itoa(number)), 0o600); err != nil {
		t.Fatal(err)
	}
	limit, known := b.most[pkg+" "+tests]
	if !known {
		limit = most
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	start := time.Now()
	args := []string{"-test.run", tests, "-test.failfast", "-test.v"}
	if slices.Contains([]string{"./engine", "./engine/compare", "./engine/verify", "./engine/petri", "./engine/ctl"}, pkg) { // the same draws each time, no file of those that fail, nor the least of them
		args = append(args, "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=1ns")
	}
	cmd := exec.CommandContext(ctx, b.binaries[pkg], args...)
	cmd.Dir = filepath.Join("../../..", filepath.FromSlash(pkg))
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REDLINE_HEAVY=") })
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if number == 0 {
		b.most[pkg+" "+tests] = min(max(10*time.Since(start), least), most)
	}
	return err == nil, string(out)
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func bypasses(t *testing.T) []Bypass {
	t.Helper()
	all, err := ReadBypasses(read(t, "testdata/bypasses.txtar"), 1)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// planted returns the files with every bypass in them.
func planted(t *testing.T, all []Bypass) map[string][]byte {
	t.Helper()
	of := map[string][]Bypass{}
	for _, b := range all {
		of[b.File] = append(of[b.File], b)
	}
	changed := map[string][]byte{}
	for name, list := range of {
		text, err := Plant(string(read(t, "../../../"+name)), list)
		if err != nil {
			t.Error(err)
		}
		changed[name] = []byte(text)
	}
	return changed
}

// TestBypassesApply: every bypass that is listed can still be planted.
func TestBypassesApply(t *testing.T) {
	all := bypasses(t)
	if planted(t, all); len(all) < 20 {
		t.Errorf("only %d bypasses", len(all))
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
		for _, one := range b.Tests {
			tests[one] = true
			pkg, _, _ := strings.Cut(one, " ")
			packages = append(packages, pkg)
		}
	}
	slices.Sort(packages)
	built := newBuild(t, t.TempDir(), changed, slices.Compact(packages))
	for one := range tests {
		pkg, pattern, _ := strings.Cut(one, " ")
		if ok, out := built.passes(t, pkg, pattern, 0); !ok || !strings.Contains(out, "--- PASS") {
			t.Fatalf("without a bypass, %s does not pass:\n%s", one, out)
		}
	}
	for _, b := range all {
		found := slices.ContainsFunc(b.Tests, func(one string) bool {
			pkg, pattern, _ := strings.Cut(one, " ")
			ok, _ := built.passes(t, pkg, pattern, b.Number)
			return !ok
		})
		if !found {
			t.Errorf("bypass %s: %s does not find it", b.Name, strings.Join(b.Tests, ", "))
		}
	}
}

// mutated are the files of which every mutant has to be found, each with the tests to ask, the quick ones first.
var mutated = []struct {
	files []string
	tests []string
}{
	{[]string{"engine/finding/gate.go", "engine/finding/acceptance.go", "engine/compare/accepting.go", "engine/compare/withdrawn.go", "engine/finding/waiver.go", "engine/compile/run.go", "engine/compile/run.go", "engine/compare/waived.go"}, []string{
		"./engine ^(TestUnreadFileIsAChange)$", "./engine/compare ^(TestGate.*|TestSecondWayIsNotWaived|TestWaiver.*)$", "./engine/verify ^(TestFingerprint|TestWaiver.*)$",
		"./engine/compare ^(TestEveryWayIsWaived|TestFindingsUnderNewNames|TestNothingGetsPastTheGate|TestPromiseUnderTwoNewNames|TestRenamedAndBroken)$",
	}},
	{[]string{"engine/compare/sorting.go", "engine/compare/checks.go", "engine/compare/ways.go", "engine/ways/claim.go", "engine/ways/fresh.go", "engine/ways/named.go", "engine/ways/pairs.go", "engine/ways/endless.go"}, []string{
		"./engine/compare ^(TestCompletionIsOnePromise|TestEveryWayIsWaived|TestGate.*|TestNewWayIsBlamed|TestNewWays|TestSecondWayIsNotWaived|TestUnknownWaysDoNotPass)$",
		"./engine/compare ^(TestFindingsUnderNewNames|TestNothingGetsPastTheGate|TestPromiseUnderTwoNewNames|TestRenamedAndBroken)$",
		"./engine/compare ^(TestNewWaysByTheirDefinition)$",
	}},
	{[]string{"report/review/approval.go", "report/review/approvals.go", "report/codeowners/codeowners.go"}, []string{
		"./report/review ^(TestApproval|TestOwners|TestApprovals)$", "./report/codeowners .*"}},
	{[]string{"engine/petri/compose.go", "engine/petri/fire.go", "engine/petri/moves.go", "engine/petri/net.go", "engine/petri/plain.go", "engine/petri/sane.go"}, []string{
		"./engine/petri .*"}},
	{[]string{"engine/ctl/sat.go", "engine/ctl/fair.go", "engine/ctl/explain.go", "engine/ctl/witness.go", "engine/ctl/lasso.go", "engine/ctl/vacuity.go", "engine/ctl/vacuity_pattern.go"}, []string{
		"./engine/ctl ^Test(Vacuous|Explain.*|DeadEnd|Figure10|Shared.*|Cancel.*|Fair.*)$",
		"./engine/ctl ^Test(Conjunctions.*|VacuousAgrees.*|Evidence.*|Sat.*|EveryOperator.*|Dualities|Any.*|Remarks.*|Long.*|Limit.*)$"}},
}

// TestMutants: every mutant of the code that sorts findings, accepts and gates makes a test fail, or is listed in testdata/survivors.txt with the reason
// why it changes nothing, or as open. REDLINE_MUTANTS asks for it: "all", or parts of file names or of mutants' texts, separated by commas.
func TestMutants(t *testing.T) {
	asked := os.Getenv("REDLINE_MUTANTS")
	if asked == "" {
		t.Skip("REDLINE_MUTANTS is not set")
	}
	listed := map[string]string{} // why, by key
	for line := range strings.Lines(string(read(t, "testdata/survivors.txt"))) {
		if key, why, ok := strings.Cut(strings.TrimSpace(line), " # "); ok {
			listed[key] = why
		}
	}
	wanted := func(m Mutant) bool {
		return asked == "all" || slices.ContainsFunc(strings.Split(asked, ","), func(part string) bool { return strings.Contains(m.Key, part) })
	}
	for _, group := range mutated {
		var all []Mutant
		changed, next, packages := map[string][]byte{}, 1, []string{}
		for _, name := range group.files {
			text, list, err := Mutate(name, read(t, "../../../"+name), next)
			if err != nil {
				t.Fatal(err)
			}
			changed[name], next, all = text, next+len(list), append(all, list...)
		}
		all = slices.DeleteFunc(all, func(m Mutant) bool { return !wanted(m) })
		if len(all) == 0 {
			continue
		}
		for _, one := range group.tests {
			pkg, _, _ := strings.Cut(one, " ")
			packages = append(packages, pkg)
		}
		slices.Sort(packages)
		built := newBuild(t, t.TempDir(), changed, slices.Compact(packages))
		reached := map[string]map[int]bool{}
		for _, one := range group.tests {
			reached[one] = built.reached(t, one)
		}
		found := 0
		for _, m := range all {
			by := slices.IndexFunc(group.tests, func(one string) bool {
				pkg, pattern, _ := strings.Cut(one, " ")
				if !reached[one][m.Number] {
					return false
				}
				ok, _ := built.passes(t, pkg, pattern, m.Number)
				return !ok
			})
			switch {
			case by >= 0 && listed[m.Key] == "open":
				t.Logf("listed as open, and found: %s", m.Key)
			case by >= 0 && listed[m.Key] != "":
				t.Errorf("listed as changing nothing, and found: %s", m.Key)
			case by < 0 && listed[m.Key] == "":
				t.Errorf("not found: %s", m.Key)
			case by >= 0:
				found++
			}
		}
		t.Logf("%s ...: %d mutants, %d found", group.files[0], len(all), found)
	}
}

// reached lists the changes that tests come by.
func (b *build) reached(t *testing.T, one string) map[int]bool {
	t.Helper()
	seen := filepath.Join(b.dir, Seen)
	if err := os.WriteFile(seen, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pkg, pattern, _ := strings.Cut(one, " ")
	if ok, out := b.passes(t, pkg, pattern, 0); !ok {
		t.Fatalf("without a mutant, %s does not pass:\n%s", one, out)
	}
	numbers := map[int]bool{}
	for _, line := range bytes.Fields(read(t, seen)) {
		var n int
		if _, err := fmt.Sscan(string(line), &n); err != nil {
			t.Fatal(err)
		}
		numbers[n] = true
	}
	if err := os.Remove(seen); err != nil {
		t.Fatal(err)
	}
	return numbers
}
