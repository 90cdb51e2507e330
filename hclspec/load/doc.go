// Package load reads contracts from text.
//
//	Find      finds the directories that are contracts
//	Dir       reads one of them into a Source: a Contract, or the mistakes in its text
//	Text      does the same from files in memory; Source.Reread after an edit
//
// Reading has phases. Each works on everything that the one before it let pass:
//
//	read      files, within limits (package syntax, and the next three)
//	scan      characters and tokens, so that no text makes the parser recurse too deep
//	parse     HCL's own grammar
//	shape     which blocks and attributes are allowed where
//	values    variables and locals, each weighed before it is built (package expr)
//	phases    templates and their uses (package phase)
//	elements  names, references, arcs; of several of a kind each (this package)
//
// All mistakes of a phase are reported at once, each at its place, with a code and a hint. Consequences of a mistake already reported are left
// out. Text that cannot be parsed ends the reading, because all its declarations would be missing.
//
// Elements refer to each other, so they are read in an order: all places before the first transition, all labels before the first event, all
// events before the first norm. A norm then becomes moves of events, a document or a duration a net of its own, and a transition with counters
// one variant for each combination of their values. The resulting Contract has places, transitions and events only.
package load
