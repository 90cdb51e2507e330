// Package settings reads .github/redline.hcl: what a repository wants of redline.
//
// It is the dialect of contracts with their limits and their diagnostics, but nothing is computed: no functions, no variables, no
// environment. So a reader sees what is in force, and the worst that a stranger's file can be is wrong. Each setting is declared once, with
// its name, what it accepts, its default, and how it is shown; a value remembers where it is from. Path patterns say which contracts are
// looked at, and rules of acceptance who may approve what. The reference is in hclspec/README.md.
package settings
