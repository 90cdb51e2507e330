package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/hclspec"
)

// relieved remarks on norms of base that something new lifts, suspends, extends, passes on, ends with the contract or keeps from beginning after its end.
// They are written as before, and less may be owed. What is known never to come about relieves nothing.
func (d *declaring) relieved() {
	d.outlived()
	d.easier()
	for _, change := range d.amended.Changes {
		switch {
		case change.Element == diff.TheContract:
			if by := d.newEnds(); len(by) > 0 {
				d.relieve(d.ending(), change.Head, change.Terms, "end with the contract", strings.Join(by, " or ")+", which did not end it before")
			}
		case isNorm(change.Element) && change.Action == diff.Added && !has(d.review.Head, "norm-never-arises", normSubject(change)):
			by := d.head.Spec.Norms[slices.IndexFunc(d.head.Spec.Norms, func(n *hclspec.Norm) bool { return n.Written() == change.Name })]
			how := "the new " + by.Called()
			d.relieve(by.Relieves, by.Range, change.Terms, "be lifted, suspended or extended", how)
			d.relieve(d.named(valuesOf(by, "assigns")), by.Range, change.Terms, "be passed on", how)
			if len(valuesOf(by, "ends_contract")) > 0 {
				d.relieve(d.ending(), by.Range, change.Terms, "end with the contract", how)
			}
		}
	}
}

// relieve remarks on norms that base has, of which nothing is said yet.
func (d *declaring) relieve(norms []*hclspec.Norm, at hcl.Range, terms []diff.Term, what, how string) {
	for _, n := range norms {
		one := explain.NewDiagnostic(d.head, "norm-changed", n.Kind.String()+"."+n.Name, at, fmt.Sprintf("The amendment lets the %s %s %s: by %s.", n.Called(), bound(n), what, how), "")
		if d.added(n.Written()) || slices.ContainsFunc(d.said, func(r remark) bool { return r.Subject == one.Subject }) {
			continue
		}
		one.Run = changeRun(&one, terms)
		d.remark(one, effectSome)
	}
}

// ending returns the norms of head that the end of the contract ends, of several occurrences the first.
func (d *declaring) ending() (all []*hclspec.Norm) {
	for _, n := range d.head.Spec.Norms {
		if !n.Survives && n.Nth <= 1 {
			all = append(all, n)
		}
	}
	return all
}

// named returns the norms of head with the given names, of several occurrences the first.
func (d *declaring) named(names []string) (all []*hclspec.Norm) {
	for _, n := range d.head.Spec.Norms {
		if n.Nth <= 1 && slices.Contains(names, n.Written()) {
			all = append(all, n)
		}
	}
	return all
}

// newEnds returns the events and changes of norms that end the contract for good on head and not on base.
func (d *declaring) newEnds() (by []string) {
	if d.head.Spec.Ends == nil {
		return nil
	}
	before := map[string]bool{}
	if d.base.Spec.Ends != nil {
		for _, was := range d.base.Spec.Ends.By {
			for _, name := range []func() (string, bool){
				func() (string, bool) { return d.amended.Names.Head(diff.Event, was) },
				func() (string, bool) { return d.amended.Names.HeadPlace(was) },
			} {
				if now, known := name(); known {
					before[now] = true
				}
			}
		}
	}
	for _, now := range d.head.Spec.Ends.By {
		if !before[now] && !has(d.review.Head, "event-never-happens", "event."+now) {
			by = append(by, now)
		}
	}
	return by
}

// outlived remarks on norms that survive the contract, and that an event began after its end that can't happen then any more: something that ends with the
// contract names it, too.
func (d *declaring) outlived() {
	ends, was := d.head.Spec.Ends, d.base.Spec.Ends
	if ends == nil {
		return
	}
	before := map[string]bool{}
	for _, e := range d.base.Spec.Events {
		if now, known := d.amended.Names.Head(diff.Event, e.Name); known && (was == nil || e.Survives) {
			before[now] = true
		}
	}
	for _, n := range d.head.Spec.Norms {
		for _, s := range n.Starts {
			if n.Survives && n.Nth <= 1 && before[s.Event.Name] && !s.Event.Survives && !slices.Contains(s.While, ends.InForce) {
				terms := []diff.Term{{Word: "survives", Was: s.Event.Name}}
				d.relieve([]*hclspec.Norm{n}, s.Event.Range, terms, "no longer begin once the contract has ended", s.Event.Name+", which can't happen then any more")
			}
		}
	}
}

