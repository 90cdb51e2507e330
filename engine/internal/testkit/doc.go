// Package testkit has what tests of several packages share: contracts from text and examples, random contracts and amendments, mutants
// of examples, naive readings of their models.
package testkit
