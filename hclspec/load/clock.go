package load

import (
	"fmt"

	"github.com/redlinehq/redline/hclspec"
)

// A clock counts ticks down.
type clock struct {
	off  *hclspec.Place
	left []*hclspec.Place // left[i] is marked when i+1 ticks are left
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

func (c *clock) start() { c.run(true) }

func (c *clock) stop() { c.run(false) }

// run sets whether the clock runs in the initial marking.
func (c *clock) run(on bool) {
	if len(c.left) > 0 {
		c.off.Marked, c.left[len(c.left)-1].Marked = !on, on
	}
}

// A timer records how long ago an event last happened: before, running or over.
type timer struct {
	net   *hclspec.Party
	clock *clock
}
