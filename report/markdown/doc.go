// Package markdown writes results as GitHub Markdown, for comments and job summaries. The texts respect GitHub's length limits.
package markdown
