// Package markdown writes results as GitHub Markdown, for comments and job summaries, within the length that GitHub takes.
package markdown
