package engine

import "github.com/redlinehq/redline/hclspec"

// natural compares names as people count: S2 before S10.
func natural(a, b string) int { return hclspec.Natural(a, b) }
