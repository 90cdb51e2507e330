// Package finding is what redline found out, as plain data: results of checks, reviews of amendments, negotiations of two
// amendments, runs, differences, waivers and acceptances. It computes nothing but what follows from the data itself, such as the
// exit status and whether an acceptance counts. Reports see this package, and none of the machinery that fills it.
package finding
