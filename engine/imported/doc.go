// Package imported checks nets that are not contracts: place/transition nets from PNML files. It decides whether a net is one-safe,
// a workflow net, and sound, and writes a net as a contract of one party.
package imported
