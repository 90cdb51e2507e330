// Package history reads the records of a contract's drafts in order of time: what changed, which waivers were given by which approver, since
// when a requirement holds, which commit broke it. Questions about one requirement are answered by bisection along the drafts of a branch.
//
// Records are many and may be large. Each is read once, from a stream of names. What is kept of it goes into temporary files: a row of fixed
// width, and a note of what will be shown. Rows are linked through an index of digests (the previous record, commits, trees), and a branch
// selects its own by their commits, by what follows them, and by content. So memory is nearly the same for any number of records, except for
// strings that many share and some 40 bytes each while they are sorted. The files are about as large as the output. A question keeps the
// drafts of its contract in memory.
//
// The text of records is untrusted. It is shown through package escape only.
package history
