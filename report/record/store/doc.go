// Package store keeps records in the repository itself, finds them again, and verifies them.
//
// A record is a ref that is created once and never moved, refs/redline/<digest>/<run>, to a commit. Digest is that of the draft's composed
// model, so a record is found by what was verified, whatever happened to the commit (squashed, rebased, a directory renamed). Run is the
// SHA-256 of all findings: two runs with the same findings have one name, and the record exists once.
//
// The log names all records in order. Its entry n is a ref that is created once, refs/redline/log/n, to a commit whose parents are the entry
// before and the records. Package log defines entries and checkpoints.
//
// A Verification compares records with the files, commits and models that they name, and can check these again.
package store
