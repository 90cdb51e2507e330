package diag

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// SortUnique sorts by file, then position, then text, and removes duplicates: a template is read once for every phase.
func SortUnique(diags hcl.Diagnostics) hcl.Diagnostics {
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Subject.Filename, b.Subject.Filename),
			cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte),
			cmp.Compare(a.Summary, b.Summary),
		)
	})
	return slices.CompactFunc(diags, func(a, b *hcl.Diagnostic) bool {
		return *a.Subject == *b.Subject && a.Summary == b.Summary && a.Detail == b.Detail
	})
}

// FirstAtEach keeps the first of several diagnostics at one position: HCL repeats itself in other words.
func FirstAtEach(found hcl.Diagnostics) hcl.Diagnostics {
	seen := map[hcl.Pos]bool{}
	return slices.DeleteFunc(found, func(d *hcl.Diagnostic) bool {
		if d.Subject == nil {
			return false
		}
		again := seen[d.Subject.Start]
		seen[d.Subject.Start] = true
		return again
	})
}
