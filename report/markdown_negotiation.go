package report

import "github.com/redlinehq/redline/engine"

// MarkdownNegotiation is to come.
func MarkdownNegotiation(n *engine.Negotiation) string { return "" }
