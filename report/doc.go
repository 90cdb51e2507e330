// Package report holds the tests that compare all forms of output with one another. The forms are packages below it: text for a terminal,
// markdown for GitHub, json for programs, ci for SARIF and JUnit, draw for pictures, page for one HTML file.
//
// Every form shows the same facts. Verdicts come as data of package finding; package words puts them into sentences once; each form
// arranges the sentences. No form decides anything, and the same input gives the same bytes. Whatever a contract says of itself (names,
// titles, clauses, formulas, file names, source lines) was written by a stranger, and package escape is the only way by which it gets into
// an output.
package report
