package load

import (
	"fmt"

	"github.com/redlinehq/redline/hclspec"
)

// A clock counts ticks down.
type clock struct {
	off  *hclspec.Place
	left []*hclspec.Place // left[i] is marked when i+1 ticks are left
	on   *hclspec.Place   // of a clock that only says whether it runs; nil: it counts ticks
}

// newClock adds the places of a clock to a net; with no ticks it adds none.
func newClock(net *hclspec.Party, ticks int) *clock {
	c := &clock{}
	if ticks == 0 {
		return c
	}
	c.off = &hclspec.Place{Name: "off", Kind: hclspec.ClockOff, Marked: true, Range: net.Range}
	net.Places = append(net.Places, c.off)
	for i := range ticks {
		p := &hclspec.Place{Name: fmt.Sprintf("left-%d", i+1), Kind: hclspec.ClockLeft, Range: net.Range}
		p.Title = fmt.Sprintf("%d ticks left", i+1)
		if i == 0 {
			p.Title = "1 tick left"
		}
		c.left = append(c.left, p)
	}
	net.Places = append(net.Places, c.left...)
	return c
}

// newSwitch adds a clock that does not count: places that are marked while a norm without a deadline is owed, and while it is not.
func newSwitch(net *hclspec.Party) *clock {
	c := newClock(net, 1)
	c.on, c.left = c.left[0], nil
	c.on.Name, c.on.Title, c.on.Kind = "on", "", hclspec.ClockOff
	return c
}

// running returns the places of which one is marked while the clock runs.
func (c *clock) running() []*hclspec.Place {
	if c.on != nil {
		return []*hclspec.Place{c.on}
	}
	return c.left
}

// top returns the place that is marked when the clock starts; nil if it has no places.
func (c *clock) top() *hclspec.Place {
	if all := c.running(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

func (c *clock) start() { c.run(true) }

func (c *clock) stop() { c.run(false) }

// run sets whether the clock runs in the initial marking.
func (c *clock) run(on bool) {
	if top := c.top(); top != nil {
		c.off.Marked, top.Marked = !on, on
	}
}

// A timer records how long ago an event last happened: before, running or over.
type timer struct {
	net   *hclspec.Party
	clock *clock
}
