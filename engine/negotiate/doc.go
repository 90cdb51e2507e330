// Package negotiate compares two redlines of one base: each redline by itself, and their merge if they can be merged.
package negotiate
