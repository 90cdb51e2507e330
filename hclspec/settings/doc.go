// Package settings reads .github/redline.hcl: what a repository wants of redline.
//
//	settings.go   the values, their defaults, and where each is from
//	fields.go     each setting once: its name, what it takes, how it is read and shown
//	parse.go      text → Settings: blocks and attributes
//	value.go      the values: literals and nothing else
//	accepting.go  who may approve what, and promises given up with their contract
//	pattern.go    path patterns, and which contracts they take in
//	load.go       the file in a tree
//
// It is the dialect of contracts with their limits and their diagnostics, but nothing is computed: no functions, no
// variables, no environment. So a reader sees what is in force, and the file of a stranger can do nothing but be wrong.
// The reference is in hclspec/README.md.
package settings
