// Package examples holds the contracts that redline ships.
package examples

import "embed"

// FS has a directory for each example, as letter-of-credit or nets/figure-3.
//
//go:embed */*.contract.hcl */*/*.contract.hcl
var FS embed.FS
