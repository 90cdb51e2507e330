package github

import (
	"context"
	"time"
)

// Pause waits, if that much is left of MostWaiting, and reports whether it has.
func (c *Client) Pause(ctx context.Context, d time.Duration) (waited bool, err error) {
	_, waited, err = c.send.patience.take(ctx, d)
	return waited && err == nil, err
}
