package record

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/redlinehq/redline/hclspec"
)

// Constants of every statement that redline writes.
const (
	format        = 2 // of the fields below "redline"
	oldestFormat  = 1 // that is read: it has no "when.log"
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://in-toto.io/attestation/test-result/v0.1"
	modelPrefix   = "model:" // before a contract's directory, it names its composed model
)

const maxDigits = 100_000 // of a count

var verdicts = []string{"unknown", "holds", "violated", "ill-formed"}

// laws collects violations of what redline guarantees of its statements.
type laws struct{ wrong []error }

func (l *laws) hold(ok bool, format string, args ...any) {
	if !ok {
		l.wrong = append(l.wrong, fmt.Errorf(format, args...))
	}
}

// The checks below format their message only on failure: for thousands of records that saves time.

func (l *laws) digest(field, s string) {
	if s != "" && !IsDigest(s) {
		l.hold(false, "%s is no SHA-256", field)
	}
}

func (l *laws) oneOf(field, s string, words ...string) {
	if !slices.Contains(words, s) {
		l.hold(false, "%s %.40q is none of %s", field, s, strings.Join(words, ", "))
	}
}

func (l *laws) time(field, s string) {
	if at, err := time.Parse(time.RFC3339, s); err != nil || at.Year() < 1970 || at.Year() > 9999 {
		l.hold(false, "%s %.40q is no time", field, s)
	}
}

func (l *laws) count(s string) {
	if !isCount(s) {
		l.hold(false, "%.40q is no count", s)
	}
}

// path requires a path that can be passed to git line by line.
func (l *laws) path(field, s string) {
	l.hold(fs.ValidPath(s) && !strings.ContainsFunc(s, unicode.IsControl), "%s %.80q is no directory of a repository, or has control characters in its name", field, s)
}

// Validate validates the statement. The error joins every violation of what redline guarantees of statements it writes.
func (s *Statement) Validate() error {
	l := &laws{}
	l.hold(s.Type == statementType && s.PredicateType == predicateType, "it is a statement of another kind")
	l.oneOf("result", s.Predicate.Result, "PASSED", "WARNED", "FAILED")
	s.Predicate.Draft.validate(l)
	if len(l.wrong) == 0 {
		s.subjects(l)
		s.outcome(l)
	}
	return errors.Join(l.wrong...)
}

// subjects validates the subjects against the digests of the draft.
func (s *Statement) subjects(l *laws) {
	d, files := &s.Predicate.Draft, s.Files()
	for i, f := range files {
		l.hold(isHex(f.Digest.SHA256), "subject %.80q has no SHA-256", f.Name)
		l.hold(i == 0 || files[i-1].Name < f.Name, "subject %.80q is out of order", f.Name)
		l.hold(fs.ValidPath(f.Name) && DirOf(f.Name) == d.Path, "subject %.80q is no file in %q", f.Name, d.Path)
	}
	l.hold(d.Text == textDigest(files), "its text is not that of its subjects")
	if d.Model != "" {
		model := Subject{modelPrefix + d.Path, Digest{strings.TrimPrefix(d.Model, "sha256:")}}
		l.hold(len(files) < len(s.Subject) && s.Subject[len(files)] == model, "its model is not that of its subjects")
	}
}

// outcome validates the test result against the verdicts.
func (s *Statement) outcome(l *laws) {
	want := Outcome(&s.Predicate.Draft)
	p := &s.Predicate
	l.hold(p.Result == want.Result && slices.Equal(p.PassedTests, want.PassedTests) && slices.Equal(p.WarnedTests, want.WarnedTests) &&
		slices.Equal(p.FailedTests, want.FailedTests), "its result is not that of its verdicts")
	l.hold(reflect.DeepEqual(p.Configuration, configuration(&p.Draft)), "its configuration is not that of its terms")
}

func (d *Draft) validate(l *laws) {
	l.path("path", d.Path)
	l.digest("model", d.Model)
	l.hold(IsDigest(d.Text), "text is no SHA-256")
	l.hold(d.Tool != "", "it does not say what version of redline")
	l.hold(IsCommit(d.Commit.ID), "commit is no commit")
	l.time("authored", d.Commit.Authored)
	l.time("committed", d.Commit.Committed)
	d.Terms.validate(l)
	d.Size.validate(l)
	for _, q := range d.Requirements {
		q.validate(l)
	}
	for _, c := range d.Checks {
		l.oneOf("class", c.Class, "error", "violation", "warning")
	}
	d.When.validate(l, d.Format)
}

func (t *Terms) validate(l *laws) {
	l.hold(t.States >= 0 && t.Memory >= 0 && t.Time >= 0, "a limit is negative")
	l.oneOf("firing", t.Firing, "", "one", "all")
	l.hold(t.Today == "" || hclspec.IsDay(t.Today), "today is no day")
	l.digest("values", t.Values)
	l.digest("settings", t.Settings)
}

func (s *size) validate(l *laws) {
	l.hold(s.Places >= 0 && s.Transitions >= 0, "a size is negative")
	for _, n := range []string{s.States, s.Arcs, s.DeadEnds} {
		l.count(n)
	}
}

func (q *Requirement) validate(l *laws) {
	l.oneOf("verdict", q.Verdict, verdicts...)
	l.digest("run", q.Run)
	if w := q.Waiver; w != nil {
		l.hold(w.Expires == "" || hclspec.IsDay(w.Expires), "a waiver's last day is no day")
	}
}

func (w *When) validate(l *laws, format int) {
	l.time("attested", w.Attested)
	l.hold(strings.HasSuffix(w.Attested, "Z"), "attested is not in UTC")
	if p := w.Previous; p != nil {
		l.hold(IsRef(p.Record), "previous is no record")
		l.hold(IsDigest(p.Digest), "previous has no digest")
		l.hold(IsCommit(p.Commit), "previous has no commit")
		l.path("previous", p.Path)
	}
	if w.Log != nil {
		l.hold(format > oldestFormat, "it has a log, which its format has not")
		l.hold(w.Log.Size > 0 && IsDigest(w.Log.Entry), "log has no entry")
	}
	if c := w.Change; c != nil {
		l.hold(w.Previous != nil, "it has a change and no previous record")
		for _, v := range c.Verdicts {
			l.oneOf("verdict", v.Was, append(verdicts, "waived", "")...)
			l.oneOf("verdict", v.Now, append(verdicts, "waived", "")...)
		}
	}
}
