package engine

import (
	"fmt"

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
	event, isEvent := t.happening(right)
	if left.Op != ctl.Not {
		if isEvent {
			return fmt.Sprintf("%s has ended before %s had happened", t.say(left), event)
		}
		return fmt.Sprintf("%s has ended before %s came", t.say(left), t.say(right))
	}
	early := left.Left
	if _, happened := t.happening(early); happened && isEvent {
		return fmt.Sprintf("%s, and %s had not before", t.say(early), event)
	}
	if isEvent {
		return fmt.Sprintf("%s came before %s had happened", t.say(early), event)
	}
	return fmt.Sprintf("%s came before %s", t.say(early), t.say(right))
}

// without drops a conjunct.
func without(f, part *ctl.Formula) *ctl.Formula {
	switch {
	case f.Op != ctl.And:
	case ctl.Equal(f.Left, part):
		return f.Right
	case ctl.Equal(f.Right, part):
		return f.Left
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
