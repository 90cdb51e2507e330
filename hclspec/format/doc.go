// Package format lays out the files of contracts in one canonical way, so that two drafts differ only if their meaning or their prose does.
//
// Spaces and alignment are those of hclwrite, known from Terraform. Blank lines are set here: a file is cut into lines, each line is
// classified by its place in blocks and brackets, and pairs of neighbours decide whether a blank line goes between them. The result is
// compared with the source token by token. If anything but blanks and line ends would change, the source is returned unchanged.
package format
