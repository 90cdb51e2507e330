package engine

import "context"

// difference says what the amendment changes, verdicts apart.
func (v *versions) difference(ctx context.Context) *Difference {
	return &Difference{}
}
