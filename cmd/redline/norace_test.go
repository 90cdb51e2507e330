//go:build !race

package main

// slower: see the race detector's.
const slower = 1
