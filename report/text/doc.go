// Package text writes results for a terminal, and as plain text.
package text
