// Package record keeps what was verified: one record for each draft of a contract, in the repository itself.
//
// A record is a ref that is made once and never moved, refs/redline/<digest>/<run>, of a commit. Digest is that of the draft's
// composed model, so a record is found by what was verified, whatever became of the commit (squashed, rebased, a directory
// renamed). Run is the SHA-256 of all that was found, so who finds the same names it the same, and it is there once.
//
//	statement.go  what a record states, field by field
//	laws.go       what is always so of a statement
//	outcome.go    verdicts as a test result
//	encode.go     a statement as bytes, and strictly back
//	name.go       digests and names
//	key.go        keys
//	envelope.go   statements with a signature
//	object.go     a record as a commit, and strictly back
//	git.go        git's own program
//	read.go       listing and reading records
//
// Whoever can push can write records, so what is read is taken for a stranger's: all of it is bounded, and what redline
// would not have written is refused.
package record
