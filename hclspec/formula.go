package hclspec

import "github.com/hashicorp/hcl/v2"

// A Formula is formula text as the drafter wrote it, with the way back to the source. It is parsed
// in engine/ctl: this package knows HCL, not logic.
type Formula struct {
	Text     string
	Notation Notation
	Range    hcl.Range // the whole attribute value
	spans    []span
}

// A span says where the bytes Text[at:] up to the next span stand in the source.
type span struct {
	at     int
	source hcl.Range
}
