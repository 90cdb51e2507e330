// Package compare reviews an amendment. It checks both versions, asks each what the other requires, and sorts what was found:
// new, standing, repaired, waived, given up. The rule is in sorting.go, and there is no other.
package compare
