package engine

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
)

// Words for what comes: a state comes, an event happens.

// neverComes says that something does not come on a run.
func (t *teller) neverComes(f *ctl.Formula) string {
	if event, ok := t.happening(f); ok {
		return event + " never happens"
	}
	return t.say(f) + " never comes"
}

// lost says that something can no longer come.
func (t *teller) lost(f *ctl.Formula) string {
	if event, ok := t.happening(f); ok {
		return event + " can no longer happen"
	}
	return t.say(f) + " can no longer be reached"
}

// tooEarly says that left has ended before right came. Of !p until q && !p, that is: p came before q.
func (t *teller) tooEarly(left, right *ctl.Formula) string {
	right = without(right, left)
	first := t.say(right)
	if event, ok := t.happening(right); ok {
		first = event + " had happened"
	}
	if left.Op != ctl.Not {
		if _, ok := t.happening(right); !ok {
			first += " came"
		}
		return fmt.Sprintf("%s has ended before %s", t.say(left), first)
	}
	early := t.say(left.Left) + " came"
	event, happened := t.happening(left.Left)
	if happened {
		early = event + " has happened"
	}
	switch _, also := t.happening(right); {
	case right.Temporal():
		return early + " too early"
	case happened && also: // in one step, perhaps
		return fmt.Sprintf("%s, and %s not before", early, strings.TrimSuffix(first, " happened"))
	}
	return fmt.Sprintf("%s before %s", early, first)
}

// without drops a conjunct.
func without(f, part *ctl.Formula) *ctl.Formula {
	switch {
	case f.Op != ctl.And:
	case ctl.Equal(f.Left, part):
		return f.Right
	case ctl.Equal(f.Right, part):
		return without(f.Left, part)
	}
	return f
}

// happening is the title of the event of happened(e).
func (t *teller) happening(f *ctl.Formula) (string, bool) {
	if f.Call == nil || f.Call.Function != "happened" {
		return "", false
	}
	return t.eventTitle(f.Call.Args[0].Name), true
}

// asked puts what a formula asks of events into a sentence, or the contrary.
func (d *Draft) asked(c *ctl.Call, holds bool) string {
	event := d.eventTitle(c.Args[0].Name)
	switch {
	case c.Function == "happened" && holds:
		return event + " has happened"
	case c.Function == "happened":
		return event + " has not happened"
	case c.Function == "enabled" && holds:
		return event + " can happen"
	case c.Function == "enabled":
		return event + " can't happen"
	case holds:
		return fmt.Sprintf("%s never happens before %s", d.eventTitle(c.Args[1].Name), event)
	}
	return fmt.Sprintf("%s may happen before %s", d.eventTitle(c.Args[1].Name), event)
}

// eventTitle is what an event is called in a sentence; one of several has its name, too.
func (d *Draft) eventTitle(name string) string {
	e := d.event(name)
	switch {
	case e.Title == "":
		return "“" + name + "”"
	case e.Name != e.Of:
		return "“" + e.Title + " (" + name + ")”"
	}
	return "“" + e.Title + "”"
}
