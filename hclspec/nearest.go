package hclspec

import (
	"fmt"
	"slices"
	"strings"
)

// MaxName is the longest name, in bytes.
const MaxName = 128

// maxSuggesting bounds the work of one Suggester: cells of tables of distances, and names looked at.
const maxSuggesting = 20_000_000

// A Suggester finds the known names that unknown ones may have been meant to be. Its total work is bounded, since a text can have as many
// unknown names as known ones; past the bound it suggests nothing. A nil Suggester suggests nothing either.
type Suggester struct{ spent int }

// Nearest returns the known name closest to name by edit distance, or "" when none is close: at most a third
// of name's letters may differ, and one letter always may. Ties go to the alphabetically first.
func Nearest(name string, known []string) string { return new(Suggester).Nearest(name, known) }

// Spend takes n from the budget of the Suggester, and reports whether as much was left.
func (s *Suggester) Spend(n int) bool {
	if s == nil || s.spent > maxSuggesting {
		return false
	}
	s.spent += n
	return s.spent <= maxSuggesting
}

// Nearest returns what the function Nearest does, or "" once the Suggester's budget is spent.
func (s *Suggester) Nearest(name string, known []string) string {
	if len(name) > MaxName {
		return ""
	}
	letters := []rune(name)
	limit := max(1, len(letters)/3)
	best, bestAt := "", limit+1
	for _, k := range known {
		if !s.Spend(1 + len(k)) {
			return "" // a nearer one might follow
		}
		d, cells := distance(letters, []rune(k), limit)
		if !s.Spend(cells) {
			return ""
		}
		if d < bestAt || d == bestAt && d <= limit && k < best {
			best, bestAt = k, d
		}
	}
	return best
}

// distance returns the number of letters to insert, delete, replace, or exchange with their neighbour to get from a to b (Damerau, A technique
// for computer detection and correction of spelling errors, 1964), or more than limit. It also returns how many cells of the table of
// distances it computed. The distance is 0 when a and b differ in case only, or look alike. Cost: the product of their lengths.
func distance(a, b []rune, limit int) (d, cells int) {
	if n := len(a) - len(b); max(n, -n) > limit {
		return limit + 1, 0
	}
	if x, y := string(a), string(b); strings.EqualFold(x, y) || Skeleton(x) == Skeleton(y) {
		return 0, len(a)
	}
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := nextRow(a, b, i, before, row)
		if slices.Min(next) > limit {
			return limit + 1, (i + 1) * len(row)
		}
		before, row = row, next
	}
	return row[len(b)], len(a) * len(row)
}

// nextRow returns row i+1 of the table of distances between the prefixes of a and b.
func nextRow(a, b []rune, i int, before, row []int) []int {
	next := make([]int, len(row))
	next[0] = i + 1
	for j := range b {
		change := row[j]
		if a[i] != b[j] {
			change++
		}
		next[j+1] = min(change, row[j+1]+1, next[j]+1)
		if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
			next[j+1] = min(next[j+1], before[j-1]+1)
		}
	}
	return next
}

// Meant returns the question whether an unknown name was meant to be a known one. It names letters that only look alike.
func Meant(name, near string) string {
	if odd := Pretenders(name + near); odd != "" && Skeleton(name) == Skeleton(near) {
		return fmt.Sprintf("Did you mean %q? They only look alike: %s.", near, odd)
	}
	return fmt.Sprintf("Did you mean %q?", near)
}
