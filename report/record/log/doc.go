// Package log defines the log of a repository's records: its entries, and checkpoints of it.
//
// Entry n names the entry before it by its digest, and records by their refs and digests. The first entry names the first commit of the
// repository, and nothing else; its digest is the log's identity. Entries are not signed: each signed record names the last entry that was
// there when it was made (record.LogHead), and so signs all entries up to that one.
//
// A checkpoint is a log's identity, its size, and the root hash of the Merkle tree of its entries (RFC 6962, section 2.1), as a signed note
// (golang.org/x/mod/sumdb/note; c2sp.org/tlog-checkpoint). Whoever keeps one can tell later whether the log still begins with the same
// entries. Package store keeps entries in git.
package log
