package engine

import "context"

// refuse says of each new violation where base would have refused its run.
func (v *versions) refuse(ctx context.Context, findings []Finding) {}
