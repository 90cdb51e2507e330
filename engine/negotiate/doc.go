// Package negotiate compares two redlines of one base: each by itself, and both together where they can be merged.
package negotiate
