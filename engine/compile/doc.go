// Package compile turns a contract into a model that can be checked. It composes the parties' views into one Petri net, synchronised on
// events, with places for obligations, clocks, counters, documents and the history that formulas refer to. It resolves the formulas of
// requirements over the places of that net. And it computes digests, which are equal where two contracts mean the same.
package compile
