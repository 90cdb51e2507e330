package result

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/construct"
)

// validate validates a structure: values that renderers rely on are there, and texts that they take for redline's own words are such words.
func validate(pointer any) error {
	switch s := pointer.(type) {
	case *File:
		return s.validate()
	case *finding.Review:
		return ofReview(s)
	case *finding.ContractReview:
		return ofContract(s)
	case *finding.Finding:
		return ofFinding(s)
	case *finding.Result:
		return optionalDigest("Digest", s.Digest)
	case *finding.Requirement:
		return ofRequirement(s)
	case *finding.Diagnostic:
		return ofDiagnostic(s)
	case *finding.NormDifference:
		return oneOf("Kind", s.Kind, normKinds...)
	case *finding.NormState:
		return oneOf("State", s.State, "", "owed", "suspended", "in_force", "given", "held", "breached", "ended")
	case *finding.Block:
		return oneOf("Action", s.Action, "added", "removed", "changed")
	case *finding.Picture:
		return ofPicture(s)
	}
	return nil
}

var (
	digest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	commit = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
)

// optionalDigest returns an error if s is neither empty nor a digest.
func optionalDigest(field, s string) error {
	if s != "" && !digest.MatchString(s) {
		return fmt.Errorf("%s is no SHA-256", field)
	}
	return nil
}

// oneOf returns an error if word is not one of words.
func oneOf(field, word string, words ...string) error {
	if !slices.Contains(words, word) {
		return fmt.Errorf("%s %.40q is none of %s", field, word, strings.Join(words, ", "))
	}
	return nil
}

// validate validates the fields of a file.
func (f *File) validate() error {
	switch {
	case f.Format != Format:
		return fmt.Errorf("it has format %d; this redline knows %d", f.Format, Format)
	case f.Base != "" && !commit.MatchString(f.Base), f.Head != "" && !commit.MatchString(f.Head):
		return errors.New("one of Base and Head is no commit")
	case f.Shards < 1 || f.Shards > MostShards || f.Shard < 1 || f.Shard > f.Shards:
		return fmt.Errorf("%d is no shard of %d", f.Shard, f.Shards)
	case f.Review != nil && f.Results != nil, f.Review == nil && (f.Plan != nil || f.Shards != 1):
		return errors.New("the result has to be a review, or a check that is not one of several shards")
	}
	return errors.Join(f.plan(), f.Terms.validate())
}

// plan validates the plan, and that the review has the contracts of its shard.
func (f *File) plan() error {
	var own []string
	for i, p := range f.Plan {
		if i > 0 && f.Plan[i-1].Path >= p.Path {
			return fmt.Errorf("the Plan is out of order at %q", p.Path)
		}
		if p.Shard < 1 || p.Shard > f.Shards {
			return fmt.Errorf("the Plan has shard %d of %d", p.Shard, f.Shards)
		}
		if p.Shard == f.Shard {
			own = append(own, p.Path)
		}
	}
	if f.Review == nil {
		return nil
	}
	var have []string
	for _, c := range f.Review.Contracts {
		have = append(have, c.Path)
	}
	if !slices.Equal(own, have) {
		return fmt.Errorf("shard %d has to review %d contracts by Plan, and its review has %d, or others", f.Shard, len(own), len(have))
	}
	return nil
}

// validate validates the terms.
func (t *Terms) validate() error {
	if t.Today != "" && !hclspec.IsDay(t.Today) {
		return errors.New("the value of Today is no day")
	}
	return errors.Join(optionalDigest("Values", t.Values), optionalDigest("Settings", t.Settings),
		oneOf("Firing", t.Firing, "", "one", "all"), oneOf("FailOn", t.FailOn, "", "new", "any", "never"), oneOf("Engine", t.Engine, engines...))
}

var engines = []string{string(finding.Auto), string(finding.Explicit), string(finding.Symbolic), string(finding.Local)}

// ofReview validates the order of the contracts.
func ofReview(r *finding.Review) error {
	for i := range r.Contracts {
		if i > 0 && r.Contracts[i-1].Path >= r.Contracts[i].Path {
			return fmt.Errorf("the Contracts are out of order at %q", r.Contracts[i].Path)
		}
	}
	return nil
}

