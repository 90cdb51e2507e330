package report

import (
	"io"

	"github.com/redlinehq/redline/engine"
)

// JSONNegotiation is to come.
func JSONNegotiation(w io.Writer, n *engine.Negotiation, tool string) error { return nil }
