// Package settings reads .github/redline.hcl, the settings of a repository.
//
// It is the dialect of contracts with their limits and their diagnostics, but nothing is computed: no functions, no variables, no environment.
// So a reader sees the settings in force, and the worst that a stranger's file can be is wrong. Each setting is declared once, with its name,
// its valid values, its default, and the way it is shown; a value records its origin. Path patterns select the contracts to check, and rules
// of acceptance the accounts that may approve. The reference is in hclspec/README.md.
package settings
