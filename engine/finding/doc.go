// Package finding has the results of redline as plain data: results of checks, reviews of amendments, negotiations of two amendments, runs,
// differences, waivers and acceptances. It computes only what follows from the data itself, such as the exit status and whether an
// acceptance counts. Reports depend on this package, and on none of the packages that fill it.
package finding
