// Package diag collects the mistakes in the text of a contract.
//
// A reader should see each mistake once, at its place, with what was expected and what to do. That takes memory: a block that is refused
// declares no name, and every later use of the name would be a mistake as well. So a Sink remembers the names and the blocks that are reported
// already, and drops consequences of them. For an unknown name it looks for a similar known one, within a bound on all of that search, because
// a hostile text can have as many unknown names as known ones.
//
// Each diagnostic has a code, which names a page of the package codes. Diagnostics are for mistakes of the drafter. An error of the file
// system is an error of Go, and CheckContext and CatchStop end a reading that is interrupted.
package diag
