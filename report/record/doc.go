// Package record keeps what was verified: one record for each draft of a contract, in the repository itself.
//
// A record is a ref that is made once and never moved, refs/redline/<digest>/<run>, of a commit. Digest is that of the draft's
// composed model, so a record is found by what was verified, whatever became of the commit (squashed, rebased, a directory
// renamed). Run is the SHA-256 of all that was found, so who finds the same names it the same, and it is there once.
//
//	statement.go  what a record states, field by field; README.md says it for everybody
//	make.go       a result as a statement
//	change.go     what a draft changes against the one before it
//	outcome.go    verdicts as a test result
//	name.go       digests and names
//	laws.go       what is always so of a statement
//	forms.go      forms of texts
//	shape.go      how each type is written
//	append.go     writing by it
//	strict.go     reading by it, and nothing else
//	encode.go     a statement as bytes, and strictly back
//	key.go        a key that signs
//	keys.go       the keys that are accepted
//	envelope.go   statements with a signature
//	object.go     a record as a commit, and strictly back
//	git.go        git's own program
//	objects.go    git's objects, asked for one after the other
//	tree.go       a contract's files in git
//	read.go       listing and reading records
//	book.go       all records of a repository, to find one by; branches
//	attest.go     recording the drafts of a commit
//	keep.go       making refs
//	push.go       at a remote, too
//	notes.go      the index in git's notes
//	verify.go     holding records to the repository
//	hold.go       one by one: to files, commits and models
//	recheck.go    checking them again
//
// Whoever can push can write records, so what is read is taken for a stranger's: all of it is bounded, and what redline
// would not have written is refused.
package record
