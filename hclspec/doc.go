// Package hclspec reads contracts: directories of *.contract.hcl files.
//
//	Find      which directories are contracts
//	Load      one of them: a Source, that is a Contract or what is wrong with its text
//	Format    one file, in the one canonical layout
//
// Load goes in phases, and each works through everything the one before it let pass:
//
//	read      files, within limits, following no link
//	scan      characters and tokens, so that nothing makes the parser recurse too deep
//	parse     HCL's own grammar
//	shape     which blocks and attributes may stand where
//	values    variables and locals, each weighed before it is built
//	elements  names, references, arcs; of several of a kind each
//
// It reports all mistakes of a phase at once, each where it stands, with a code from the package codes and a hint; and
// one mistake once: what only follows from a mistake already reported is not said. Text that cannot be
// parsed ends it, because everything it was to declare would be missed.
//
// Formulas stay text here, with the way back to the source: Formula.Source. The language is described in README.md.
package hclspec
