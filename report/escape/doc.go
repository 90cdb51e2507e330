// Package escape makes foreign text, such as a contract, safe to show on a terminal, in Markdown, in Mermaid and in DOT. No such text may give
// commands to a terminal, mention people, or close a block.
package escape
