package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// A safe is a repository whose log has the records of five commits, the last three signed by the key that replaced the first one, and somebody who may push.
type safe struct {
	repo
	rnd                 *rand.Rand
	alice, bob, mallory *record.Key
	keys                record.Keys
	checkpoint          string // a note of the log as it was, which bob has signed
	refs                string // all refs, as git update-ref takes them
	made                []Kept // in order of the log
}

func newSafe(t *testing.T, seed uint64) *safe {
	s := &safe{repo: newRepo(t), rnd: rand.New(rand.NewPCG(seed, 11)), alice: newKey(t), bob: newKey(t), mallory: newKey(t)}
	bounds := []string{" to=2", " until=2026-04-30"}[seed%2]
	s.keys = keysOf(t, s.alice.Line("alice")+bounds, s.bob.Line("bob"))
	for i := range 5 {
		s.commit(i)
		s.made = append(s.made, fresh(s.record(i))...)
	}
	c, err := At(s.Dir).Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	note, err := c.Sign(s.bob)
	if err != nil {
		t.Fatal(err)
	}
	s.checkpoint = "To whom it may concern:\n\n> " + strings.ReplaceAll(string(note), "\n", "\n> ")
	s.refs = s.Git("for-each-ref", "--format=update %(refname) %(objectname)")
	s.fine(s.look())
	return s
}

func fresh(kept []Kept) []Kept {
	return slices.DeleteFunc(kept, func(k Kept) bool { return !k.New })
}

// commit commits draft i: A, B, A, C, B of the contract a.
func (s *safe) commit(i int) {
	s.Commit("a/x.contract.hcl", deal([]int{0, 1, 0, 2, 1}[i], true), "b/x.contract.hcl", deal(3+i/4, true))
}

// record records commit i with the key of that time.
func (s *safe) record(i int) []Kept {
	key, at := s.bob, time.Date(2026, 5, 1+i, 0, 0, 0, 0, time.UTC)
	if i < 2 {
		key, at = s.alice, time.Date(2026, 4, 1+i, 0, 0, 0, 0, time.UTC)
	}
	return s.attest("HEAD", signedBy(key), func(a *Attestation) { a.Keys, a.Now = s.keys, at })
}

// look verifies main; with takes the checkpoint along.
func (s *safe) look(with ...func(*Verification)) *Report {
	s.Helper()
	return s.verify("main", append(with, func(v *Verification) {
		if v.Keys == nil {
			v.Keys = s.keys
		}
	})...)
}

func (s *safe) checked(v *Verification) {
	found, err := log.FindCheckpoints([]byte(s.checkpoint), "mail", s.keys)
	if err != nil {
		s.Fatal(err)
	}
	v.Checkpoints = found
}

// restore puts all refs back.
func (s *safe) restore() {
	var in strings.Builder
	for ref := range strings.SplitSeq(s.Git("for-each-ref", "--format=%(refname)"), "\n") {
		fmt.Fprintf(&in, "delete %s\n", ref)
	}
	s.GitIn(in.String(), "update-ref", "--stdin")
	s.GitIn(s.refs+"\n", "update-ref", "--stdin")
	s.Git("reset", "-q", "--hard")
}

func (s *safe) drop(refs ...string) {
	s.GitIn("delete "+strings.Join(refs, "\ndelete ")+"\n", "update-ref", "--stdin")
}

