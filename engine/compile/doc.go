// Package compile turns a contract into what is checked: one Petri net composed of the parties' views, synchronised on events, with
// obligations, clocks, counters, documents and the memory that formulas ask for; the formulas of its requirements over the places of that net;
// and digests, which are equal where two contracts mean the same.
package compile
