package result

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// Join joins the shards of one review. The result is that of a single run. Names are the places that the shards were read from, for errors.
// An error names a shard that is missing, duplicate, or of another review.
func Join(files []*File, names []string) (*File, error) {
	if len(files) == 0 {
		return nil, errors.New("no result of a shard was found: give the files that 'redline review --shard' wrote")
	}
	first, by := files[0], map[int]int{}
	for i, f := range files {
		if f.Review == nil {
			return nil, fmt.Errorf("%s is a check, not a part of a review", names[i])
		}
		if what, a, b := first.differs(f); what != "" {
			return nil, fmt.Errorf("%s and %s are of different reviews: %s is %s in one, %s in the other", names[0], names[i], what, a, b)
		}
		if other, twice := by[f.Shard]; twice {
			return nil, fmt.Errorf("shard %d of %d is there twice: %s and %s", f.Shard, f.Shards, names[other], names[i])
		}
		by[f.Shard] = i
	}
	if err := complete(by, first.Shards); err != nil {
		return nil, err
	}
	return join(files, by), nil
}

// complete returns an error that names the missing shards, if any.
func complete(by map[int]int, shards int) error {
	var missing []string
	for shard := 1; shard <= shards; shard++ {
		if _, ok := by[shard]; !ok {
			missing = append(missing, fmt.Sprint(shard))
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("shard %s of %d is missing", missing[0], shards)
	}
	return fmt.Errorf("shards %s of %d are missing", strings.Join(missing, ", "), shards)
}

// join takes each contract from the shard that the plan assigns it to. Read has checked that each shard has these contracts and no others.
func join(files []*File, by map[int]int) *File {
	whole := *files[0]
	whole.Shard, whole.Shards, whole.Plan, whole.Notices = 1, 1, nil, nil
	review := &finding.Review{Base: whole.Review.Base, Head: whole.Review.Head, Unchanged: whole.Review.Unchanged, Rule: whole.Review.Rule}
	next := map[int]int{} // by shard, the contract that comes next
	for _, p := range files[0].Plan {
		review.Contracts = append(review.Contracts, files[by[p.Shard]].Review.Contracts[next[p.Shard]])
		next[p.Shard]++
		whole.Plan = append(whole.Plan, Planned{p.Path, 1})
	}
	for shard := 1; shard <= len(files); shard++ {
		for _, n := range files[by[shard]].Notices {
			if !slices.Contains(whole.Notices, n) {
				whole.Notices = append(whole.Notices, n)
			}
		}
	}
	for _, a := range whole.Review.Unplaced { // an acceptance is unplaced if no shard has a place for it
		if !slices.ContainsFunc(files, func(f *File) bool {
			return !slices.ContainsFunc(f.Review.Unplaced, func(o finding.Acceptance) bool { return o.Source == a.Source && o.Name == a.Name })
		}) {
			review.Unplaced = append(review.Unplaced, a)
		}
	}
	whole.Review = review
	return &whole
}

// differs returns a property in which two shards of one review must agree but do not, and its value in each. It returns "" if there is
// none.
func (f *File) differs(g *File) (what, a, b string) {
	for _, x := range []struct {
		what string
		a, b any
	}{
		{"the version of redline", f.Tool, g.Tool},
		{"the event", f.Event, g.Event},
		{"the base commit", f.Base, g.Base},
		{"the head commit", f.Head, g.Head},
		{"the name of base", f.Review.Base, g.Review.Base},
		{"the name of head", f.Review.Head, g.Review.Head},
		{"whose acceptances count", f.Review.Rule, g.Review.Rule},
		{"the number of unchanged contracts", f.Review.Unchanged, g.Review.Unchanged},
		{"the limit of states", f.Terms.States, g.Terms.States},
		{"the limit of memory", f.Terms.Memory, g.Terms.Memory},
		{"the limit of time", f.Terms.Time, g.Terms.Time},
		{"the method", f.Terms.Engine, g.Terms.Engine},
		{"the firing rule", f.Terms.Firing, g.Terms.Firing},
		{"the day", f.Terms.Today, g.Terms.Today},
		{"what is observed", fmt.Sprintf("%q", f.Terms.Observe), fmt.Sprintf("%q", g.Terms.Observe)},
		{"whether what is owed counts", f.Terms.Owed, g.Terms.Owed},
		{"the digest of the variables' values", f.Terms.Values, g.Terms.Values},
		{"what fails", f.Terms.FailOn, g.Terms.FailOn},
		{"the digest of the settings", f.Terms.Settings, g.Terms.Settings},
		{"the number of shards", f.Shards, g.Shards},
		{"the plan", fmt.Sprintf("%d contracts", len(f.Plan)), fmt.Sprintf("%d contracts", len(g.Plan))},
	} {
		if x.a != x.b {
			return x.what, fmt.Sprintf("%q", fmt.Sprint(x.a)), fmt.Sprintf("%q", fmt.Sprint(x.b))
		}
	}
	for i, p := range f.Plan {
		if p != g.Plan[i] {
			return "the plan", fmt.Sprintf("%q in shard %d", p.Path, p.Shard), fmt.Sprintf("%q in shard %d", g.Plan[i].Path, g.Plan[i].Shard)
		}
	}
	return "", "", ""
}
