package compile

import (
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// canonicalText prints a formula in the notation its author chose.
func canonicalText(f *ctl.Formula, n hclspec.Notation) string { return InNotation(f, n.String()) }

// InNotation prints a formula in a notation.
func InNotation(f *ctl.Formula, notation string) string {
	if notation == hclspec.Table1.String() {
		return f.Table1()
	}
	return f.CTL()
}

// Word returns the word for a place in a sentence: its title, else its name, with the value of a flag or counter.
func Word(p *hclspec.Place) string {
	name := p.Name
	if p.Flag != "" {
		name = p.Flag
	}
	if p.Counter != "" {
		name = p.Counter
	}
	if p.Title != "" {
		name = p.Title
	}
	switch p.Kind {
	case hclspec.FlagTrue:
		return name + " (yes)"
	case hclspec.FlagFalse:
		return name + " (no)"
	case hclspec.CounterValue:
		return fmt.Sprintf("%s: %d", name, p.Value)
	}
	return name
}
