// Package history reads the records of a contract's drafts in order of time: what changed, who waived what, since when a requirement holds,
// which commit broke it. Questions about one requirement are answered by bisection along the drafts of a branch.
//
// Records are many and may be large. Each is read once, from a stream of names. What is kept of it goes into temporary files: a row of
// fixed width, and a note of what will be shown. Rows are linked through an index of digests (the record before, commits, trees), and a
// branch chooses its own by their commits, by what follows them, and by content. So memory is nearly the same for any number of records,
// except for texts that many have in common and some 40 bytes each while they are sorted. The files are about as large as the output. A
// question keeps the drafts of its contract.
//
// What records say was written by strangers. Package escape has the only ways to show it.
package history
