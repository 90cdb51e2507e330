package bpmn

import (
	"slices"
	"strings"
)

// handler returns the scope that an end event breaks off, and the event at its border by which it is left; nil: it is left as if it were over. An error that nothing catches
// ends the process.
func handler(s *step) (*scope, *step) {
	c := s.scope
	if s.trigger == terminate {
		return c, nil
	}
	for ; c.of != nil; c = c.of.scope {
		for _, b := range c.of.bounds {
			if b.trigger == s.trigger && (b.ref == "" || b.ref == s.ref) {
				return c, b
			}
		}
	}
	return c, nil
}

// breaks reports whether an end event breaks off what goes on. An escalation that nothing catches is none.
func breaks(s *step) bool {
	if s.kind != "endEvent" {
		return false
	}
	_, by := handler(s)
	return s.trigger == failure || s.trigger == terminate || s.trigger == escalation && by != nil
}

// halts reports whether a scope can be broken off.
func (c *scope) halts() bool {
	halts := false
	c.all(func(s *step) {
		if breaks(s) {
			by, _ := handler(s)
			halts = halts || by == c
		}
	})
	return halts || c.of != nil && slices.ContainsFunc(c.of.bounds, (*step).interrupts)
}

// interrupts reports whether an event at a border ends what it is at the border of.
func (s *step) interrupts() bool { return !strings.EqualFold(s.attrs["cancelActivity"], "false") }

// counted reports whether the tokens in a sub-process have to be counted, so that it is known when it is over: unless there is only ever one.
func (c *scope) counted() bool {
	begins, forks := 0, false
	c.all(func(s *step) {
		if s.scope == c && s.begins() && s.kind != "startEvent" {
			begins++
		}
		forks = forks || slices.ContainsFunc(s.puts(), func(w way) bool { return len(w.put)+len(w.skipping) > 1 }) || slices.ContainsFunc(s.bounds, func(b *step) bool { return !b.interrupts() })
	})
	return forks || begins > 1 || len(c.of.bounds) > 0 || c.halts()
}

// raises reports whether an error that an event at the border of a scope catches is in the drawing.
func (c *scope) raises(b *step) bool {
	raised := false
	c.all(func(s *step) {
		if breaks(s) {
			_, by := handler(s)
			raised = raised || by == b
		}
	})
	return raised
}

// ends counts the end events of a scope.
func (c *scope) ends() int {
	n := 0
	for _, s := range c.steps {
		if s.kind == "endEvent" {
			n++
		}
	}
	return n
}
