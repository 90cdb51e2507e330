// Package examples holds the contracts that redline ships.
package examples

import "embed"

// FS has a directory for each example: letter-of-credit, nets/figure-3, nets/figure-6-and-7,
// nets/figure-10, sale.
//
//go:embed letter-of-credit nets sale
var FS embed.FS
