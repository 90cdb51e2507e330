//go:build !race

package main

// slower is 1 without the race detector.
const slower = 1
