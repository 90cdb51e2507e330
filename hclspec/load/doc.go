// Package load reads contracts from text.
//
//	Find      which directories are contracts
//	Dir       one of them: a Source, that is a Contract or what is wrong with its text
//	Text      the same from files in memory; Source.Reread after an edit
//
// Reading goes in phases, and each works through everything the one before it let pass:
//
//	read      files, within limits (package syntax, and the next three)
//	scan      characters and tokens, so that nothing makes the parser recurse too deep
//	parse     HCL's own grammar
//	shape     which blocks and attributes may stand where
//	values    variables and locals, each weighed before it is built (package expr)
//	phases    templates and their uses (package phase)
//	elements  names, references, arcs; of several of a kind each (this package)
//
// All mistakes of a phase are reported at once, each where it is, with a code and a hint. What only follows from a mistake already reported is
// left out. Text that cannot be parsed ends the reading, because everything it was to declare would be missed.
//
// Elements refer to each other, so they are read in an order: all places before the first transition, all labels before the
// first event, all events before the first norm. A norm then becomes moves of events, a document or a duration a net of its own, and a transition
// with counters one variant for each combination of their values: the Contract that results has places, transitions and events only.
package load
