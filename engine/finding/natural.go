package finding

import "github.com/redlinehq/redline/hclspec"

// Natural compares names with their numbers by value: S2 before S10.
func Natural(a, b string) int { return hclspec.Natural(a, b) }
