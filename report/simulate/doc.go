// Package simulate lets somebody play a contract by hand: line by line, in any pipe, or on the screen of a terminal.
package simulate
