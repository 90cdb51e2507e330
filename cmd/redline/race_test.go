//go:build race

package main

// slower is how many times the processor time may be what it is without the race detector.
const slower = 5
