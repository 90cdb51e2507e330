// Package clauses holds the clauses that redline ships: templates that contracts bring in with 'redline vendor'.
package clauses

import "embed"

// Suffix ends the names of files that hold a clause: a template, and nothing else. Such a file is no part of a contract.
const Suffix = ".clause.hcl"

// FS has a file for each clause, as escrow.clause.hcl.
//
//go:embed *.clause.hcl
var FS embed.FS
