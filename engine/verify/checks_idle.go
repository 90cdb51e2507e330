package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/structure"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// idleName returns the subject of a remark that a transition changes nothing: its event, or the party's own transition. All combinations of
// transitions for one event share a subject.
func idleName(d *compile.Draft, t *petri.Transition) string {
	if t.Event >= 0 {
		return "event." + d.Events[t.Event].Name
	}
	return d.Named(t.Parts[0])
}

// letItChange is the hint for what can happen for ever without changing anything.
const letItChange = "Let it change something, or limit when it can happen: as it stands, a requirement that something must come (AF, AU) can fail by this."

// still reports whether a transition can never change anything.
func still(t *petri.Transition) bool { return len(t.In)+len(t.Out)+len(t.Moves) == 0 }

// neverChanging returns, by subject, whether all its transitions change nothing. Transitions that let time pass do not count as such.
func neverChanging(d *compile.Draft) map[string]bool {
	never := map[string]bool{}
	for i := range d.Net.Transitions {
		t := &d.Net.Transitions[i]
		same, met := never[idleName(d, t)]
		never[idleName(d, t)] = still(t) && !t.Moving && (same || !met)
	}
	return never
}

// idle finds events and transitions that can fire again and again without changing anything. A run may do that for ever.
func idle(d *compile.Draft) []finding.Diagnostic {
	var list []finding.Diagnostic
	never := neverChanging(d)
	for i := range d.Net.Transitions {
		t := &d.Net.Transitions[i]
		name := idleName(d, t)
		if !never[name] {
			continue
		}
		never[name] = false // report once
		if t.Event >= 0 {
			e := d.Events[t.Event]
			list = append(list, explain.NewDiagnostic(d, "idle-self-loop", name, e.Range,
				fmt.Sprintf("Event %q changes nothing: where it can happen, it may do so for ever %s.", e.Name, meanwhile(d)),
				letItChange))
			continue
		}
		list = append(list, explain.NewDiagnostic(d, "idle-self-loop", name, d.Part(t.Parts[0]).Range,
			fmt.Sprintf("%s changes nothing and no event mentions it: where it can happen, it may do so for ever %s.", name, meanwhile(d)),
			"Name it in the event that was to use it, or delete it: as it stands, a requirement that something must come (AF, AU) can fail by this."))
	}
	return list
}

// meanwhile renders when something without effect may happen for ever. If the contract fires all that it can, it never happens alone by choice.
func meanwhile(d *compile.Draft) string {
	if d.Rule == petri.All {
		return "if nothing else can happen beside it"
	}
	return "while nothing else happens"
}

// withoutIdle drops remarks on transitions without effect that never fire.
func (c *Checked[S]) withoutIdle(list []finding.Diagnostic, seen survey) []finding.Diagnostic {
	happens := map[string]bool{}
	for i := range c.Net.Transitions {
		if name := idleName(c.Draft, &c.Net.Transitions[i]); seen.fired[i] {
			happens[name] = true
		}
	}
	return slices.DeleteFunc(list, func(d finding.Diagnostic) bool { return d.Code == "idle-self-loop" && !happens[d.Subject] })
}

