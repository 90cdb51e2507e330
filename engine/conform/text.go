package conform

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// shared is one line of a shared run.
type shared struct {
	Step       int    `json:"step,omitempty"`
	Event      string `json:"event,omitempty"`
	Transition string `json:"transition,omitempty"`
}

// Text returns the log of a run, as JSON lines. The run has the transitions of each step; one without any is a tick that changes nothing.
func Text(d *compile.Draft, run [][]int) string {
	var b strings.Builder
	for i, step := range run {
		if len(step) == 0 {
			shared{Event: hclspec.Tick}.write(&b)
		}
		for _, t := range step {
			line := shared{Transition: explain.TransitionName(d, t)}
			if e := explain.Event(d, t); e != nil {
				line.Event = e.Name
			}
			if d.Rule == petri.All {
				line.Step = i + 1
			}
			line.write(&b)
		}
	}
	return b.String()
}

// Scenario returns the block of a scenario with the events of a run, which expects it to be possible. It returns "" if no event happens.
func Scenario(d *compile.Draft, run [][]int, name string) string {
	s := hclspec.Scenario{Unit: d.Spec.Tick}
	for _, step := range run {
		if len(step) == 0 {
			s.Steps = append(s.Steps, hclspec.Tick)
		}
		for _, t := range step {
			if e := explain.Event(d, t); e != nil {
				s.Steps = append(s.Steps, e.Name)
			}
		}
	}
	var events []string
	for _, step := range s.Listed() {
		if strings.Contains(step, " ") { // a time: names have no spaces
			step = strconv.Quote(step)
		}
		events = append(events, step)
	}
	if events == nil {
		return ""
	}
	return fmt.Sprintf("scenario %q {\n  events = [%s]\n  expect = possible\n}\n", name, strings.Join(events, ", "))
}

func (l shared) write(b *strings.Builder) {
	raw, err := json.Marshal(l)
	if err != nil {
		panic(err) // a number and texts
	}
	b.Write(append(raw, '\n'))
}