// log returns the entries that are there.
func (s *safe) log() []*logged {
	l, err := At(s.Dir).log(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return l.entries
}

// relog writes the log anew from a position on, whose entries name these records, one each.
func (s *safe) relog(from int, names []Name) {
	s.Helper()
	all := s.log()
	for _, e := range all[from:] {
		s.drop(e.Name.Ref)
	}
	s.append(all[from-1], names)
}

// append enters records after an entry, as anybody can.
func (s *safe) append(last *logged, names []Name) {
	s.Helper()
	for _, n := range names {
		var digest string
		err := At(s.Dir).Read(s.Context(), []Name{n}, func(f ReadResult) error {
			if f.Record != nil {
				digest = f.Record.Digest()
			}
			return f.Wrong
		})
		if err != nil {
			s.Fatal(err)
		}
		e := &log.Entry{Position: last.Position + 1, Previous: last.digest, Records: []log.Entered{{Ref: n.Ref, Digest: digest}}}
		if last, err = At(s.Dir).writeEntry(s.Context(), e, []string{last.Object, n.Object}, len(n.Object)); err != nil {
			s.Fatal(err)
		}
		s.Git("update-ref", last.Name.Ref, last.Object)
	}
}

func namesOf(kept []Kept) (list []Name) {
	for _, k := range kept {
		list = append(list, Name{k.Ref, k.object})
	}
	return list
}

// of returns the records of commit i that are new there; the first is of the contract a.
func (s *safe) of(i int) []Kept {
	commits := strings.Fields(s.Git("rev-list", "--reverse", "main"))
	var list []Kept
	for _, k := range s.made {
		if k.commit == commits[i] {
			list = append(list, k)
		}
	}
	return list
}

// lie is a record that says of main what is not so, signed by a key with a day.
func (s *safe) lie(key *record.Key, day time.Time) Name {
	a := s.attestation("main")
	a.Key, a.Keys, a.Now = key, s.keys, day
	for _, r := range a.Results {
		r.Requirements[0].Verdict = finding.Violated
	}
	before := s.log()
	kept, _, err := a.Keep(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for _, e := range s.log()[len(before):] {
		s.drop(e.Name.Ref)
	}
	for _, k := range kept[1:] {
		s.drop(k.Ref)
	}
	return namesOf(kept[:1])[0]
}

// A class is a way to deceive, with its variants. Each returns what verify has to say without a checkpoint: a kind of problem, or "notice", and a part of
// what it says. Of an empty kind nothing can be said without a checkpoint.
type class struct {
	name     string
	variants []func(*safe) (kind, says string)
}

var classes = []class{
	{name: "a draft between two equal ones is erased", variants: []func(*safe) (string, string){
		func(s *safe) (string, string) { // its record
			k := s.of(1)[0]
			s.drop(k.Ref)
			return "missing", k.Ref
		},
		func(s *safe) (string, string) { // with its entry
			k := s.of(1)[0]
			s.drop(k.Ref, log.Refs+"2")
			return "missing", log.Refs + "2"
		},
		func(s *safe) (string, string) { // and a log without it
			erased := s.of(1)[0]
			s.drop(erased.Ref)
			rest := slices.DeleteFunc(namesOf(s.made), func(n Name) bool { return n.Ref == erased.Ref })
			s.relog(2, rest[2:])
			return "misplaced", "under another log"
		},
		func(s *safe) (string, string) { // and no log
			s.drop(s.of(1)[0].Ref)
			for _, e := range s.log() {
				s.drop(e.Name.Ref)
			}
			return "missing", "there is no log here"
		},
		func(s *safe) (string, string) { // with all that came later: main is at the second A again
			commits := strings.Fields(s.Git("rev-list", "--reverse", "main"))
			s.Git("reset", "-q", "--hard", commits[2])
			for _, k := range s.made[2:] {
				s.drop(k.Ref)
			}
			for _, e := range s.log()[2:] {
				s.drop(e.Name.Ref)
			}
			return "notice", "a: 1 draft on the branch, after its first record, has no record: " + short(commits[1])
		},
	}},
	{name: "a consistent roll-back", variants: []func(*safe) (string, string){
		func(s *safe) (string, string) {
			to := s.rnd.IntN(4)
			commits := strings.Fields(s.Git("rev-list", "--reverse", "main"))
			gone := map[string]bool{}
			for i := to + 1; i < 5; i++ {
				for _, k := range s.of(i) {
					gone[k.Ref] = true
					s.drop(k.Ref)
				}
			}
			for _, e := range s.log() {
				if e.Position > 0 && gone[e.Records[0].Ref] {
					s.drop(e.Name.Ref)
				}
			}
			s.Git("reset", "-q", "--hard", commits[to])
			return "", ""
		},
		func(s *safe) (string, string) { // of everything
			for _, ref := range strings.Fields(s.Git("for-each-ref", "--format=%(refname)", record.Refs)) {
				s.drop(ref)
			}
			return "unrecorded", "no record is of this draft; 'redline attest' makes one"
		},
	}},
	{name: "a key that was replaced signs with an earlier date", variants: []func(*safe) (string, string){
		func(s *safe) (string, string) { // a record that is in no entry
			return "unproven", s.lie(s.alice, s.early()).Ref
		},
		func(s *safe) (string, string) { // at the end of the log
			n := s.lie(s.alice, s.early())
			all := s.log()
			s.append(all[len(all)-1], []Name{n})
			return "unproven", n.Ref
		},
		func(s *safe) (string, string) { // in the midst of a log that is written anew
			n := s.lie(s.alice, s.early())
			at := 3 + s.rnd.IntN(len(s.made)-4)
			s.relog(at, slices.Insert(namesOf(s.made)[at:], 0, n))
			if at > 3 { // after a record that bob has made
				return "unproven", n.Ref
			}
			return "misplaced", "under another log"
		},
	}},
	{name: "a record of another repository", variants: []func(*safe) (string, string){
		func(s *safe) (string, string) { // whose contract is the same
			n := s.foreign()
			if s.rnd.IntN(2) == 0 {
				all := s.log()
				s.append(all[len(all)-1], []Name{n})
			}
			return "misplaced", "under another log"
		},
		func(s *safe) (string, string) { // of a fork, which has come further
			fork := s.fork()
			fork.Commit("a/x.contract.hcl", deal(7, true))
			fork.attest("HEAD", signedBy(s.bob), func(a *Attestation) { a.Keys = s.keys })
			fork.Commit("a/x.contract.hcl", deal(8, true))
			k := fork.attest("HEAD", signedBy(s.bob), func(a *Attestation) { a.Keys = s.keys })[0]
			s.Git("fetch", "-q", fork.Dir, k.Ref+":"+k.Ref)
			return "missing", k.Ref
		},
	}},
	{name: "the keys are replaced, and everything is signed anew", variants: []func(*safe) (string, string){
		func(s *safe) (string, string) {
			for _, ref := range strings.Fields(s.Git("for-each-ref", "--format=%(refname)", record.Refs)) {
				s.drop(ref)
			}
			s.keys = keysOf(s, s.mallory.Line("alice"))
			for i, commit := range strings.Fields(s.Git("rev-list", "--reverse", "main")) {
				s.attest(commit, signedBy(s.mallory), func(a *Attestation) { a.Keys, a.Now = s.keys, time.Date(2026, 4, 1+i, 0, 0, 0, 0, time.UTC) })
			}
			return "", ""
		},
	}},
	{name: "settings leave a contract out", variants: []func(*safe) (string, string){
		func(s *safe) (string, string) { // with a draft that nobody has recorded
			dir := s.leaveOut("a", "b")
			s.Commit(dir+"/x.contract.hcl", deal(5+s.rnd.IntN(9), false))
			return "unrecorded", "no record is of this draft; 'redline attest' makes one"
		},
		func(s *safe) (string, string) { // all of whose drafts are recorded
			return "notice", "The settings leave out, and records need not be there of: " + s.leaveOut("a", "b") + "."
		},
		func(s *safe) (string, string) { // that never had a record
			s.Commit("c/x.contract.hcl", deal(5+s.rnd.IntN(9), false))
			return "notice", "The settings leave out, and records need not be there of: " + s.leaveOut("c", "**/c") + "."
		},
		func(s *safe) (string, string) { // that is another draft, elsewhere
			s.Git("mv", "a", "old")
			s.Commit("old/x.contract.hcl", deal(5+s.rnd.IntN(9), false))
			s.leaveOut("old")
			return "notice", "The settings leave out, and records need not be there of: old."
		},
	}},
}

// leaveOut commits settings that leave one of some directories out, and returns it without what matches several.
func (s *safe) leaveOut(dirs ...string) string {
	dir := dirs[s.rnd.IntN(len(dirs))]
	s.Commit(settings.File, fmt.Sprintf("ignore = [%q]\n", dir))
	return path.Base(dir)
}

func (s *safe) early() time.Time {
	return time.Date(2026, 4, 1+s.rnd.IntN(30), s.rnd.IntN(24), 0, 0, 0, time.UTC)
}

// foreign fetches a record of another repository with the same contracts, where the same key signs.
func (s *safe) foreign() Name {
	other := safe{repo: newRepo(s), bob: s.bob, alice: s.alice, keys: s.keys}
	*other.Day = other.Day.AddDate(3, 0, 0)
	other.commit(s.rnd.IntN(5))
	k := other.attest("HEAD", signedBy(s.bob), func(a *Attestation) { a.Keys = s.keys })[0]
	s.Git("fetch", "-q", other.Dir, k.Ref+":"+k.Ref)
	return Name{k.Ref, k.object}
}

// fork clones the repository with its log, and forgets where from.
func (s *safe) fork() repo {
	fork := s.clone()
	fork.Git("remote", "remove", "origin")
	return fork
}

// seedOf returns the seed of what is drawn.
func seedOf() uint64 {
	seed, err := strconv.ParseUint(os.Getenv("REDLINE_SEED"), 10, 64)
	if err != nil {
		return 1
	}
	return seed
}

// extends reports whether the log has all entries that it had, where they were.
func (s *safe) extends() bool {
	return !slices.ContainsFunc(strings.Split(s.refs, "\n"), func(one string) bool {
		fields := strings.Fields(one)
		return strings.HasPrefix(fields[1], log.Refs) && s.Git("for-each-ref", "--format=%(objectname)", fields[1]) != fields[2]
	})
}

// TestClassesOfTampering: each is named without a checkpoint, or is one of those that only a checkpoint tells. The checkpoint tells all that change what the log had,
// and says of no other that they did.
func TestClassesOfTampering(t *testing.T) {
	var s *safe
	for i := range rounds(200, 1) {
		if i%50 == 0 {
			s = newSafe(t, seedOf()+uint64(i/50))
		}
		for _, c := range classes {
			at, keys := s.rnd.IntN(len(c.variants)), s.keys
			kind, says := c.variants[at](s)
			if found := s.look(); !told(found, kind, says) || kind == "" && s.extends() {
				t.Fatalf("round %d, %s, variant %d: %s %q is not said: %+v", i, c.name, at, kind, says, found)
			}
			tells := func(p problem) bool { return strings.Contains(p.What, "the checkpoint mail:3 (6 entries, ") }
			if found := s.look(s.checked); slices.ContainsFunc(found.Problems, tells) == s.extends() {
				t.Fatalf("round %d, %s, variant %d: of a log that has all it had (%t) the checkpoint tells: %+v", i, c.name, at, s.extends(), found)
			}
			s.keys = keys
			s.restore()
		}
		if found := s.fine(s.look(s.checked)); !told(found, "notice", "extends the checkpoint mail:3 (6 entries, signed by bob)") {
			t.Fatalf("%+v", found.Notices)
		}
	}
}

// told reports whether a report has a problem of a kind, or a notice, that says something; of an empty kind it may have no problem.
func told(r *Report, kind, says string) bool {
	switch kind {
	case "":
		return len(r.Problems) == 0
	case "notice":
		return slices.ContainsFunc(r.Notices, func(n string) bool { return strings.Contains(n, says) })
	}
	return slices.ContainsFunc(r.Problems, func(p problem) bool {
		return p.Kind.String() == kind && (p.Ref == says || strings.Contains(p.What, says))
	})
}

// TestPageOnRecords: it names each class, and tests that there are.
func TestPageOnRecords(t *testing.T) {
	page, err := os.ReadFile("../../../.github/docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		if !strings.Contains(string(page), "*"+c.name+"*") {
			t.Errorf("it does not say: %s", c.name)
		}
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(src)
	}
	named := regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(string(page), -1)
	for _, one := range named {
		if !strings.Contains(tests.String(), "\nfunc "+one[1]+"(t *testing.T)") {
			t.Errorf("there is no %s", one[1])
		}
	}
	if len(named) < 5 {
		t.Errorf("it names %d tests", len(named))
	}
}
