// Package imported judges nets that no contract describes: place/transition nets from PNML files. It says whether a net is one-safe,
// a workflow net, and sound, and writes a net as a contract of one party.
package imported
