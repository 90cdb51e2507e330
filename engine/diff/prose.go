package diff

import "slices"

// Reworded returns the elements of both sides that are called or described otherwise, or refer to another clause, as changes of title, description and
// clause, in the order of Changes. They change nothing of what a contract means, so Changes leaves them out; as it does a calendar that no duration needs.
func (n *Names) Reworded() []Change {
	var list []Change
	for i, was := range n.base.things {
		if n.toHead[i] < 0 || was.element >= instance {
			continue
		}
		now := n.head.things[n.toHead[i]]
		c := Change{Action: Rewired, Element: now.element, Scenario: now.scenario(), Name: n.head.full(n.toHead[i]), Base: was.at, Head: now.at}
		for _, t := range []Term{{"title", was.prose.Title, now.prose.Title}, {"description", was.prose.Description, now.prose.Description}, {"clause", was.prose.Clause, now.prose.Clause}} {
			if t.Was != t.Now {
				c.Terms = append(c.Terms, t)
			}
		}
		if len(c.Terms) > 0 {
			c.Fingerprint = c.fingerprint()
			list = append(list, c)
		}
	}
	slices.SortFunc(list, inOrder)
	return list
}
