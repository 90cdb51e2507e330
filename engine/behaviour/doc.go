// Package behaviour compares what two versions of a contract can do: which sequences of events only one of them has, who can see the
// difference, which states have come and gone by what they mean, what is owed differently, and who is exposed. Each run that it shows is
// replayed on both versions by code of its own.
package behaviour
