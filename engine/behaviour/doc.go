// Package behaviour compares the behaviour of two versions of a contract: the sequences of events that only one of them has, the parties
// that can see the difference, the states that were added or removed by their meaning, what is owed differently, and which parties are
// exposed. Separate code replays each run on both versions before it is shown.
package behaviour
