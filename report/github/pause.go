package github

import (
	"context"
	"time"
)

// Pause waits, if that much is left of MostWaiting; else it does not.
func (c *Client) Pause(ctx context.Context, d time.Duration) error {
	_, _, err := c.send.patience.take(ctx, d)
	return err
}