// ofContract validates the sides of a contract review.
func ofContract(c *finding.ContractReview) error {
	base, head := c.Base != nil, c.Head != nil
	if sides := map[finding.Status]bool{
		finding.Same: base == head, finding.Changed: base && head, finding.Added: !base && head, finding.Removed: base && !head,
	}; !sides[c.Status] {
		return fmt.Errorf("a contract that is %s has not these sides", c.Status)
	}
	if !head && slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return f.Kind != finding.Dropped }) {
		return errors.New("it has findings on a contract that is not there")
	}
	return nil
}

// ofFinding validates that a finding has the parts that its kind requires.
func ofFinding(f *finding.Finding) error {
	switch {
	case f.Check == nil && f.Head == nil && (f.Kind != finding.Dropped || f.Base == nil), f.Check != nil && (f.Head != nil || f.Base != nil):
		return errors.New("the finding has to be about a requirement, or about a check")
	case (f.Kind == finding.Waived || f.Kind == finding.WaiverExpired) && (f.Head == nil || f.Head.Waiver == nil):
		return errors.New("it refers to a waiver, but the requirement has none")
	case f.Kind == finding.Waived && !f.Head.Waived():
		return errors.New("it is not waived")
	case (f.Kind == finding.RestsAsBefore || f.Rested != nil) && (f.Head == nil || f.Head.Rests == nil):
		return errors.New("it says on whom a requirement rests, but the requirement does not")
	case len(f.Unbound) > 0 && f.Rested == nil:
		return errors.New("it says whom no obligation binds, but not on whom the requirement rested")
	case len(f.Breach) > 0 && (f.Head == nil || f.Head.Scenario == nil):
		return errors.New("it says by which breach a scenario is as expected, but the requirement is none")
	case f.Leans != nil && (len(f.Leans.Norms) == 0 || f.Head == nil || !f.Head.Ideal):
		return errors.New("it says on which norms a promise leans, but not on which, or it is not about ideal runs")
	}
	return nil
}

// ofRequirement validates the words of a requirement.
func ofRequirement(r *finding.Requirement) error {
	if s := r.Scenario; s != nil {
		if err := oneOf("Expect", s.Expect, "possible", "impossible", "breach", "fulfilled", "ends"); err != nil {
			return err
		}
		if s.Stops > len(s.Steps) {
			return fmt.Errorf("there is no step %d of %d", s.Stops, len(s.Steps))
		}
	}
	return errors.Join(
		optionalDigest("Run", r.Run), oneOf("Pattern", r.Pattern, patterns...), oneOf("Notation", r.Notation, notations...),
		oneOf("Engine", string(r.Engine), append(engines, string(finding.Structural))...),
	)
}

var (
	notations = []string{"", hclspec.CTL.String(), hclspec.Table1.String()}
	patterns  = patternNames()
)

// patternNames returns the names of all patterns, and "".
func patternNames() []string {
	names := []string{""}
	for k := range construct.Patterns {
		names = append(names, ctl.Kind(k).String())
	}
	return names
}

// ofDiagnostic validates the words of a diagnostic.
func ofDiagnostic(d *finding.Diagnostic) error {
	return errors.Join(
		oneOf("Class", string(d.Class), string(codes.Error), string(codes.Violation), string(codes.Warning)),
		optionalDigest("Run", d.Run), known(d.Code))
}

// known returns an error if a code is not registered.
func known(c codes.Code) error {
	if !slices.Contains(register, c) {
		return fmt.Errorf("there is no code %.40q", c)
	}
	return nil
}

var register = codes.All()

var normKinds = append(construct.NormWords(), "contract")

// ofPicture validates that arcs lead to states of the picture.
func ofPicture(p *finding.Picture) error {
	for _, a := range p.Arcs {
		if max(a.From, a.To) >= len(p.States) {
			return fmt.Errorf("an arc leads from state %d to %d, and there are %d", a.From, a.To, len(p.States))
		}
	}
	return nil
}
