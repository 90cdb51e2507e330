// Package hclspec holds a contract as data: who takes part in which state, what can happen, who owes what, and what must always be true.
//
// A Contract is what the files of one directory mean once every name is resolved. Each party is a net of places and transitions; an event
// makes transitions of several parties happen together. Norms, documents and durations are compiled to nets too, which watch events or take part
// in them, so whoever explores a contract needs to know nets and events and nothing else. Requirements are formulas, which stay text here, with
// the way back to the source (Formula.Source): this package knows no logic, and engine/ctl knows no files.
//
// An Index says where the text declares and mentions names, for whoever edits the text.
//
// The way from text to a Contract goes through the packages below this one in the tree, each of which uses only those before it:
//
//	construct  the blocks, attributes and norms of the language, as a table
//	diag       mistakes, reported once, with a code and a hint
//	syntax     files within limits, parsed, and blocks that have the shape their type promises
//	expr       values of expressions, bounded before they are built
//	phase      templates, and the phases that use them
//	format     the canonical layout of a file
//	load       all of it together: the contract in a directory, or what is wrong with its text
//
// README.md describes the language.
package hclspec
