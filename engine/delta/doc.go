// Package delta says how two versions differ.
//
//	Compare     the behaviour of two labelled transition systems: same, more, less, both, or otherwise
//	Changes     the elements of two contracts: added, removed, renamed, rewired
//
// It knows nothing of budgets in the user's words, of reports or of where the versions come from.
package delta
