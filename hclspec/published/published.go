// Package published holds contracts that other people published, modelled in our own words, and amendments to them as a negotiation makes them.
package published

import "embed"

// FS has a directory for each contract, as mutual-nda.
//
//go:embed */*.contract.hcl
var FS embed.FS
