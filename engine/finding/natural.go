package finding

import "github.com/redlinehq/redline/hclspec"

// Natural compares names as people count: S2 before S10.
func Natural(a, b string) int { return hclspec.Natural(a, b) }
