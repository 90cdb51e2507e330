package engine

import "github.com/redlinehq/redline/hclspec"

// exposes is what a place says of its party's exposure, as the digest has it.
func exposes(p *hclspec.Place) string {
	if !p.Exposed {
		return ""
	}
	return " exposed"
}
