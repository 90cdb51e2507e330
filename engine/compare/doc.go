// Package compare reviews an amendment. It checks both versions, asks each what the other requires, and sorts what was found:
// new, standing, repaired, waived, given up. There is one rule for that, in function sort.
package compare
