// Package report tells people and programs what redline found, one function for each way of telling:
//
//	Text, TextReview            a person at a terminal
//	Markdown, MarkdownReview    a pull request and a job summary on GitHub
//	JSON, JSONReview            a program; schema/*.schema.json describes every field
//	SequenceDiagram             a run, as Mermaid, between the parties
//	Mermaid, DOT                a net, a state model, or the difference of two, as a picture
//
// What a review says beyond verdicts is in files of its own: change.go puts a difference into sentences, guilt.go
// which changes are to blame and what would mend it; text_difference.go and markdown_difference.go lay them out.
//
// It decides nothing: verdicts come in engine.Result and engine.Review, and are put into words here.
// The same input gives the same bytes.
//
// Everything a contract says of itself (names, titles, clauses, formulas, reasons, file names, source
// lines) was written by a stranger. foreign.go is the only way such text gets into an output.
package report