// easier remarks on norms that an event of both versions relieves, if it may happen where it could not, or takes the act of fewer than before. If the steps are proved to be
// those of base or fewer, it can't happen where it could not.
func (d *declaring) easier() {
	steps := d.review.Difference.Full().Relation
	for _, change := range d.amended.Changes {
		if change.Element == diff.Event && change.Action == diff.Rewired && steps != delta.Same && steps != delta.Less && slices.ContainsFunc(change.Terms, condition) {
			d.relievedBy(change.Name, change.Head, change.Terms, "of which it drops or changes a condition")
		}
	}
	for _, a := range d.review.Difference.Acts {
		fewer := func(way []string) bool { // no way of base took these alone, or some of them
			return !slices.ContainsFunc(a.Was, func(was []string) bool {
				return !slices.ContainsFunc(was, func(p string) bool { return !slices.Contains(way, p) })
			})
		}
		i := slices.IndexFunc(d.head.Spec.Events, func(e *hclspec.Event) bool { return e.Name == a.Event })
		if i >= 0 && slices.ContainsFunc(a.Now, fewer) {
			terms := []diff.Term{{Word: "takes", Was: fmt.Sprint(a.Was), Now: fmt.Sprint(a.Now)}}
			d.relievedBy(a.Event, d.head.Spec.Events[i].Range, terms, "which takes the act of others than before")
		}
	}
}

// condition reports whether a term of an event is a condition that base has.
func condition(t diff.Term) bool { return t.Was != "" && t.Word != "by" && t.Word != "repeats" }

// relievedBy remarks on the norms that an event ends with the contract, or ends by itself, or that a power lifts, suspends, extends or passes on by it.
func (d *declaring) relievedBy(event string, at hcl.Range, terms []diff.Term, which string) {
	occasions := []string{event}
	how := event + ", " + which
	for _, n := range d.head.Spec.Norms {
		if !slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return e.Name == event }) {
			continue
		}
		occasions = append(occasions, n.Written()+map[hclspec.NormKind]string{hclspec.Obligation: ".fulfilled", hclspec.Prohibition: ".breached", hclspec.Power: ".exercised"}[n.Kind])
		if n.Kind == hclspec.Power {
			d.relieve(n.Relieves, at, terms, "be lifted, suspended or extended", how)
			d.relieve(d.named(valuesOf(n, "assigns")), at, terms, "be passed on", how)
		}
		if n.Kind != hclspec.Obligation && len(valuesOf(n, "ends_contract")) > 0 {
			d.relieve(d.ending(), at, terms, "end with the contract", how)
		}
	}
	brings := func(by string) bool { return slices.Contains(occasions, by) }
	if d.head.Spec.Ends != nil && slices.ContainsFunc(d.head.Spec.Ends.By, brings) {
		d.relieve(d.ending(), at, terms, "end with the contract", how)
	}
	for _, n := range d.head.Spec.Norms {
		if slices.ContainsFunc(valuesOf(n, "until"), brings) {
			d.relieve([]*hclspec.Norm{n}, at, terms, "end", how)
		}
	}
}

// valuesOf returns the values of an attribute of a norm.
func valuesOf(n *hclspec.Norm, word string) []string {
	for _, t := range n.Terms {
		if t.Word == word {
			return strings.Split(t.Value, ", ")
		}
	}
	return nil
}

// added reports whether the amendment adds a norm of this name.
func (d *declaring) added(name string) bool {
	return slices.ContainsFunc(d.amended.Changes, func(c diff.Change) bool { return isNorm(c.Element) && c.Action == diff.Added && c.Name == name })
}
