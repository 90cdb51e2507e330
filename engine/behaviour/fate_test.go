package behaviour

import (
	"context"
	"errors"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
)

// TestAFateThatIsNotDecided: where a limit ends the comparison by fates, the difference in ticks is shown, and nothing is said to be proved.
func TestAFateThatIsNotDecided(t *testing.T) {
	owing := func(within string) string {
		return waiter + "event \"goes\" {\n  sync = { p = go }\n}\nobligation \"o\" {\n  bearer = p\n  fulfil = goes\n  within = " + within + "\n}\n"
	}
	c := comparing(t, owing("3"), owing("30"))
	real := func(as aspect) askedOf {
		g := c.language(nil, as)
		return c.ask(context.Background(), g, "", nil, len(g.words))
	}
	reason := func(err error) string { return err.Error() }
	if o := c.owing(real, reason); len(o.Norms) != 1 || o.Norms[0].Reason != "" || o.Norms[0].TimeAlone || len(o.Norms[0].Run) != 3 {
		t.Errorf("without a limit: %+v", o)
	}
	for name, limited := range map[string]askedOf{
		"nothing was found":   {confirmation: &confirmation{}, err: errors.New("the limit")},
		"it is known to vary": {relation: delta.Both, confirmation: &confirmation{}, err: errors.New("the limit")},
		"no run shows it":     {relation: delta.Both, confirmation: &confirmation{leftOut: 1}},
		"it does not replay":  {relation: delta.Same, confirmation: &confirmation{err: errors.New("elsewhere")}},
	} {
		o := c.owing(func(as aspect) askedOf {
			if as == withFates {
				return limited
			}
			return real(as)
		}, reason)
		if len(o.Norms) != 1 || o.Norms[0].TimeAlone || len(o.Norms[0].Run) != 0 || len(o.Norms[0].Better) != 1 || o.Norms[0].Reason == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if o := c.owing(func(as aspect) askedOf {
		if as == withFates {
			return askedOf{relation: delta.Same, confirmation: &confirmation{}}
		}
		return real(as)
	}, reason); !o.Norms[0].TimeAlone || o.Norms[0].Better != nil || o.Relation == delta.Same {
		t.Errorf("where fates are the same: %+v", o)
	}
}
