package hclspec

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// maxName is the longest name, in bytes.
const maxName = 128

// Nearest returns the known name closest to name by edit distance (Levenshtein, Binary codes capable of
// correcting deletions, insertions and reversals, 1966), or "" when none is close: at most a third of name's
// letters may differ, and one letter always may. Ties go to the alphabetically first.
func Nearest(name string, known []string) string {
	limit := max(1, len(name)/3)
	best, bestAt := "", limit+1
	if len(name) > maxName {
		return ""
	}
	for _, k := range known {
		d := distance(name, k, limit)
		if d < bestAt || d == bestAt && d <= limit && k < best {
			best, bestAt = k, d
		}
	}
	return best
}

// distance is the edit distance of a and b, or more than limit. Difference in case counts little.
func distance(a, b string, limit int) int {
	if strings.EqualFold(a, b) {
		return 0
	}
	if abs(len(a)-len(b)) > 4*limit { // up to four bytes a letter
		return limit + 1
	}
	return levenshtein.Distance(a, b, levenshtein.NewParams().MaxCost(limit))
}

func abs(n int) int { return max(n, -n) }

// maxGuesses bounds the comparisons one Load spends on suggestions.
const maxGuesses = 200_000

// guess is the hint on an unknown name; empty when no known name is near.
func (l *loader) guess(name string, known []string) string {
	if l.guesses += len(known); l.guesses > maxGuesses {
		return ""
	}
	near := Nearest(name, known)
	if near == "" || near == name {
		return ""
	}
	return fmt.Sprintf("Did you mean %q?", near)
}