// idleAtTimes finds events and transitions that change something in one way or at one time, and nothing in another. There they can happen
// for ever.
func (c *Checked[S]) idleAtTimes(ctx context.Context) (list []finding.Diagnostic) {
	var idle []int
	never := neverChanging(c.Draft)
	for i := range c.Net.Transitions {
		if t := &c.Net.Transitions[i]; len(t.In)+len(t.Out) == 0 && !t.Moving && !never[idleName(c.Draft, t)] {
			idle = append(idle, i)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	still := c.Model.still(ctx, idle, func(t int) S { return halt.Must(c.unbounded().Sat(ctx, c.Moves(&c.Net.Transitions[t]))) })
	for i := range idle {
		t, x := &c.Net.Transitions[idle[i]], c.Model.sets()
		name := idleName(c.Draft, t)
		if never[name] || x.Equal(still[i], x.Minus(still[i], still[i])) {
			continue
		}
		never[name] = true // report once
		var at hcl.Range
		called := name
		if t.Event >= 0 {
			at, called = c.Events[t.Event].Range, fmt.Sprintf("Event %q", c.Events[t.Event].Name)
		} else {
			at = c.Part(t.Parts[0]).Range
		}
		list = append(list, explain.NewDiagnostic(c.Draft, "idle-self-loop", name, at,
			fmt.Sprintf("%s can happen without changing anything: then it may do so for ever %s.", called, meanwhile(c.Draft)),
			letItChange))
	}
	return list
}

// neverCounted finds counters that never change. A bound that is never reached is none of these: it limits, and promises nothing.
func (c *Checked[S]) neverCounted(seen survey) []finding.Diagnostic {
	var list []finding.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(c.Counters)) {
		places := c.Counters[name]
		first := slices.IndexFunc(places, func(p int) bool { return seen.marked[p] })
		if first < 0 || len(places) < 2 || slices.ContainsFunc(places[first+1:], func(p int) bool { return seen.marked[p] }) {
			continue
		}
		list = append(list, explain.NewDiagnostic(c.Draft, "state-never-reached", name, c.AllPlaces[places[0]].Range,
			fmt.Sprintf("Counter %s never changes: it stands at %d all the time.", name, c.AllPlaces[places[first]].Value), ""))
	}
	return list
}

// follow marks the warnings of what never comes that follow from others, by what they need (structure.Causes). Of a transition of the net that is a cause
// the party's own transition is what is told, if it is never ready; else the event.
func (c *Checked[S]) follow(all []finding.Diagnostic, seen survey) {
	causes := structure.DeadCauses(c.Net, seen.marked, seen.fired)
	about := map[[2]string][]structure.Node{} // by code and subject
	for v := range causes {
		for _, of := range c.tellsOf(v) {
			about[of] = append(about[of], v)
		}
	}
	told := map[structure.Node]string{} // subjects, by cause
	for _, code := range []codes.Code{"transition-never-fires", "event-never-happens", "state-never-reached", "norm-never-arises"} {
		for i := range all {
			for _, v := range about[[2]string{string(all[i].Code), all[i].Subject}] {
				if all[i].Code == code && causes[v] == v && told[v] == "" {
					told[v] = all[i].Subject
				}
			}
		}
	}
	for i := range all {
		d := &all[i]
		for k, v := range about[[2]string{string(d.Code), d.Subject}] {
			cause := told[causes[v]]
			if cause == "" || cause == d.Subject {
				d.Follows = ""
				break
			}
			if k == 0 || cause < d.Follows {
				d.Follows = cause
			}
		}
	}
	for i := range all {
		if d := &all[i]; d.Code == "obligation-cannot-fulfil" || d.Code == "power-never-usable" {
			d.Follows = c.lackingActs(all, d.Subject)
		}
	}
}

// lackingActs returns the subject of the warning that the use of a norm follows from: its acts never happen, or one of those that it takes all of. It
// returns "" if they do.
func (c *Checked[S]) lackingActs(all []finding.Diagnostic, subject string) (cause string) {
	at := slices.IndexFunc(c.Spec.Norms, func(n *hclspec.Norm) bool { return n.Kind.String()+"."+n.Name == subject })
	if at < 0 {
		return ""
	}
	norm := c.Spec.Norms[at]
	for _, act := range norm.Acts {
		i := slices.IndexFunc(all, func(d finding.Diagnostic) bool {
			return d.Code == "event-never-happens" && d.Subject == "event."+act.Name
		})
		if i < 0 && norm.Needs == nil {
			return ""
		}
		if i >= 0 && cause == "" {
			cause = cmp.Or(all[i].Follows, all[i].Subject)
		}
	}
	return cause
}

// tellsOf returns the code and the subject of the warnings that tell of a node that never comes.
func (c *Checked[S]) tellsOf(v structure.Node) (list [][2]string) {
	if v.Transition {
		t := &c.Net.Transitions[v.Index]
		for _, p := range t.Parts {
			list = append(list, [2]string{"transition-never-fires", c.Named(p)})
		}
		if t.Event >= 0 {
			list = append(list, [2]string{"event-never-happens", "event." + c.Events[t.Event].Name})
		}
		return list
	}
	p := c.Net.Places[v.Index]
	if v.Index < len(c.AllPlaces) && c.AllPlaces[v.Index].Flag != "" {
		return append(list, [2]string{"state-never-reached", p.Net + "." + c.AllPlaces[v.Index].Flag})
	}
	for _, n := range c.Spec.Norms {
		if slices.ContainsFunc(n.Binding(), func(b *hclspec.Place) bool { return c.PlaceOf[n.Name+"."+b.Name] == v.Index }) {
			list = append(list, [2]string{"norm-never-arises", n.Kind.String() + "." + n.Name})
		}
	}
	return append(list, [2]string{"state-never-reached", p.String()})
}
