//go:build race

package main

// slower is the factor by which the race detector may slow a command down.
const slower = 5
