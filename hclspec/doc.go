// Package hclspec holds a contract as data: parties and their states, events, obligations, and requirements.
//
// A Contract is the meaning of the files of one directory, with every name resolved. Each party is a net of places and transitions. An event
// makes transitions of several parties happen together. Norms, documents and durations are compiled to nets too, which watch events or take
// part in them, so code that explores a contract needs to know nets and events only. Requirements are formulas. They stay text here, and
// Formula.Source maps them back to the source: this package knows no logic, and engine/ctl knows no files.
//
// An Index lists where the text declares and mentions names, for editors.
//
// A text becomes a Contract in the packages below this one in the tree. Each uses only those before it:
//
//	construct  the blocks, attributes and norms of the language, as a table
//	diag       mistakes, reported once, with a code and a hint
//	syntax     files within limits, parsed, and blocks that have the shape their type promises
//	expr       values of expressions, bounded before they are built
//	phase      templates, and the phases that use them
//	format     the canonical layout of a file
//	load       all of it together: the contract in a directory, or the mistakes in its text
//
// README.md describes the language.
package hclspec
