// Package escape makes text from a contract fit to be shown: on a terminal, in Markdown, in Mermaid and in DOT. Nothing that a stranger
// wrote may give orders to a terminal, mention people, or close a block.
package escape
