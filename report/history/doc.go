// Package history tells what records say of the drafts of a contract, in order of time: what changed, who waived what, since when a
// requirement holds, which commit broke it.
//
//	entry.go     what is kept of each record, which is little
//	row.go       that as so many bytes as any other
//	note.go      what is told of it besides
//	spool.go     a temporary file
//	rows.go      one of rows
//	index.go     finding rows by a digest
//	read.go      reading all records once, and linking them
//	branch.go    which of them are of a branch: by their commits, by what follows them, by content
//	history.go   choosing, and telling
//	course.go    a requirement along the drafts of a branch
//	ask.go       questions about it, answered by bisection
//	words.go     words that all formats have in common
//	text.go, markdown.go, html.go, json.go
//
// Records are many and may be large: each is read once, noted in temporary files and dropped. So memory is nearly the same for any number of them: but
// for texts that many have in common, and some 40 bytes each while they are put in order. The files have about as much as what is told. A question
// keeps the drafts of its contract. What records say was written by strangers; package report has the only ways to show it.
package history
