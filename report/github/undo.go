package github

import "context"

// Unresolve opens a thread again. It needs the same permissions as Resolve.
func (c *Client) Unresolve(ctx context.Context, thread string) error {
	const text = `mutation($id:ID!){unresolveReviewThread(input:{threadId:$id}){thread{isResolved}}}`
	var data struct {
		UnresolveReviewThread struct{ Thread struct{ IsResolved bool } }
	}
	return c.ask(ctx, "unresolveReviewThread", text, map[string]any{"id": thread}, &data)
}

// DeleteReviewComment removes a review comment. If the comment is gone at a second try, the first one removed it.
func (c *Client) DeleteReviewComment(ctx context.Context, id int64) error {
	_, err := c.rest.PullRequests.DeleteComment(ctx, c.owner, c.name, id)
	return deleted(ctx, err)
}
