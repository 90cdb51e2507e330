package github

import (
	"context"
	"time"
)

// Pause waits if enough is left of MostWaiting, and reports whether it waited.
func (c *Client) Pause(ctx context.Context, d time.Duration) (waited bool, err error) {
	_, waited, err = c.send.patience.take(ctx, d)
	return waited && err == nil, err
}
