package app

import (
	"runtime"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
)

// DefaultBudget returns the limits per contract of a command without flags.
func DefaultBudget() finding.Budget {
	limits := settings.Default().Limits
	b := finding.Budget{States: limits.States, Time: limits.Timeout, Jobs: runtime.GOMAXPROCS(0)}
	if err := b.Memory.Set(limits.Memory); err != nil {
		panic(err) // our own default
	}
	return b
}
