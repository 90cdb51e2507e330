// Package ci writes results in the formats of other tools: SARIF and JUnit.
package ci
